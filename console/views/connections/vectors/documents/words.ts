import { formatCount } from '../../../../parts/text/format.ts';

const counted = (count: number, single: string, many: string): string =>
  `${formatCount(count)} ${count === 1 ? single : many}`;

/** Documents that were written. */
export const indexedWords = ({ indexed, passages }: { indexed: number; passages: number }): string =>
  `${counted(indexed, 'document', 'documents')} with ${counted(passages, 'passage', 'passages')} indexed.`;

import { formatCount } from '../../../../parts/text/format.ts';

const counted = (count: number, one: string, many: string): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`;

/** What was written. */
export const indexedWords = ({ indexed, passages }: { indexed: number; passages: number }): string =>
  `${counted(indexed, 'document', 'documents')} with ${counted(passages, 'passage', 'passages')} indexed.`;

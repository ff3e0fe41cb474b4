import type { Static } from 'typebox';
import { invalid, type Problem } from '../../contract/codes/faults.ts';
import type { DeleteDocumentsBody, IndexBody } from './schemas.ts';

export type IndexInput = Static<typeof IndexBody>;
export type DeleteInput = Static<typeof DeleteDocumentsBody>;
export type GivenDocument = IndexInput['documents'][number];

const MAX_METADATA_BYTES = 16 * 1024;

/** @throws Fault `validation_failed` with ids that are there twice, and metadata that cannot be stored */
export function assertDocuments({ documents }: Pick<IndexInput, 'documents'>): void {
  const first = new Map<string, number>();
  const problems = documents.flatMap(({ id, metadata = {} }, index) => {
    const earlier = first.get(id);
    if (earlier === undefined) first.set(id, index);
    const twice = { field: `documents.${index}.id`, message: `is the id of documents.${earlier} as well` };
    return [...(earlier === undefined ? [] : [twice]), ...metadataProblems(metadata, `documents.${index}.metadata`)];
  });
  if (problems.length > 0) throw invalid(problems);
}

function metadataProblems(metadata: object, field: string): Problem[] {
  const problems = Object.entries(metadata).flatMap(([name, value]): Problem[] =>
    (Array.isArray(value) ? value : [value]).every(isPlain)
      ? []
      : [{ field: `${field}.${name}`, message: 'must be a text, a number, true, false, or a list of these' }],
  );
  if (problems.length > 0 || Buffer.byteLength(JSON.stringify(metadata)) <= MAX_METADATA_BYTES) return problems;
  return [{ field, message: `must have at most ${MAX_METADATA_BYTES} bytes as JSON` }];
}

const isPlain = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);

/** @throws Fault `validation_failed` unless the body names either ids or all documents */
export function assertSelection({ ids, all }: DeleteInput): void {
  if ((ids === undefined) !== (all === undefined)) return;
  throw invalid([{ field: 'ids', message: 'must be given, or all: true in its place, but not both' }]);
}

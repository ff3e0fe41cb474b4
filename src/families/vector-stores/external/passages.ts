import type { Json } from '../../../contract/basics.ts';
import type { Outgoing } from '../../../masking/checkedBody.ts';
import type { EmbeddedDocument } from '../../../ports/knowledge/documents.ts';
import type { DocumentFailure } from '../documents/documentFailure.ts';

/** Key of a passage in an external store. */
const passageKey = (id: string, index: number): string => `${id}#${index}`;

export const passageKeys = (id: string, from: number, until: number): string[] =>
  Array.from({ length: Math.max(0, until - from) }, (_, index) => passageKey(id, from + index));

/** A passage as an external store gets it. */
export interface WrittenPassage {
  key: string;
  text: string;
  vector: Float32Array;
  metadata: Json;
}

export const writtenPassages = ({ id, text, metadata, passages }: EmbeddedDocument): WrittenPassage[] =>
  passages.map(({ start, end, vector }, index) => {
    return { key: passageKey(id, index), text: text.slice(start, end), vector, metadata };
  });

export interface WriteFailure extends DocumentFailure {
  /** Whether the store may have some of the passages. */
  isPartial?: boolean;
}

/** A table or an index, in which passages stand beside what others wrote. */
export interface PassageTable {
  /** @returns those of the keys that something stands under */
  present(keys: readonly string[]): Promise<ReadonlySet<string>>;
  /**
   * Writes the passages of a document in place of those that it has, all or nothing.
   * @param owned keys under which the document may have passages
   * @returns why the store did not take it, if that is the document's own fault
   */
  replace(document: Outgoing<EmbeddedDocument>, owned: readonly string[]): Promise<WriteFailure | undefined>;
  remove(keys: readonly string[]): Promise<void>;
}

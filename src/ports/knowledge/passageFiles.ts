import type { Json } from '../../contract/basics.ts';
import type { Deadline } from '../platform/clock.ts';

/** A document as a file of passages holds it. */
export interface FileDocument {
  key: string;
  id: string;
  change: number;
  /** JSON text. */
  metadata: string;
  passages: readonly FilePassage[];
}

export interface FilePassage {
  /** Which part of the document has its text. */
  part: number;
  /** Offsets in the text of that part. */
  start: number;
  end: number;
  text: string;
  /** The passage is found by its words too; absent = none. */
  context?: string | undefined;
  vector: Float32Array;
}

export interface FoundPassage extends Pick<FilePassage, 'part' | 'start' | 'end'> {
  /** Identifies the passage in the file. */
  passage: number;
  key: string;
  id: string;
  change: number;
  metadata: Json;
  /** Cosine, or what BM25 says: greater is better. */
  score: number;
}

export interface FileSearch {
  /** Passages with the nearest vectors, exactly; absent = none. */
  vector?: Float32Array | undefined;
  /** Passages with words of a text; absent = none. */
  text?: string | undefined;
  /** Passages of each kind at most. */
  count: number;
  accepts(metadata: Json): boolean;
}

export interface FileFacts {
  /** The number of the store to which the file has followed it. */
  change: number;
  /** Length of the vectors; 0 while there are none. */
  dimensions: number;
  passages: number;
}

/** Changes a file while no other process does. */
export interface FileUpdate {
  readonly facts: FileFacts;
  /** The changes of documents by their keys. @param keys default: all */
  changes(keys?: readonly string[]): ReadonlyMap<string, number>;
  /** Removes documents and replaces others, both or nothing. All vectors have one length. */
  apply(removed: readonly string[], documents: readonly FileDocument[]): void;
  /** Notes how far the file has followed the store. */
  finish(change: number): void;
}

/** The passages of one store on this member, which can be made again. */
export interface PassageFile {
  /** Undefined if the file is missing or broken. */
  facts(): FileFacts | undefined;
  /**
   * Brings the file up to date, alone among all processes; makes it if it is missing or broken.
   * @throws Fault `store_unavailable`; OutboundError `timeout` if others take too long
   */
  update<T>(deadline: Deadline, work: (update: FileUpdate) => Promise<T>): Promise<T>;
  /** Best first. Undefined if the file is missing or broken. */
  search(query: FileSearch): { byVector: FoundPassage[]; byWords: FoundPassage[] } | undefined;
}

export interface PassageFiles {
  /** Names what this Node lacks; undefined if nothing. */
  missing(): Promise<string | undefined>;
  /** @throws Fault `not_supported` if this Node cannot, `store_unavailable` */
  open(uid: string): Promise<PassageFile>;
  /** Removes files of stores that are gone. @param present reads the stores, after the files were listed */
  sweep(present: () => Promise<ReadonlySet<string>>): Promise<void>;
}

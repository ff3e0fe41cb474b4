import { createHash } from 'node:crypto';
import type { Doc } from '../../../ports/stores/recordStore.ts';

export const DOCUMENTS = 'ml_documents';
/** Further parts of documents that are too large for one document of the KV store. */
export const PARTS = 'ml_document_parts';
export const STORE_STATES = 'ml_document_stores';

/** Passages of a store at most. */
export const MAX_PASSAGES = 100_000;

/** Facts about a document of a store. */
export interface DocumentEntry extends Doc {
  /** `uid` of the store. */
  store: string;
  id: string;
  /** Number of the write that saved it. */
  change: number;
  /** begun: its first write may have ended halfway. removed: kept for a while, for the files of members to follow. */
  state: 'stored' | 'begun' | 'removed';
  passages: number;
  /** Passages that a write under way may have put into an external store. */
  begun?: number;
  /** JSON text. */
  metadata: string;
  /** Epoch seconds. */
  updated_at: number;
  /** Size of the text in UTF-8. */
  bytes: number;
}

/** A stretch of a document's text, with the passages in it. */
export interface DocumentBody {
  text: string;
  /** Offset of the stretch in the document. */
  at: number;
  /** JSON text: start and end of each passage in the document, and its context if it has one. */
  spans: string;
  /** Base64 of little-endian float32 numbers, passage by passage. */
  vectors: string;
}

/** A document whose text and vectors the platform keeps. */
export interface StoredDocument extends DocumentEntry, Partial<DocumentBody> {
  /** Documents in `PARTS` that belong to it, with its `change`. */
  parts?: number;
}

export interface StoredPart extends Doc, DocumentBody {
  store: string;
  /** Key of the document. */
  document: string;
  change: number;
}

/** Facts about all documents of a store; `_key` is that of its record. */
export interface StoreState extends Doc {
  /** Random: what an interrupted deletion leaves never shows in a later store of the same name. */
  uid: string;
  /** `created_at` of the record that the documents belong to. */
  record_created: number;
  /** Where an external store has the documents; absent for those of the platform. */
  place?: string;
  /** Number of the last write; odd while it is under way. */
  change: number;
  /** A file that is older than this may lack removals and compares all keys. */
  floor: number;
  passages: number;
  /** Length of the vectors; 0 before the first one. */
  dimensions: number;
  /** Epoch seconds. */
  changed_at: number;
  /** When removed documents were last purged. */
  purged_at: number;
  /** `uid` of documents that are still to be removed. */
  former?: string;
}

/** Fields of entries, without text and vectors. */
export const ENTRY_FIELDS = [
  ...['store', 'id', 'change', 'state', 'passages', 'begun', 'metadata', 'updated_at', 'bytes', 'parts'],
] as const satisfies readonly (keyof StoredDocument)[] as readonly (keyof StoredDocument)[];

export const documentKey = (uid: string, id: string): string =>
  createHash('sha256').update(`${uid}\0${id}`).digest('hex').slice(0, 40);

export const partKey = (document: string, change: number, index: number): string => `${document}.${change}.${index}`;

/** Passages that count towards the limit. */
export const storedPassages = (entry: Pick<DocumentEntry, 'state' | 'passages' | 'begun'> | undefined): number =>
  entry === undefined || entry.state === 'removed' ? 0 : Math.max(entry.passages, entry.begun ?? 0);

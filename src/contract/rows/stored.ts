import type { UnreadableRecord } from '../unreadable.ts';

/** Whether a field of a stored document has its type. */
export type Check = (value: unknown) => boolean;

/** The checked fields of a document. Fields that it does not name may have any value. */
export type Shape = Readonly<Record<string, Check>>;

/** How the documents of a collection are checked when they are read. */
export interface StoredCollection {
  family: UnreadableRecord['family'];
  /** The app can do without the document: an unreadable one counts as missing and is replaced by the next write. */
  replaceable: boolean;
  /** Whether `GET /ml/health` looks for unreadable documents: a log is too large for a request. */
  isSearched: boolean;
  /** Loads the checks on first use: a request reads few collections. */
  shapes(): Promise<StoredShapes>;
}

export interface StoredShapes {
  /** Fields of all documents. */
  common: Shape;
  /** Further fields of documents of a kind, by their field `kind`. */
  kinds: Readonly<Record<string, Shape>>;
}

export const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);

/** JSON text of such a value. */
export const jsonText =
  (check: Check): Check =>
  (value) => {
    if (typeof value !== 'string') return false;
    try {
      return check(JSON.parse(value));
    } catch {
      return false;
    }
  };

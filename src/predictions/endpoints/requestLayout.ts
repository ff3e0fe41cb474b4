/** Marks the index of a row, where a request has a list of rows. */
export const ROW = Symbol('row');
export type Key = string | number | typeof ROW;

/** A place in a request, with what lies within it. */
interface Place {
  /** The entry of the map that led here first. */
  entry: string;
  isFilled: boolean;
  within: Map<Key, Place>;
}

/** Bytes of a request without its values. */
export interface RequestSize {
  /** Bytes of a request without rows. */
  fixed: number;
  /** Bytes that each row adds. */
  row: number;
}

const NULL_BYTES = 'null,'.length;
const BRACKETS = '[]'.length;

/** The places that the entries of a map fill. */
export class RequestLayout {
  readonly #root: Place = { entry: '', isFilled: false, within: new Map() };

  /**
   * Adds a place.
   * @returns the entry whose place excludes this one: it lies within the other, or one is in a list and the other in an object
   */
  add(entry: string, keys: readonly Key[]): string | undefined {
    let here = this.#root;
    for (const key of keys) {
      const [other] = here.within.keys();
      if (here.isFilled || (other !== undefined && kindOf(other) !== kindOf(key))) return here.entry;
      const next = here.within.get(key) ?? { entry, isFilled: false, within: new Map() };
      if (here.within.size === 0) here.entry = entry;
      here.within.set(key, next);
      here = next;
    }
    if (here.isFilled || here.within.size > 0) return here.entry;
    Object.assign(here, { entry, isFilled: true });
    return undefined;
  }

  get size(): RequestSize {
    return sizeOf(this.#root);
  }
}

/** A list of rows has no other items. */
const kindOf = (key: Key): string => typeof key;

function sizeOf({ within }: Place): RequestSize {
  let fixed = BRACKETS;
  let row = 0;
  let length = 0;
  for (const [key, place] of within) {
    const inner = sizeOf(place);
    row += inner.row;
    if (key === ROW) row += inner.fixed + 1;
    else if (typeof key === 'number') {
      length = Math.max(length, key + 1);
      fixed += inner.fixed + 1 - NULL_BYTES;
    } else fixed += Buffer.byteLength(JSON.stringify(key)) + 2 + inner.fixed;
  }
  // Items that no entry fills are null.
  return { fixed: fixed + length * NULL_BYTES, row };
}

/** Sources of the run's data that hold a value: 0 is the input, n the nth step; each with its first field. */
export type Hits = Map<number, string | undefined>;

export function addHit(hits: Hits, source: number, field: string | undefined): void {
  if (!hits.has(source)) hits.set(source, field);
  else if (field !== undefined && hits.get(source) === undefined) hits.set(source, field);
}

/** Values that are looked up by their text. */
export type KeyKind =
  | 'ip'
  | 'url'
  | 'host'
  | 'mail'
  | 'hash'
  | 'path'
  | 'windowsPath'
  | 'file'
  | 'anyCaseFile'
  | 'id'
  | 'version'
  | 'digits';

export interface WordHits {
  /** Where it is a value of a host or the first label of a name. */
  hosts: Hits;
  /** Where it stands as a whole word. */
  words: Hits;
}

export interface UserHit {
  domain: string | undefined;
  /** As it stands there, for the reason why another one is unverified. */
  text: string;
  source: number;
  field: string | undefined;
}

export interface HashHit {
  hash: string;
  source: number;
  field: string | undefined;
}

const KINDS: readonly KeyKind[] = [
  'ip',
  'url',
  'host',
  'mail',
  'hash',
  'path',
  'windowsPath',
  'file',
  'anyCaseFile',
  'id',
  'version',
  'digits',
];
const LENGTHS = 64;
const SHORT_HASH = 8;

/** Values that the claims of an answer look up. Nothing else of the run's data is kept, so its size does not matter. */
export class Lookups {
  readonly #keys = Object.fromEntries(KINDS.map((kind) => [kind, new Map<string, Hits>()])) as Record<
    KeyKind,
    Map<string, Hits>
  >;
  readonly #words = new Map<string, WordHits>();
  readonly #users = new Map<string, UserHit[]>();
  readonly #shortHashes = new Map<string, HashHit[]>();
  /** By length and first character: most words are none of these. */
  readonly #wordFilter = new Uint8Array(LENGTHS * 128);

  key(kind: KeyKind, key: string): Hits {
    return entry(this.#keys[kind], key, () => new Map());
  }

  word(lower: string): WordHits {
    const place = filterPlace(lower.charCodeAt(0), lower.length);
    this.#wordFilter[place] = 1;
    return entry(this.#words, lower, () => ({ hosts: new Map(), words: new Map() }));
  }

  user(name: string): UserHit[] {
    return entry(this.#users, name, () => []);
  }

  /** Hashes that begin with the same eight digits. */
  hashes(beginning: string): HashHit[] {
    return entry(this.#shortHashes, beginning.slice(0, SHORT_HASH), () => []);
  }

  has(kind: KeyKind): boolean {
    return this.#keys[kind].size > 0;
  }

  keyHits(kind: KeyKind, key: string): Hits | undefined {
    return this.#keys[kind].get(key);
  }

  /** @param start index of the word in the text */
  wordHits(text: string, start: number, end: number): WordHits | undefined {
    if (this.#wordFilter[filterPlace(text.charCodeAt(start), end - start)] === 0) return undefined;
    return this.#words.get(text.slice(start, end).toLowerCase());
  }

  userHits(name: string): UserHit[] | undefined {
    return this.#users.get(name);
  }

  hashHits(hash: string): HashHit[] | undefined {
    return this.#shortHashes.size === 0 ? undefined : this.#shortHashes.get(hash.slice(0, SHORT_HASH));
  }
}

function entry<T>(map: Map<string, T>, key: string, make: () => T): T {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}

/** Case does not matter; letters beyond ASCII share a place. */
const filterPlace = (first: number, length: number): number =>
  Math.min(length, LENGTHS - 1) * 128 + (first > 127 ? 0 : first >= 65 && first <= 90 ? first + 32 : first);

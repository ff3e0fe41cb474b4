import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Conf, parseBoolean, type Stanza } from '../confs/conf.ts';

/** The indexes of every platform; `_internal` has its own log too. */
const BUILT_IN = ['_audit', '_internal', 'main', 'summary'];
/** Stanzas of indexes.conf that are no indexes. */
const NO_INDEX = /^(?:default$|volume:|provider)/;
export const INDEX_NAME = /^[a-z0-9_][a-z0-9_-]{0,254}$/;
/** Size limit of each of an index's two files; the older one is dropped when the newer is full. */
const MOST_BYTES = 32 * 1024 * 1024;

export interface StoredEvent {
  /** Epoch seconds. */
  time: number;
  host: string;
  source: string;
  sourcetype: string;
  raw: string;
}

/** Events sent by apps, one JSON line each, in order of arrival. */
export class EventIndexes {
  readonly #folder: string;
  readonly #settings: () => Conf;

  /** @param settings indexes.conf of all apps */
  constructor(home: string, settings: () => Conf) {
    this.#folder = join(home, 'var', 'lib', 'splunk');
    this.#settings = settings;
  }

  /** The enabled indexes by name. */
  names(): string[] {
    const settings = this.#settings();
    return this.defined().filter((name) => parseBoolean(settings[name]?.disabled) !== true);
  }

  /** Disabled indexes as well. */
  defined(): string[] {
    const declared = Object.keys(this.#settings()).filter((name) => !NO_INDEX.test(name) && INDEX_NAME.test(name));
    return [...new Set([...BUILT_IN, ...declared])].sort();
  }

  settings(index: string): Stanza {
    const settings = this.#settings();
    return { ...settings.default, ...settings[index] };
  }

  isBuiltIn(index: string): boolean {
    return BUILT_IN.includes(index);
  }

  has(index: string): boolean {
    return this.names().includes(index);
  }

  /** Bytes on disk. */
  size(index: string): number {
    return [this.#older(index), this.#file(index)].reduce(
      (sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0),
      0,
    );
  }

  add(index: string, event: StoredEvent): void {
    mkdirSync(this.#folder, { recursive: true });
    const file = this.#file(index);
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > MOST_BYTES) renameSync(file, this.#older(index));
    appendFileSync(file, `${JSON.stringify(event)}\n`, { mode: 0o600 });
  }

  /** Oldest first. Skips a line that a crash truncated. */
  all(index: string): StoredEvent[] {
    return [this.#older(index), this.#file(index)].flatMap((file) => {
      if (!existsSync(file)) return [];
      return readFileSync(file, 'utf8').split('\n').flatMap(parsed);
    });
  }

  #file = (index: string) => join(this.#folder, `${index}.events`);
  #older = (index: string) => join(this.#folder, `${index}.1.events`);
}

function parsed(line: string): StoredEvent[] {
  try {
    return line === '' ? [] : [JSON.parse(line) as StoredEvent];
  } catch {
    return [];
  }
}

import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The indexes that accept events; `_internal` has the platform's own log too. */
export const INDEXES = ['_audit', '_internal', 'main', 'summary'] as const;
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

  constructor(home: string) {
    this.#folder = join(home, 'var', 'lib', 'splunk');
  }

  has(index: string): boolean {
    return INDEXES.some((name) => name === index);
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

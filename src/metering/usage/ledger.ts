import type { HostClock } from '../../ports/platform/clock.ts';
import type { Log } from '../../ports/platform/log.ts';
import type { RecordStore } from '../../ports/stores/recordStore.ts';
import { HOUR_S, RowSums, rowOf, storedRows, USAGE, type UsageDoc } from './sums.ts';
import type { UseRecord } from './useRecord.ts';

/** Rows of one document, so that each write stays small. */
const MAX_ROWS = 1000;
/** Hours that ended longer ago may have been folded: a process that was suspended must not write into them. */
const LATEST_WRITE_S = HOUR_S;

interface OpenDoc {
  key: string;
  from: number;
  sums: RowSums;
  isInserted: boolean;
  isDirty: boolean;
}

/** The sums of one process, which only this process writes. */
export class UsageLedger {
  readonly #process: string;
  readonly #clock: HostClock;
  readonly #log: Log;
  #docs: OpenDoc[] = [];
  #count = 0;
  #writing: Promise<void> = Promise.resolve();

  /** @param process an id of this process that no other has */
  constructor(process: string, clock: HostClock, log: Log) {
    this.#process = process;
    this.#clock = clock;
    this.#log = log;
  }

  add(use: UseRecord): void {
    const from = Math.floor(use.time / HOUR_S) * HOUR_S;
    let doc = this.#docs.find((one) => one.from === from && one.sums.size < MAX_ROWS);
    if (!doc) {
      doc = {
        key: `${from}.${this.#process}.${this.#count++}`,
        from,
        sums: new RowSums(),
        isInserted: false,
        isDirty: true,
      };
      this.#docs.push(doc);
    }
    doc.sums.add(rowOf(use));
    doc.isDirty = true;
  }

  /** Writes what has changed, one write at a time. @throws Fault `store_unavailable`; the next write repeats it */
  write(records: RecordStore): Promise<void> {
    this.#writing = this.#writing.catch(() => {}).then(() => this.#writeAll(records));
    return this.#writing;
  }

  async #writeAll(records: RecordStore): Promise<void> {
    const hour = Math.floor(this.#clock.now() / 1000 / HOUR_S) * HOUR_S;
    for (const doc of this.#docs.filter(({ isDirty }) => isDirty)) await this.#writeDoc(records, doc);
    this.#docs = this.#docs.filter(({ from, isDirty }) => isDirty || from >= hour);
  }

  async #writeDoc(records: RecordStore, doc: OpenDoc): Promise<void> {
    const { from } = doc;
    // What is added meanwhile needs another write.
    doc.isDirty = false;
    try {
      if (this.#clock.now() / 1000 > from + HOUR_S + LATEST_WRITE_S) return this.#drop(doc);
      const stored: UsageDoc = {
        _key: doc.key,
        kind: 'process',
        from,
        to: from + HOUR_S,
        member: this.#clock.member,
        sources: [],
        ...storedRows(doc.sums.rows),
      };
      // An insert is refused where the reply to an earlier one was lost.
      const isWritten = !doc.isInserted && (await records.insert(USAGE, stored));
      if (!isWritten && !(await records.replace(USAGE, stored))) return this.#drop(doc);
      doc.isInserted = true;
    } catch (error) {
      doc.isDirty = true;
      throw error;
    }
  }

  /** Written once more, it would be counted twice. */
  #drop({ key, from }: OpenDoc): void {
    this.#log.warn('usage_not_summed', { key, hour: from });
  }
}

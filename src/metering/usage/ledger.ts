import { OwnDocument } from '../../domain/records/ownDocument.ts';
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
  own: OwnDocument<UsageDoc>;
}

/** The sums of one process, which only this process writes. */
export class UsageLedger {
  readonly #process: string;
  readonly #clock: HostClock;
  readonly #log: Log;
  #docs: OpenDoc[] = [];
  #count = 0;

  /** @param process an id of this process that no other has */
  constructor(process: string, clock: HostClock, log: Log) {
    this.#process = process;
    this.#clock = clock;
    this.#log = log;
  }

  add(use: UseRecord): void {
    const from = Math.floor(use.time / HOUR_S) * HOUR_S;
    let doc = this.#docs.find((open) => open.from === from && open.sums.size < MAX_ROWS);
    if (!doc) {
      const key = `${from}.${this.#process}.${this.#count++}`;
      doc = { key, from, sums: new RowSums(), own: new OwnDocument(USAGE, false) };
      this.#docs.push(doc);
    }
    doc.sums.add(rowOf(use));
    doc.own.touch();
  }

  /** Writes what has changed. @throws Fault `store_unavailable`; the next write repeats it */
  async write(records: RecordStore): Promise<void> {
    const hour = Math.floor(this.#clock.now() / 1000 / HOUR_S) * HOUR_S;
    for (const doc of this.#docs.filter(({ own }) => own.isChanged)) {
      const { key, from, own } = doc;
      const isLate = this.#clock.now() / 1000 > from + HOUR_S + LATEST_WRITE_S;
      if (!isLate && (await own.store(records, () => this.#stored(doc)))) continue;
      // Written once more, it would be counted twice.
      this.#docs = this.#docs.filter((open) => open !== doc);
      this.#log.warn('usage_not_summed', { key, hour: from });
    }
    this.#docs = this.#docs.filter(({ from, own }) => own.isChanged || from >= hour);
  }

  #stored({ key: _key, from, sums }: OpenDoc): UsageDoc {
    const { member } = this.#clock;
    return { _key, kind: 'process', from, to: from + HOUR_S, member, sources: [], ...storedRows(sums.rows) };
  }
}

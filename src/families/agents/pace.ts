import { MIN_WAIT_MS, waitMs } from '../../contract/families/agents.ts';
import { RemoteClockWatch } from '../../domain/locks/remoteClocks.ts';
import type { Stores } from '../../domain/records/sealedRecord.ts';
import type { AgentStored, Polled } from './records.ts';

/** A timer may ring a little early, by clocks that count whole milliseconds. */
const SLACK_MS = 5;

/** Keeps any number of monitors of an agent from asking the cloud more often than one of them does. */
export class Pace {
  readonly #stores: Pick<Stores, 'records' | 'clock'>;

  constructor(stores: Pick<Stores, 'records' | 'clock'>) {
    this.#stores = stores;
  }

  /** What the record keeps of a poll. */
  stamp({ polled, tracking }: AgentStored, isTrouble: boolean): Polled {
    const { domain } = this.#stores.clock;
    const before = tracking.last_polled_at === null ? 0 : (polled?.troubles ?? 0);
    const troubles = isTrouble ? before + 1 : 0;
    return { domain, at: this.#stores.clock.monotonic(), troubles };
  }

  /**
   * Whether it is time to ask again; else the record is the answer.
   * @param intervalS the longest wait of the monitor that wants to know; undefined: nobody who waits by a plan
   */
  async isDue(record: AgentStored, intervalS: number | undefined): Promise<boolean> {
    const { tracking, polled } = record;
    // Nobody has asked since the creation or deletion began.
    if (tracking.last_polled_at === null || !polled) return true;
    const looks = { polls: tracking.attempts, troubles: polled.troubles };
    const wait = intervalS === undefined ? MIN_WAIT_MS : waitMs(record.name, looks, intervalS) - SLACK_MS;
    const { clock } = this.#stores;
    return polled.domain === clock.domain
      ? clock.monotonic() - polled.at >= wait
      : this.#isOverdue(record, polled, wait);
  }

  /** The clock of another host says nothing here: what counts is since when this one has seen its poll to be the last. */
  async #isOverdue({ _key }: AgentStored, { domain, at }: Polled, wait: number): Promise<boolean> {
    const { records, clock } = this.#stores;
    const watch = await RemoteClockWatch.read(records, clock);
    const id = `poll agents.${_key}`;
    const isOverdue = watch.isOverdue(id, `${domain} ${at}`, wait);
    if (isOverdue) watch.forget((one) => one === id);
    await watch.save();
    return isOverdue;
  }
}

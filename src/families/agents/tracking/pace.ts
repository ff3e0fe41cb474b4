import { MIN_WAIT_MS, waitMs } from '../../../contract/families/agents.ts';
import { RemoteClockWatch } from '../../../domain/locks/remoteClocks.ts';
import type { Stores } from '../../../domain/records/sealedRecord.ts';
import type { AgentStored, LastPoll } from '../definition.ts';

/** Timers can fire early by the resolution of the clock. */
const SLACK_MS = 5;

/** Limits the polls of all monitors of an agent to the rate of one. */
export class Pace {
  readonly #stores: Pick<Stores, 'records' | 'clock'>;

  constructor(stores: Pick<Stores, 'records' | 'clock'>) {
    this.#stores = stores;
  }

  stamp({ polled, tracking }: AgentStored, hasFailed: boolean): LastPoll {
    const { domain } = this.#stores.clock;
    const before = tracking.last_polled_at === null ? 0 : (polled?.troubles ?? 0);
    const troubles = hasFailed ? before + 1 : 0;
    return { domain, at: this.#stores.clock.monotonic(), troubles };
  }

  /** @param intervalS the longest wait of the polling monitor; undefined for other callers */
  async isDue(record: AgentStored, intervalS: number | undefined): Promise<boolean> {
    const { tracking, polled } = record;
    // First poll of this creation or deletion.
    if (tracking.last_polled_at === null || !polled) return true;
    const looks = { polls: tracking.attempts, troubles: polled.troubles };
    const wait = intervalS === undefined ? MIN_WAIT_MS : waitMs(record.name, looks, intervalS) - SLACK_MS;
    const { clock } = this.#stores;
    return polled.domain === clock.domain
      ? clock.monotonic() - polled.at >= wait
      : this.#isOverdue(record, polled, wait);
  }

  /** Clocks of two hosts are not comparable, so this host measures since it first saw the other host's poll. */
  async #isOverdue({ _key }: AgentStored, { domain, at }: LastPoll, wait: number): Promise<boolean> {
    const { records, clock } = this.#stores;
    const watch = await RemoteClockWatch.read(records, clock);
    const id = `poll agents.${_key}`;
    const isOverdue = watch.isOverdue(id, `${domain} ${at}`, wait);
    if (isOverdue) watch.forget((watchedId) => watchedId === id);
    await watch.save();
    return isOverdue;
  }
}

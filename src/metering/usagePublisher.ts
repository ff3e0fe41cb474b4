import { errorName } from '../contract/basics.ts';
import { ALERT_SOURCETYPE } from '../contract/families/alerts.ts';
import { RUN_SOURCETYPE } from '../contract/families/runs.ts';
import { USAGE_INDEX, USAGE_SOURCETYPE } from '../contract/families/usage.ts';
import { isOn } from '../contract/settings/flags.ts';
import { integerSetting } from '../contract/settings/integerSetting.ts';
import { setting } from '../contract/settings/settings.ts';
import { DelayedWrite } from '../domain/async/delayedWrite.ts';
import type { SiteStores } from '../domain/records/sealedRecord.ts';
import type { EventIndex } from '../ports/platform/log.ts';
import type { Messages } from '../ports/platform/messages.ts';
import type { Settings } from '../ports/stores/settings.ts';
import { LimitCounters } from './limits/limitCounters.ts';
import { useLimits } from './limits/limitedUses.ts';
import { LimitMessages } from './limits/limitMessages.ts';
import type { UseLimits } from './limits/useLimits.ts';
import type { AlertEvent } from './usage/alertEvent.ts';
import { foldUsage } from './usage/folding.ts';
import { UsageLedger } from './usage/ledger.ts';
import type { RunEvent } from './usage/runEvent.ts';
import { usageEvent } from './usage/usageEvent.ts';
import type { UseContent, UseRecord } from './usage/useRecord.ts';

const FOLDING_INTERVAL_MS = 60_000;
const EVENTS_PER_REQUEST = 100;

/** From the last request: its token is the newest. */
export interface UsageSite {
  stores: SiteStores;
  settings: Settings;
  events: EventIndex;
  messages: Messages;
}

interface PendingEvent {
  sourcetype: string;
  eventOf(hasContent: boolean): object;
}

/** Writes the uses of a process: sums to the store, events to the index, both after the reply. Changes of runs are events as well. */
export class UsagePublisher {
  #site: UsageSite | undefined;
  #ledger: UsageLedger | undefined;
  #events: PendingEvent[] = [];
  readonly #writes = new DelayedWrite(() => this.#write());
  #nextFolding = 0;
  readonly #counters = new LimitCounters();
  readonly #limitMessages = new LimitMessages();

  /** The usage limits of one request. */
  limits(site: UsageSite): UseLimits {
    const { stores } = site;
    // Amounts that a use takes must be given back at the end, also by a process in which no use leaves a record.
    this.#site = site;
    return useLimits({
      stores,
      counters: this.#counters,
      reached: (reached) => {
        if (this.#limitMessages.note(reached, stores.clock.now() / 1000))
          stores.defer('usage_limit_messages', () => this.#limitMessages.post(site));
      },
    });
  }

  keep(site: UsageSite, use: UseRecord, content: UseContent): void {
    this.#site = site;
    this.#ledger ??= new UsageLedger(site.stores.newId(), site.stores.clock, site.stores.log);
    this.#ledger.add(use);
    this.#keepEvent({
      sourcetype: USAGE_SOURCETYPE,
      eventOf: (hasContent) => usageEvent(use, hasContent ? content : undefined),
    });
  }

  keepRun(site: UsageSite, event: RunEvent): void {
    this.#site = site;
    this.#keepEvent({ sourcetype: RUN_SOURCETYPE, eventOf: () => event });
  }

  /** Sends what alerts did not start, at once. What no index takes is a line of the log each. Never rejects. */
  async reportAlerts(site: UsageSite, events: readonly AlertEvent[]): Promise<void> {
    const pending = events.map((event) => ({ sourcetype: ALERT_SOURCETYPE, eventOf: () => event }));
    const isSent = await sendEvents(site, ALERT_SOURCETYPE, pending).catch((error: unknown) => {
      failedOf(site.stores, 'usage_events_not_sent')(error);
      return false;
    });
    if (!isSent) for (const event of events) site.stores.log.warn('alert_not_started', { ...event });
  }

  /** Writes what there is. Never rejects. */
  flush(): Promise<void> {
    return this.#writes.flush();
  }

  /** At a clean end: also gives back what the process holds of limits. Never rejects. */
  async close(): Promise<void> {
    await this.flush();
    const stores = this.#site?.stores;
    await (stores && this.#counters.close(stores).catch(failedOf(stores, 'usage_limits_not_given_back')));
  }

  #keepEvent(event: PendingEvent): void {
    this.#events.push(event);
    this.#writes.schedule();
  }

  async #write(): Promise<void> {
    const site = this.#site;
    if (site) await Promise.all([this.#writeSums(site), this.#send(site)]);
  }

  async #writeSums(site: UsageSite): Promise<void> {
    const ledger = this.#ledger;
    if (!ledger) return;
    const failed = (event: string) => failedOf(site.stores, event);
    const again = (event: string) => (error: unknown) => {
      failed(event)(error);
      this.#writes.schedule();
    };
    const sums = ledger.write(site.stores.records).catch(again('usage_sums_not_written'));
    const counters = this.#counters.flush(site.stores).catch(again('usage_counters_not_written'));
    await Promise.all([sums, counters]);
    await this.#fold(site).catch(failed('usage_not_folded'));
  }

  async #send(site: UsageSite): Promise<void> {
    const pending = Map.groupBy(this.#events.splice(0), ({ sourcetype }) => sourcetype);
    const sent = [...pending].map(([sourcetype, events]) =>
      sendEvents(site, sourcetype, events).catch(failedOf(site.stores, 'usage_events_not_sent')),
    );
    await Promise.all(sent);
  }

  async #fold({ stores, settings }: UsageSite): Promise<void> {
    const now = stores.clock.monotonic();
    if (now < this.#nextFolding) return;
    this.#nextFolding = now + FOLDING_INTERVAL_MS;
    const days = integerSetting(await settings.recent(), 'gateway', 'usage_retention_days', stores.log);
    await foldUsage(stores, days);
  }
}

/**
 * Events that the index refuses are not sent again: some of them may have arrived.
 * @returns false where no index takes events
 */
async function sendEvents(
  { settings, events }: UsageSite,
  sourcetype: string,
  pending: readonly PendingEvent[],
): Promise<boolean> {
  const stanzas = await settings.recent();
  const index = stanzas.gateway?.usage_index?.trim() ?? USAGE_INDEX;
  if (index === '') return false;
  const hasContent = isOn(setting(stanzas, 'gateway', 'log_content'));
  const sent = pending.map(({ eventOf }) => eventOf(hasContent));
  for (let start = 0; start < sent.length; start += EVENTS_PER_REQUEST) {
    await events.send(index, sourcetype, sent.slice(start, start + EVENTS_PER_REQUEST));
  }
  return true;
}

const failedOf =
  ({ log }: Pick<SiteStores, 'log'>, event: string) =>
  (error: unknown): void =>
    log.warn(event, { cause: errorName(error) });

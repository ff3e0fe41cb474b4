import { errorName } from '../../../contract/basics.ts';
import type { OutboundError } from '../../../contract/codes/outbound.ts';
import type { Cooldown, ModelCooldown } from '../../../contract/schemas/cooldown.ts';
import type { Stores } from '../../../domain/records/sealedRecord.ts';
import type { Doc } from '../../../ports/stores/recordStore.ts';
import { type LlmIdentity, llmConnectionKey } from './connection.ts';

const COOLDOWNS = 'ml_llm_cooldowns';

const FIRST_S = 10;
const LONGEST_S = 300;
/** A provider that asks to wait for longer is asked again after this time. */
const LONGEST_WAIT_S = 60;
/** A cooldown that ended so long ago no longer makes the next one longer. */
const FORGOTTEN_S = 3600;
/** Failures that the next call is likely to meet as well. */
const CODES = ['connection_refused', 'dns_failed', 'timeout', 'quota_exceeded'];

/** A model that is asked last by aliases until a time. All processes share it. */
export interface CooldownDoc extends Doc {
  /** Key of the connection. */
  connection: string;
  model: string;
  /** Error code. */
  reason: string;
  /** Epoch seconds. */
  until: number;
  /** Seconds, 0 where the provider named them: the next one is twice as long. */
  pause_s: number;
}

export type CooldownStores = Pick<Stores, 'records' | 'clock' | 'log'>;

/** Cooldowns as one request knows them. */
export class Cooldowns {
  readonly #stores: CooldownStores;
  readonly #known: Map<string, CooldownDoc>;

  private constructor(stores: CooldownStores, stored: readonly CooldownDoc[]) {
    this.#stores = stores;
    this.#known = new Map(stored.map((cooldown) => [cooldown._key, cooldown]));
  }

  /** @throws Fault `store_unavailable` */
  static async read(stores: CooldownStores): Promise<Cooldowns> {
    return new Cooldowns(stores, await stores.records.find<CooldownDoc>(COOLDOWNS));
  }

  /** The cooldown of a model, while it lasts. */
  of(model: LlmIdentity): Cooldown | undefined {
    const cooldown = this.#known.get(keyOf(model));
    if (!cooldown || !isRunning(cooldown, this.#now())) return undefined;
    const { until, reason } = cooldown;
    return { until, reason };
  }

  /** Models in the order in which an alias asks them: those that cool down come last, the one that ends first before the others. */
  order<M extends LlmIdentity>(models: readonly M[]): M[] {
    const until = (model: M) => this.of(model)?.until ?? 0;
    return models.toSorted((a, b) => until(a) - until(b));
  }

  /** The cooldown that lasts longest among those of several models. */
  longestOf(models: readonly LlmIdentity[]): ModelCooldown | undefined {
    const running = models.flatMap((model) => {
      const cooldown = this.of(model);
      return cooldown ? [{ ...cooldown, model: `${model.connection_name}/${model.model}` }] : [];
    });
    return running.sort((a, b) => b.until - a.until)[0];
  }

  /** A call to the model failed. Never rejects. */
  async failed(model: LlmIdentity, { code, retryAfter }: OutboundError): Promise<void> {
    const isLimited = code === 'rate_limited' && retryAfter !== undefined;
    if ((!isLimited && !CODES.includes(code)) || this.of(model)) return;
    const _key = keyOf(model);
    const stands = { _key, connection: connectionOf(model), model: model.model, reason: code };
    try {
      const { records } = this.#stores;
      const before = await records.get<CooldownDoc>(COOLDOWNS, _key);
      const now = this.#now();
      const running = before && isRunning(before, now) ? before : undefined;
      const next = { ...stands, ...(isLimited ? waitOf(now, retryAfter) : pauseAfter(now, before)) };
      const cooldown: CooldownDoc = running ?? next;
      this.#known.set(_key, cooldown);
      if (running) return;
      // Several processes that saw the same failure write the same length.
      if (before && (await records.replace(COOLDOWNS, cooldown))) return;
      await records.insert(COOLDOWNS, cooldown);
      // Models that are gone, or that nobody asks any more, leave theirs behind.
      await records.removeWhere(COOLDOWNS, { until: { $lt: now - FORGOTTEN_S } });
    } catch (error) {
      this.#stores.log.warn('cooldown_not_written', { cause: errorName(error) });
    }
  }

  /** The model answered, which ends its cooldown for everybody. Never rejects. */
  async answered(model: LlmIdentity): Promise<void> {
    const key = keyOf(model);
    if (!this.#known.delete(key)) return;
    await this.#stores.records.remove(COOLDOWNS, key).catch(notEnded(this.#stores.log));
  }

  #now = (): number => this.#stores.clock.now() / 1000;
}

/** One beyond the longest was written by a member whose clock is ahead. */
const isRunning = ({ until }: CooldownDoc, now: number): boolean => until > now && until <= now + LONGEST_S;

/** Ends the cooldowns of models that a successful test was about, or that were removed. Never rejects. */
export async function endCooldowns(
  { records, log }: Pick<CooldownStores, 'records' | 'log'>,
  connection: string,
  models: readonly Pick<LlmIdentity, 'model'>[],
): Promise<void> {
  const ended = models.map(({ model }) => ({ model }));
  if (ended.length > 0) await records.removeWhere(COOLDOWNS, { connection, $or: ended }).catch(notEnded(log));
}

const notEnded = (log: CooldownStores['log']) => (error: unknown) =>
  log.warn('cooldown_not_ended', { cause: errorName(error) });

const waitOf = (now: number, retryAfter: number) => ({
  until: now + Math.min(retryAfter, LONGEST_WAIT_S),
  pause_s: 0,
});

function pauseAfter(now: number, before: CooldownDoc | undefined) {
  const isRecent = before !== undefined && now - before.until < FORGOTTEN_S;
  const pause_s = isRecent ? Math.min(Math.max(FIRST_S, 2 * before.pause_s), LONGEST_S) : FIRST_S;
  return { until: now + pause_s, pause_s };
}

const connectionOf = ({ service, connection_name }: LlmIdentity): string => llmConnectionKey(service, connection_name);

function keyOf(model: LlmIdentity): string {
  const { createHash } = process.getBuiltinModule('node:crypto');
  return createHash('sha256')
    .update(JSON.stringify([connectionOf(model), model.model]))
    .digest('hex');
}

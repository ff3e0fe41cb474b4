import type { Deadline } from '../../ports/platform/clock.ts';
import type { Doc } from '../../ports/stores/recordStore.ts';
import { type Lease, Leases } from '../locks/leases.ts';
import { RemoteClockWatch } from '../locks/remoteClocks.ts';
import { renewOnce } from '../locks/renewOnce.ts';
import { SecretKeeper } from '../secrets/secretKeeper.ts';
import { tokenEnd } from '../secrets/tokenExpiry.ts';
import type { SiteStores } from './sealedRecord.ts';

const COLLECTION = 'ml_platform_tokens';
const FAMILY = 'platform-tokens';
/** Servers that name a longer life are not believed. */
const LONGEST_LIFE_S = 24 * 3600;
/** How long a process uses a token of another host before it looks again. */
const RECHECK_MS = 60_000;
/** How long a secret may take from the member of a cluster that wrote it to this one. */
const REPLICATION_MS = 5000;
const PAUSE_MS = 100;

/** The stored document. */
interface TokenDoc extends Doc {
  holder: string;
  secret_ref: string;
  /** Clock domain of `issued_at`. */
  domain: string;
  /** By the monotonic clock of the domain, in milliseconds. */
  issued_at: number;
  /** Milliseconds after which the token is renewed. */
  use_ms: number;
}

export interface NewToken {
  token: string;
  /** Seconds, if its server says it. */
  life?: number | undefined;
}

export interface TokenSpec {
  /** Key of the stored document. */
  key: string;
  /** For whom it was issued: a stored token of another holder is replaced. */
  holder: string;
  /** @throws OutboundError */
  issue(): Promise<NewToken>;
  /** Seconds after which a token of unknown life is renewed. */
  unknownLife: number;
  /** Seconds for which a refused token is not renewed, since the service would refuse the next one as well. */
  spared: number;
  /** For messages. */
  label: string;
  /** Runs the writing of a renewed token. */
  recorded(write: () => Promise<void>): Promise<void>;
}

export interface KeptToken {
  token: string;
  /** Until when this process may use it without another look, by its monotonic clock. */
  until: number;
}

/**
 * A token that all processes share: kept in the secret store, renewed at 80 % of its life by one process at a time, while the
 * others wait and read the new one. The age of a token of another host is the time since this host first saw it, since the
 * clocks of two hosts may differ.
 */
export class SharedToken {
  readonly #stores: SiteStores;
  readonly #spec: TokenSpec;

  constructor(stores: SiteStores, spec: TokenSpec) {
    this.#stores = stores;
    this.#spec = spec;
  }

  /** @throws OutboundError; Fault `store_unavailable` */
  get(deadline: Deadline): Promise<KeptToken> {
    return this.#shared(undefined, deadline);
  }

  /** Undefined if there is no other token than the refused one. @throws OutboundError; Fault `store_unavailable` */
  async renewed(refused: string, deadline: Deadline): Promise<KeptToken | undefined> {
    const kept = await this.#shared(refused, deadline);
    return kept.token === refused ? undefined : kept;
  }

  /** Removes the token, if there is one. */
  static async drop(stores: SiteStores, key: string): Promise<void> {
    const doc = await stores.records.get<TokenDoc>(COLLECTION, key);
    if (!doc) return;
    const keeper = new SecretKeeper(FAMILY, COLLECTION, stores);
    const staged = await keeper.stageRemoval(doc.secret_ref);
    await stores.records.remove(COLLECTION, key, { secret_ref: doc.secret_ref });
    await keeper.commit(staged);
  }

  async #shared(refused: string | undefined, deadline: Deadline): Promise<KeptToken> {
    const { records, clock, newId } = this.#stores;
    const { key, label } = this.#spec;
    const usable = () => this.#usable(refused);
    return (
      (await usable()) ??
      (await renewOnce(new Leases(records, clock, newId), clock, {
        key: `refresh.${FAMILY}.${key}`,
        renew: async (lease) => (await usable()) ?? this.#renew(lease),
        renewed: async () => {
          const value = await usable();
          return value && { value };
        },
        deadline,
        lateText: `Another process is still renewing ${label}`,
      }))
    );
  }

  /** The stored token unless its time is over, or it is the refused one. */
  async #usable(refused: string | undefined): Promise<KeptToken | undefined> {
    const { secrets, clock } = this.#stores;
    const waitsUntil = clock.monotonic() + REPLICATION_MS;
    for (;;) {
      const doc = await this.#stored();
      if (!doc || (await this.#isOlder(doc, doc.use_ms))) return undefined;
      const text = await secrets.get(doc.secret_ref);
      if (text !== undefined) {
        const { token } = JSON.parse(text) as { token: string };
        const isSpared = token !== refused || !(await this.#isOlder(doc, 1000 * this.#spec.spared));
        return isSpared ? { token, until: this.#until(doc) } : undefined;
      }
      if (clock.monotonic() >= waitsUntil) return undefined;
      await clock.sleep(PAUSE_MS);
    }
  }

  /** A document that somebody has damaged counts as missing: the next renewal replaces it. */
  async #stored(): Promise<TokenDoc | undefined> {
    const doc = await this.#stores.records.get<TokenDoc>(COLLECTION, this.#spec.key);
    const isSound =
      doc && [doc.issued_at, doc.use_ms].every(Number.isFinite) && typeof doc.secret_ref === 'string' && doc.domain;
    return isSound && doc.holder === this.#spec.holder ? doc : undefined;
  }

  async #isOlder({ domain, issued_at }: TokenDoc, ms: number): Promise<boolean> {
    const { records, clock } = this.#stores;
    if (domain === clock.domain) return clock.monotonic() - issued_at >= ms;
    const watch = await RemoteClockWatch.read(records, clock);
    const isOlder = watch.isOverdue(`token ${this.#spec.key}`, `${domain} ${issued_at}`, ms);
    await watch.save();
    return isOlder;
  }

  #until({ domain, issued_at, use_ms }: TokenDoc): number {
    const { clock } = this.#stores;
    return domain === clock.domain ? issued_at + use_ms : clock.monotonic() + Math.min(use_ms, RECHECK_MS);
  }

  /** Seconds, of a token that says its end itself. */
  #ownLife(token: string): number {
    return (tokenEnd(token) ?? 0) - this.#stores.clock.now() / 1000;
  }

  async #renew(lease: Lease): Promise<KeptToken> {
    const { records, clock } = this.#stores;
    const { key, holder, issue, unknownLife, recorded } = this.#spec;
    const before = await records.get<TokenDoc>(COLLECTION, key);
    const issued_at = clock.monotonic();
    const { token, life = this.#ownLife(token) } = await issue();
    const use_ms = 1000 * (life > 0 ? 0.8 * Math.min(life, LONGEST_LIFE_S) : unknownLife);
    await recorded(async () => {
      const keeper = new SecretKeeper(FAMILY, COLLECTION, this.#stores);
      // After a failure its journal leads the next renewal to what was left.
      const staged = await keeper.stage({ token }, typeof before?.secret_ref === 'string' ? before.secret_ref : null);
      lease.assertHeld();
      const doc: TokenDoc = {
        _key: key,
        holder,
        secret_ref: staged.ref ?? '',
        domain: clock.domain,
        issued_at,
        use_ms,
      };
      const isStored = (await records.replace(COLLECTION, doc)) || (await records.insert(COLLECTION, doc));
      await (isStored ? keeper.commit(staged) : keeper.rollback(staged));
      keeper.sweepLater();
    });
    return { token, until: issued_at + use_ms };
  }
}

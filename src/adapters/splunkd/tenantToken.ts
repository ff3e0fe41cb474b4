import { type Lease, Leases } from '../../domain/locks/leases.ts';
import { renewOnce } from '../../domain/locks/renewOnce.ts';
import type { SiteStores } from '../../domain/records/sealedRecord.ts';
import { SecretKeeper } from '../../domain/secrets/secretKeeper.ts';
import { tokenEnd } from '../../domain/secrets/tokenExpiry.ts';
import type { Tenant } from '../../ports/llm/platformTenant.ts';
import type { Deadline } from '../../ports/platform/clock.ts';
import type { Doc } from '../../ports/stores/recordStore.ts';

const COLLECTION = 'ml_platform_tokens';
const FAMILY = 'platform-tokens';
/** The principal for which the token is issued. */
const KEY = 'slim';
const LEASE = `refresh.${FAMILY}.${KEY}`;
/** For tokens without a known life, which is about an hour. Splunk AI Toolkit renews them after 40 minutes, too. */
const UNKNOWN_LIFE_S = 40 * 60;
/** A service that refuses a token of this age would refuse the next one as well. */
const NEW_S = 30;
/** How long a secret may take from the member of a cluster that wrote it to this one. */
const REPLICATION_MS = 5000;
const PAUSE_MS = 100;

/** The stored document; times in epoch seconds. */
interface TokenDoc extends Doc, Tenant {
  secret_ref: string;
  obtained_at: number;
  renew_at: number;
}

export interface KeptToken extends Pick<TokenDoc, 'tenant' | 'host' | 'obtained_at' | 'renew_at'> {
  token: string;
}

/** The token of the tenant: kept in the secret store, renewed by one process at a time, while the others wait and read the new one. */
export class TenantToken {
  readonly #stores: SiteStores;
  readonly #memory: { token: KeptToken | undefined };
  readonly #issue: () => Promise<string>;

  /**
   * @param memory of this process
   * @param issue asks the platform for a new token. Throws OutboundError
   */
  constructor(stores: SiteStores, memory: { token: KeptToken | undefined }, issue: () => Promise<string>) {
    this.#stores = stores;
    this.#memory = memory;
    this.#issue = issue;
  }

  /** @throws OutboundError; Fault `store_unavailable` */
  async get(tenant: Tenant, deadline: Deadline): Promise<string> {
    const { token } = this.#memory;
    if (token && this.#isOf(token, tenant)) return token.token;
    return (await this.#shared(tenant, undefined, deadline)).token;
  }

  /** Undefined if the refused token is new. @throws OutboundError; Fault `store_unavailable` */
  async renewed(tenant: Tenant, refused: string, deadline: Deadline): Promise<string | undefined> {
    const kept = await this.#shared(tenant, refused, deadline);
    return kept.token === refused ? undefined : kept.token;
  }

  /** The token of all processes: another than the refused one, unless that one is new. */
  async #shared(tenant: Tenant, refused: string | undefined, deadline: Deadline): Promise<KeptToken> {
    const { records, clock, newId } = this.#stores;
    const usable = () => this.#usable(tenant, refused);
    const kept =
      (await usable()) ??
      (await renewOnce(new Leases(records, clock, newId), clock, {
        key: LEASE,
        renew: async (lease) => (await usable()) ?? this.#renew(tenant, lease),
        renewed: async () => {
          const value = await usable();
          return value && { value };
        },
        deadline,
        lateText: 'Another process is still renewing the token of the tenant',
      }));
    this.#memory.token = kept;
    return kept;
  }

  async #usable(tenant: Tenant, refused: string | undefined): Promise<KeptToken | undefined> {
    const kept = await this.#read(tenant);
    return kept && (kept.token !== refused || this.#now() - kept.obtained_at < NEW_S) ? kept : undefined;
  }

  /** The stored token unless its time is over. */
  async #read(tenant: Tenant): Promise<KeptToken | undefined> {
    const { secrets, clock } = this.#stores;
    const until = clock.monotonic() + REPLICATION_MS;
    for (;;) {
      const doc = await this.#stored();
      if (!doc || !this.#isOf(doc, tenant)) return undefined;
      const text = await secrets.get(doc.secret_ref);
      if (text !== undefined) return { ...doc, token: (JSON.parse(text) as { token: string }).token };
      if (clock.monotonic() >= until) return undefined;
      await clock.sleep(PAUSE_MS);
    }
  }

  /** A document that somebody has damaged counts as missing: the next renewal replaces it. */
  async #stored(): Promise<TokenDoc | undefined> {
    const doc = await this.#stores.records.get<TokenDoc>(COLLECTION, KEY);
    const isSound = doc && [doc.obtained_at, doc.renew_at].every(Number.isFinite) && typeof doc.secret_ref === 'string';
    return isSound ? doc : undefined;
  }

  async #renew({ tenant, host }: Tenant, lease: Lease): Promise<KeptToken> {
    const { records, log } = this.#stores;
    const before = await this.#stored();
    const token = await this.#issue();
    const obtained_at = this.#now();
    const life = (tokenEnd(token) ?? 0) - obtained_at;
    const renew_at = obtained_at + (life > 0 ? 0.8 * life : UNKNOWN_LIFE_S);
    const keeper = new SecretKeeper(FAMILY, COLLECTION, this.#stores);
    // After a failure its journal leads the next renewal to what was left.
    const staged = await keeper.stage({ token }, before?.secret_ref ?? null);
    lease.assertHeld();
    const doc: TokenDoc = { _key: KEY, tenant, host, secret_ref: staged.ref ?? '', obtained_at, renew_at };
    const isStored = (await records.replace(COLLECTION, doc)) || (await records.insert(COLLECTION, doc));
    await (isStored ? keeper.commit(staged) : keeper.rollback(staged));
    keeper.sweepLater();
    log.info('tenant_token_renewed', { tenant });
    return { tenant, host, token, obtained_at, renew_at };
  }

  #isOf(kept: Pick<KeptToken, 'tenant' | 'host' | 'renew_at'>, { tenant, host }: Tenant): boolean {
    return kept.tenant === tenant && kept.host === host && this.#now() < kept.renew_at;
  }

  /** Epoch seconds. */
  #now = (): number => this.#stores.clock.now() / 1000;
}

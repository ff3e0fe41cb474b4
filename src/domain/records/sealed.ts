import { Fault } from '../../contract/codes/faults.ts';
import type { FindOptions } from '../../ports/stores/recordStore.ts';
import { type Lease, Leases, WRITE_LEASE_MS, writeLeaseKey } from '../locks/leases.ts';
import { assertStaysBound } from '../secrets/binding.ts';
import { SecretKeeper, type StagedSecret } from '../secrets/secretKeeper.ts';
import {
  decideSecrets,
  type SecretChange,
  type SecretDecision,
  type Secrets,
  type SubmittedSecrets,
  secretsAfter,
} from '../secrets/secrets.ts';
import { isSameValue } from '../values/json.ts';
import { auditDiff } from './auditDiff.ts';
import type { Amendment, Change, Guard, Open, Plan, SealedDoc, SealSpec, Stores, Update } from './sealedRecord.ts';
import { createdBy, mergeWithin, SecretsLost, UnsealedRecord, updatedRecord } from './sealedRecord.ts';

/** How long a secret may take from the member of a cluster that wrote it to this one. */
const REPLICATION_MS = 5000;

/** The one place that sees records and their secrets together: writes both so that a crash leaves either state whole. */
export class SealedRecords<R extends SealedDoc> {
  readonly spec: SealSpec<R>;
  readonly #stores: Stores;
  readonly #leases: Leases;
  readonly #keeper: SecretKeeper;

  constructor(spec: SealSpec<R>, stores: Stores) {
    this.spec = spec;
    this.#stores = stores;
    this.#leases = new Leases(stores.records, stores.clock, stores.newId);
    this.#keeper = new SecretKeeper(spec.family, spec.collection, stores);
  }

  notFound = (): Fault => new Fault('not_found', `There is no such ${this.spec.label}, or you may not read it`);
  nameTaken = (): Fault => new Fault('duplicate_name', `The name is already taken by another ${this.spec.label}`);
  async find(options?: FindOptions): Promise<R[]> {
    return this.#stores.records.find<R>(this.spec.collection, options);
  }

  /** @throws Fault `not_found` */
  async get(key: string): Promise<R> {
    const record = await this.#stores.records.get<R>(this.spec.collection, key);
    if (!record) throw this.notFound();
    return record;
  }

  /**
   * The record with its secrets in the clear. When its secrets have just been replaced the record is read again, and it is
   * the newer one that comes back: only its addresses may be used.
   * @param guard looks at a record that was read again as the caller looked at the first
   * @throws Fault `not_found`; SecretsLost
   */
  async unseal(record: R, guard: Guard<R> = () => {}, patienceMs = REPLICATION_MS): Promise<UnsealedRecord<R>> {
    const { secrets, clock } = this.#stores;
    const until = clock.monotonic() + patienceMs;
    for (let now = record, pause = 20; ; pause = Math.min(pause * 2, 500)) {
      if (now.secret_ref === null) return new UnsealedRecord(now, {});
      const text = await secrets.get(now.secret_ref);
      if (text !== undefined) return new UnsealedRecord(now, JSON.parse(text) as Secrets);
      const earlier = now.secret_ref;
      now = await this.get(record._key);
      guard(now);
      if (now.secret_ref !== earlier) continue;
      // Records are one store for all members of a cluster, secrets are copied from one to the other.
      if (clock.monotonic() >= until) throw new SecretsLost(this.spec.label);
      await clock.sleep(pause);
    }
  }

  /** @throws Fault `duplicate_name`, `masked_value_without_stored_secret` */
  async create(open: Open<R>, submitted: SubmittedSecrets, actor: string): Promise<R> {
    const { set } = decideSecrets(submitted, [], this.spec.fieldOf);
    // Looked at first so that a taken name costs no secret; the insert decides.
    if (await this.#stores.records.get(this.spec.collection, open._key)) throw this.nameTaken();
    const staged = await this.#keeper.stage(set, null);
    if (!this.#keeper.isFresh(staged)) {
      await this.#keeper.rollback(staged);
      throw new Fault('store_unavailable', 'The stores were too slow; nothing was created');
    }
    const doc = { ...open, ...createdBy(actor, this.#now()), ...referenceTo(staged) } as unknown as R;
    if (!(await this.#stores.records.insert(this.spec.collection, doc))) {
      await this.#keeper.rollback(staged);
      throw this.nameTaken();
    }
    this.#audit(undefined, doc, { keep: [], set });
    await this.#keeper.commit(staged);
    this.#keeper.sweepLater();
    return doc;
  }

  /**
   * Reads, changes and writes the record. @throws Fault `not_found`, `version_conflict`, `secret_required_for_new_host`,
   * `masked_value_without_stored_secret`
   */
  async update(key: string, update: Update<R>): Promise<R> {
    return this.apply(await this.plan(update.seen ?? (await this.get(key)), update), update);
  }

  /** Merges and checks a change. Nothing is written. @throws Fault as `update` */
  async plan(record: R, change: Change<R>): Promise<Plan<R>> {
    change.guard?.(record);
    this.assertVersion(record, change.condition);
    const decision = this.decideSecrets(change.submitted, record.secret_fields);
    const next = await change.next(record, decision);
    await change.assertUnused?.(record, next);
    assertStaysBound(this.spec, decision, record, next);
    return { record, change, next, decision };
  }

  /**
   * Writes a plan under the record's lease. It is made again only if the record is no longer the one it was made for. A plan
   * comes before the lease, so a caller who may not write cannot hold up those who may. @throws Fault as `update`
   */
  async apply(plan: Plan<R>, { actor, discovered }: Pick<Update<R>, 'actor' | 'discovered'>): Promise<R> {
    const early = await this.#stageEarly(plan);
    let late: StagedSecret | undefined;
    try {
      const written = await this.#exclusive(plan.record._key, async (lease) => {
        const record = await this.get(plan.record._key);
        const { next, decision } = await this.#planFor(record, plan);
        if (decision.changes) {
          const stillFits = early && record.secret_ref === plan.record.secret_ref;
          late = stillFits ? early : await this.#stageNow(record, await this.#resolve(record, decision));
        }
        const changed = updatedRecord(record, { ...next, ...discovered?.(next) }, actor, this.#now());
        const stored = await this.#replace(lease, { ...changed, ...(late && referenceTo(late)) }, late);
        this.#audit(record, stored, decision);
        return stored;
      });
      if (late) await this.#keeper.commit(late);
      return written;
    } finally {
      if (early && late !== early) await this.#keeper.rollback(early);
      this.#keeper.sweepLater();
    }
  }

  /** Tests and token refreshes change a record without a new version, so all of it is compared. */
  async #planFor(record: R, plan: Plan<R>): Promise<Plan<R>> {
    if (!isSameValue(record, plan.record)) return this.plan(record, plan.change);
    await plan.change.assertUnused?.(record, plan.next);
    return plan;
  }

  /**
   * Writes new secrets before the lease is taken: many of them take longer than it lasts. They fit as long as nobody else
   * has changed the record's secrets by then.
   */
  async #stageEarly({ record, decision, secrets }: Plan<R>): Promise<StagedSecret | undefined> {
    if (!decision.changes) return undefined;
    const merged = secrets ? mergeWithin(this.spec, decision, secrets) : await this.#resolve(record, decision);
    return merged && this.#keeper.stage(merged, record.secret_ref);
  }

  /**
   * Stores what the server itself learned (a test's outcome, a refreshed token): leaves `version` and `last_updated_*` alone.
   * A record that is gone is not an error. Undefined from `patch` = nothing to write.
   */
  async amend(key: string, patch: (record: R) => Promise<Amendment<R> | undefined>): Promise<R | undefined> {
    let staged: StagedSecret | undefined;
    try {
      const written = await this.#exclusive(key, async (lease) => {
        const record = await this.#stores.records.get<R>(this.spec.collection, key);
        const amendment = record && (await patch(record));
        if (!record || !amendment) return record;
        const next: R = { ...record, ...amendment.open };
        if (!amendment.secrets) return this.#replace(lease, next);
        const stored = await this.#secretsOf(record);
        staged = await this.#stageNow(record, stored && { ...stored, ...amendment.secrets });
        return this.#replace(lease, { ...next, ...referenceTo(staged) }, staged);
      });
      if (staged) await this.#keeper.commit(staged);
      return written;
    } finally {
      this.#keeper.sweepLater();
    }
  }

  /** The record that `create` would store. Nothing is written. @throws Fault as `create` */
  async draftCreate(open: Open<R>, submitted: SubmittedSecrets, actor: string): Promise<R> {
    const { set } = decideSecrets(submitted, [], this.spec.fieldOf);
    if (await this.#stores.records.get(this.spec.collection, open._key)) throw this.nameTaken();
    const secrets = { secret_ref: null, secret_fields: Object.keys(set) };
    return { ...open, ...createdBy(actor, this.#now()), ...secrets } as unknown as R;
  }

  /** The record that `apply` would store. Nothing is written, and no secret is read. */
  draftOf({ record, next, decision }: Plan<R>, actor: string): R {
    return { ...updatedRecord(record, next, actor, this.#now()), secret_fields: secretsAfter(decision) };
  }

  /**
   * The record as it would be after a change, with the secrets that it would have: for a test that saves nothing.
   * @throws Fault as `update`
   */
  async preview(plan: Plan<R>): Promise<UnsealedRecord<Open<R>>> {
    const { record, change, next, decision } = plan;
    if (decision.keep.length === 0) return new UnsealedRecord(next, decision.set);
    const stored = await this.unseal(record, change.guard);
    const last = stored.record === record ? plan : await this.plan(stored.record, change);
    last.secrets = stored.secrets;
    return new UnsealedRecord(last.next, mergeWithin(this.spec, last.decision, stored.secrets));
  }

  /** @throws Fault `not_found`, `version_conflict` */
  async remove(
    key: string,
    options: { condition: number | undefined; guard(record: R): void | Promise<void> },
  ): Promise<R> {
    await options.guard(await this.get(key));
    let staged: StagedSecret | undefined;
    try {
      const removed = await this.#exclusive(key, async (lease) => {
        const record = await this.get(key);
        await options.guard(record);
        this.assertVersion(record, options.condition);
        staged = await this.#keeper.stageRemoval(record.secret_ref);
        lease.assertHeld();
        const { collection } = this.spec;
        // The store itself asks for this very version of this very record: what somebody has written since then stays.
        const { version, created_at } = record;
        await this.#stores.records.remove(collection, key, { version, created_at });
        if (!lease.isHeld() && (await this.#stores.records.get(collection, key))) throw this.#overtaken();
        this.#audit(record, undefined, { keep: [], set: {} });
        return record;
      });
      if (staged) await this.#keeper.commit(staged);
      return removed;
    } finally {
      this.#keeper.sweepLater();
    }
  }

  /** @throws Fault `version_conflict` */
  assertVersion(record: R, condition: number | undefined): void {
    if (condition === undefined || condition === record.version) return;
    throw new Fault('version_conflict', `The record has version ${record.version}, not ${condition}: read it again`, {
      current_version: record.version,
    });
  }

  /** Under the lease: a record that has other secrets by now was changed by somebody who took the lease for over. */
  #stageNow(record: R, secrets: Secrets | undefined): Promise<StagedSecret> {
    if (!secrets) throw this.#overtaken();
    return this.#keeper.stage(secrets, record.secret_ref);
  }

  /** Undefined when the record has other secrets by now. */
  async #resolve(record: R, decision: SecretDecision): Promise<Secrets | undefined> {
    const stored = decision.keep.length > 0 ? await this.#secretsOf(record) : {};
    return stored && mergeWithin(this.spec, decision, stored);
  }

  /** The secrets of this very record; undefined when it has others by now. */
  async #secretsOf(record: R): Promise<Readonly<Secrets> | undefined> {
    const { record: now, secrets } = await this.unseal(record);
    return now.secret_ref === record.secret_ref ? secrets : undefined;
  }

  /** Decides what a write changes in the stored secrets. @throws Fault `masked_value_without_stored_secret` */
  decideSecrets(input: SubmittedSecrets, stored: readonly string[]): SecretChange {
    const submitted = this.spec.fit?.(input, stored) ?? input;
    return { submitted, ...decideSecrets(submitted, stored, this.spec.fieldOf) };
  }

  #now = () => this.#stores.clock.now() / 1000;

  /** Tells the audit trail of a change that was made. */
  #audit(before: R | undefined, after: R | undefined, decision: Pick<SecretDecision, 'keep' | 'set'>): void {
    this.#stores.audit.recordChange(auditDiff(this.spec, before, after, decision));
  }

  /** This process paused during a write, so another one may have taken the lease. */
  #overtaken(): Fault {
    this.#stores.log.warn('late_write', { family: this.spec.family });
    return new Fault('store_unavailable', 'The write timed out; the record may have changed. Read it again and retry.');
  }

  #exclusive<T>(key: string, work: (lease: Lease) => Promise<T>): Promise<T> {
    return this.#leases.hold(writeLeaseKey(this.spec.family, key), WRITE_LEASE_MS, work);
  }

  async #replace(lease: Lease, record: R, staged?: StagedSecret): Promise<R> {
    const assertInTime = () => {
      lease.assertHeld();
      if (staged && !this.#keeper.isFresh(staged))
        throw new Fault('store_unavailable', 'The stores were too slow for this change; nothing was changed');
    };
    assertInTime();
    // Asked once more when the connection is open and only the sending is left.
    if (!(await this.#stores.records.replace(this.spec.collection, record, assertInTime))) throw this.notFound();
    if (!lease.isHeld() && !(await lease.isStillOurs())) throw this.#overtaken();
    return record;
  }
}

const referenceTo = ({ ref, fields }: StagedSecret) => ({ secret_ref: ref, secret_fields: fields });

import type { Caller } from '../contract/caller.ts';
import { invalid } from '../contract/codes/faults.ts';
import type { LastTest, Pagination } from '../contract/schemas/common.ts';
import type { ListQueryValues } from '../domain/lists/lists.ts';
import { trimPastedSecret } from '../domain/net/headerValues.ts';
import { lastTest } from '../domain/records/lastTest.ts';
import { type Change, metadataOf, type Open, type Stores, Unsealed } from '../domain/records/sealedRecord.ts';
import { maskSecrets, type SecretChange, type SubmittedSecrets, splitSecrets } from '../domain/secrets/secrets.ts';
import type { Query } from '../ports/stores/recordStore.ts';
import { accessOf } from './access.ts';
import type { Own, ResourceKind, Shown } from './kind.ts';
import { assertUnchanged, type Resource, ResourceRecords } from './records.ts';
import { Target } from './target.ts';

/** A body that was read, with its secrets separated from the rest. */
export interface Sent<F> {
  open: F;
  given: SubmittedSecrets;
}

/** A body, and the record that it would make. */
export interface Draft<R extends Resource, F> {
  sent: Sent<F>;
  target: Target<R>;
}

/** What a test of a record has taught, fit to be saved with it. */
export interface Learned<R extends Resource> {
  last_test?: LastTest | undefined;
  /** Fields that only the server writes. @param own the record as it will be otherwise */
  learned?: ((own: Own<R>) => Partial<Own<R>>) | undefined;
}

/** How an update or a removal is made. */
export interface Terms {
  /** The version that the caller saw. */
  condition: number | undefined;
  /** Done although something still uses the record. */
  force?: boolean | undefined;
}

/** With what a test of the change has taught, which is saved together with it. */
export interface UpdateTerms<R extends Resource> extends Terms, Learned<R> {
  /** The record, where it was read already: what can be refused before the lease is taken is judged by this one. */
  seen?: R;
  /** The record on which the change was tested: it is made on this one or not at all. */
  tested?: R;
  /** Takes what is worth saying about the change as it was made. */
  warnings?: string[];
}

/** What the kernel keeps of a record, beside who may read and write it. */
interface Kept {
  _key: string;
  last_test?: LastTest | undefined;
}

/** The records of one kind, as callers read, write and test them. */
export class Resources<R extends Resource, F extends object, V extends Shown> extends ResourceRecords<R> {
  readonly kind: ResourceKind<R, F, V>;
  readonly #secretPaths: readonly string[];

  /** @param secretPaths of the secrets that the family's schema marks */
  constructor(kind: ResourceKind<R, F, V>, stores: Stores, secretPaths: readonly string[]) {
    const audited = (record: R) => ({ ...kind.view(record, 0), ...accessOf(kind.access, record) });
    super({ audited, ...kind }, kind.access, stores);
    this.kind = kind;
    this.#secretPaths = secretPaths;
  }

  /** Secrets lose the white space that pasting leaves around them. @throws Fault `validation_failed` */
  parse(body: F): Sent<F> {
    this.kind.assertReadable?.(body);
    const { open, submitted: given } = splitSecrets(body, this.#secretPaths);
    const clean = Object.entries(given).map(([path, value]) => [path, value === null ? null : trimPastedSecret(value)]);
    return { open, given: Object.fromEntries(clean) };
  }

  /** @throws Fault `validation_failed` with every problem, `masked_value_without_stored_secret` */
  async draft(sent: Sent<F>): Promise<Draft<R, F>> {
    const secrets = this.sealed.decided(sent.given, []);
    const warnings: string[] = [];
    const whole = await this.#whole(undefined, sent.open, secrets, warnings);
    const record = this.#settled(whole, undefined, secrets);
    return { sent, target: Target.sent<R>(new Unsealed(record, secrets.set), warnings) };
  }

  /** What a create is refused for whatever its record holds. @throws Fault `acl_denied`, `duplicate_name` */
  async assertMayCreate(caller: Caller, key: string, open: F): Promise<void> {
    this.kind.access.after(caller, undefined, open);
    if (await this.stores.records.get(this.kind.collection, key)) throw this.sealed.taken();
  }

  /** @throws Fault `acl_denied`, `duplicate_name` */
  async create(
    caller: Caller,
    key: string,
    { sent: { open, given }, target }: Draft<R, F>,
    { last_test, learned }: Learned<R> = {},
  ): Promise<R> {
    const secrets = this.sealed.decided(given, []);
    const access = this.kind.access.after(caller, undefined, open);
    const own = { ...target.record, ...learned?.(target.record) };
    return this.sealed.create(this.#open({ _key: key, last_test }, access, own), secrets.submitted, caller.user);
  }

  /** The record that a create would store, as a read shows it. Nothing is written. @throws Fault as `draft` and `create` */
  async draftCreate(caller: Caller, key: string, sent: Sent<F>, warnings: string[] = []): Promise<V> {
    const { target } = await this.draft(sent);
    warnings.push(...target.warnings);
    const access = this.kind.access.after(caller, undefined, sent.open);
    const open = this.#open({ _key: key }, access, target.record);
    return this.view(await this.sealed.draftCreate(open, this.sealed.decided(sent.given, []).submitted, caller.user));
  }

  /**
   * The record that an update is about, once nothing is left that refuses the update whatever it changes.
   * @throws Fault `not_found`, `acl_denied`, `version_conflict`
   */
  async assertMayUpdate(caller: Caller, key: string, open: F, condition: number | undefined): Promise<R> {
    const seen = await this.get(caller, key, 'write');
    this.kind.access.after(caller, seen, open);
    this.sealed.assertVersion(seen, condition);
    return seen;
  }

  /**
   * Every decision is made on the record that is read under its lease.
   * @throws Fault `not_found`, `acl_denied`, `version_conflict`, `validation_failed`, `in_use` and the faults of secrets
   */
  async update(caller: Caller, key: string, sent: Sent<F>, terms: UpdateTerms<R>): Promise<R> {
    const warnings: string[] = [];
    const updated = await this.sealed.update(key, this.#change(caller, key, sent, terms, warnings));
    terms.warnings?.push(...warnings);
    return updated;
  }

  /** The record that an update would store, as a read shows it. Nothing is written, and no secret is read. @throws Fault as `update` */
  async draftUpdate(caller: Caller, key: string, sent: Sent<F>, terms: UpdateTerms<R>): Promise<V> {
    const warnings: string[] = [];
    const change = this.#change(caller, key, sent, terms, warnings);
    const record = await this.sealed.draftUpdate(await this.sealed.get(key), change);
    terms.warnings?.push(...warnings);
    return this.view(record);
  }

  /** @param warnings takes those of the last record that the change was made of */
  #change(
    caller: Caller,
    key: string,
    { open, given }: Sent<F>,
    { condition, seen, tested, force, last_test, learned }: UpdateTerms<R>,
    warnings: string[],
  ): Change<R> {
    return {
      actor: caller.user,
      condition,
      given,
      seen,
      guard: (record) => {
        this.assertMay(caller, 'write', record);
        if (tested) assertUnchanged(record, tested);
      },
      next: async (record, secrets) => {
        warnings.length = 0;
        const own = this.#settled(await this.#whole(record, open, secrets, warnings, force), record, secrets);
        const access = this.kind.access.after(caller, record, open);
        const kept = { _key: key, last_test: last_test ?? record.last_test };
        return this.#open(kept, access, { ...own, ...learned?.(own) });
      },
    };
  }

  /**
   * What an update would make of a record that the caller may write. Nothing is written.
   * @param guard looks at a record that was read again as the caller looked at the first
   * @throws Fault `validation_failed`, `in_use` and the faults of secrets
   */
  async preview(record: R, { open, given }: Sent<F>, guard: (record: R) => void, force?: boolean): Promise<Target<R>> {
    let warnings: string[] = [];
    const change = async (now: R, secrets: SecretChange) => {
      warnings = [];
      const own = await this.#whole(now, open, secrets, warnings, force);
      return this.#open(now, accessOf(this.kind.access, now), this.#settled(own, now, secrets));
    };
    return Target.sent<R>(await this.sealed.preview(record, change, given, guard), warnings);
  }

  /**
   * The target of a test. The name alone means the saved record; sent fields are tested as sent, with masked and absent secrets
   * from the record of that name where there is one that the caller may write.
   * @param key undefined where no record is named
   * @throws Fault `not_found`, `acl_denied`, `validation_failed` and the faults of secrets
   */
  async target(caller: Caller, key: string | undefined, body: F): Promise<Target<R>> {
    if (key !== undefined && this.kind.gives?.(body) === false) {
      const whole = await this.unsealed(caller, key);
      this.#assertNotContradicted(whole.record, body);
      return Target.saved(whole);
    }
    const sent = this.parse(body);
    const missing = this.kind.missing?.(body) ?? [];
    const lender = key === undefined ? undefined : await this.lender(caller, key, missing.length === 0);
    if (lender) {
      this.#assertNotContradicted(lender, body);
      return this.preview(lender, sent, (now) => this.assertMay(caller, 'write', now));
    }
    if (missing.length > 0) throw invalid(missing);
    return (await this.draft(sent)).target;
  }

  /** Keeps the outcome of a test on the record that was tested as it is. @param learned what else the test has taught */
  async recordTest(
    { saved }: Target<R>,
    elapsedMs: number,
    error: { code: string } | undefined,
    learned: (record: R) => Partial<Open<R>> = () => ({}),
  ): Promise<void> {
    if (saved) await this.keepTest(saved._key, elapsedMs, error, learned);
  }

  /** Keeps what a test has found, and what else it has taught. A record that is gone is not an error. */
  async keepTest(
    key: string,
    elapsedMs: number,
    error: { code: string } | undefined,
    learned: (record: R) => Partial<Open<R>> = () => ({}),
  ): Promise<void> {
    const last_test = lastTest(this.now(), elapsedMs, error);
    await this.sealed.amend(key, async (record) => ({ open: { ...learned(record), last_test } }));
  }

  /** @throws Fault `not_found`, `acl_denied`, `version_conflict`, `in_use` unless forced */
  async remove(caller: Caller, key: string, { condition, force = false }: Terms): Promise<R> {
    return this.sealed.remove(key, {
      condition,
      guard: async (record) => {
        this.assertMay(caller, 'write', record);
        if (!force) await this.kind.assertUnused?.(this.stores.records, caller, record);
      },
    });
  }

  /** @throws Fault `not_found` */
  async show(caller: Caller, key: string): Promise<V> {
    return this.view(await this.get(caller, key));
  }

  /** @param about the records that it is about, all unless given */
  async list(caller: Caller, query: ListQueryValues, about?: Query): Promise<{ result: V[]; pagination: Pagination }> {
    const { derived, nameField } = this.kind;
    const { records, pagination } = await this.page(caller, query, { nameField, derived, about });
    return { result: records.map((record) => this.view(record)), pagination };
  }

  /** The record as a reply shows it: secrets masked, inner fields left out. */
  view(record: R): V {
    const { last_test, secret_fields } = record;
    const own = { ...this.kind.view(record, this.now()), ...accessOf(this.kind.access, record) };
    const whole = { ...own, ...metadataOf(record), ...(last_test ? { last_test } : {}) };
    return maskSecrets(whole as unknown as V, secret_fields, this.kind.keysOf);
  }

  async #whole(
    base: R | undefined,
    open: F,
    secrets: SecretChange,
    warnings: string[],
    isForced = false,
  ): Promise<Own<R>> {
    const next = this.kind.merge(base, open, { secrets, now: this.now(), warnings });
    const problems = await this.kind.problems(next, secrets, warnings);
    if (problems.length > 0) throw invalid(problems);
    if (base) await this.kind.assertMayMove?.(this.stores.records, base, next, { isForced, warnings });
    return next;
  }

  #settled(next: Own<R>, before: R | undefined, secrets: SecretChange): Own<R> {
    return this.kind.settle?.(next, before, secrets, this.now()) ?? next;
  }

  /** A field of the former record that the family has left out is gone. */
  #open({ _key, last_test }: Kept, access: object, own: Own<R>): Open<R> {
    return { ...own, _key, ...access, ...(last_test ? { last_test } : {}) } as unknown as Open<R>;
  }

  #assertNotContradicted(record: R, body: F): void {
    const problems = this.kind.contradictions?.(record, body) ?? [];
    if (problems.length > 0) throw invalid(problems);
  }
}

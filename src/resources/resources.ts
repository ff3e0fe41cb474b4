import type { Caller } from '../contract/caller.ts';
import type { Pagination } from '../contract/common.ts';
import { invalid } from '../contract/faults.ts';
import { changedAcl, newAcl } from '../domain/acl.ts';
import { pasted } from '../domain/headerValues.ts';
import type { ListQueryValues } from '../domain/lists.ts';
import type { Open, Stores } from '../domain/sealed.ts';
import { type GivenSecrets, type SecretChange, splitSecrets } from '../domain/secrets.ts';
import { Unsealed } from '../domain/unsealed.ts';
import type { Fields, Own, Resource, ResourceKind, Shown } from './kind.ts';
import { OwnedRecords } from './owned.ts';
import { Target } from './target.ts';

/** A body that was read, with its secrets separated from the rest. */
export interface Sent<F> {
  open: F;
  given: GivenSecrets;
}

/** A body that makes a complete record by itself. */
export interface Draft<R extends Resource, F> {
  open: F;
  secrets: SecretChange;
  target: Target<R>;
}

/** The records of one kind, as callers read, write and test them. */
export class Resources<R extends Resource, F extends Fields, V extends Shown> extends OwnedRecords<R> {
  readonly kind: ResourceKind<R, F, V>;
  readonly #secretPaths: readonly string[];

  /** @param secretPaths of the secrets that the family's schema marks */
  constructor(kind: ResourceKind<R, F, V>, stores: Stores, secretPaths: readonly string[]) {
    super(kind, stores);
    this.kind = kind;
    this.#secretPaths = secretPaths;
  }

  /** Secrets lose the white space that pasting leaves around them. @throws Fault `validation_failed` */
  parse(body: F): Sent<F> {
    this.kind.assertReadable?.(body);
    const { open, given } = splitSecrets(body, this.#secretPaths);
    const clean = Object.entries(given).map(([path, value]) => [path, value === null ? null : pasted(value)]);
    return { open, given: Object.fromEntries(clean) };
  }

  /** @throws Fault `validation_failed` with every problem, `masked_value_without_stored_secret` */
  draft({ open, given }: Sent<F>): Draft<R, F> {
    const secrets = this.sealed.decided(given, []);
    const warnings: string[] = [];
    const record = this.#whole(undefined, open, secrets, warnings);
    return { open, secrets, target: Target.sent<R>(new Unsealed(record, secrets.set), warnings) };
  }

  /** @throws Fault `acl_denied`, `duplicate_name` */
  async create(caller: Caller, key: string, { open, secrets, target }: Draft<R, F>): Promise<R> {
    const own = this.#settled(target.record, undefined, secrets);
    const record = { ...own, _key: key, acl: newAcl(caller, open.acl) };
    return this.sealed.create(record as unknown as Open<R>, secrets.given, caller.user);
  }

  /**
   * Every decision is made on the record that is read under its lease.
   * @param seen the record, where it was read already: what can be refused before the lease is taken is judged by this one
   * @throws Fault `not_found`, `acl_denied`, `version_conflict`, `validation_failed` and the faults of secrets
   */
  async update(
    caller: Caller,
    key: string,
    { open, given }: Sent<F>,
    condition: number | undefined,
    seen?: R,
  ): Promise<R> {
    return this.sealed.update(key, {
      actor: caller.user,
      condition,
      given,
      seen,
      guard: (record) => this.assertMay(caller, 'write', record),
      next: (record, secrets) => {
        const own = this.#whole(record, open, secrets, []);
        const acl = changedAcl(caller, record.acl, open.acl);
        return this.#open({ ...record, acl }, this.#settled(own, record, secrets));
      },
    });
  }

  /**
   * What an update would make of a record that the caller may write. Nothing is written.
   * @throws Fault `validation_failed` and the faults of secrets
   */
  async preview(caller: Caller, record: R, { open, given }: Sent<F>): Promise<Target<R>> {
    let warnings: string[] = [];
    const change = (now: R, secrets: SecretChange) => {
      warnings = [];
      return this.#open(now, this.#whole(now, open, secrets, warnings));
    };
    const mayWrite = (now: R) => this.assertMay(caller, 'write', now);
    return Target.sent<R>(await this.sealed.preview(record, change, given, mayWrite), warnings);
  }

  /**
   * The target of a test. The name alone means the saved record; sent fields are tested as sent, with masked and absent secrets
   * from the record of that name where there is one that the caller may write.
   * @param key undefined where no record is named
   * @throws Fault `not_found`, `acl_denied`, `validation_failed` and the faults of secrets
   */
  async target(caller: Caller, key: string | undefined, body: F): Promise<Target<R>> {
    if (key !== undefined && !this.kind.gives(body)) {
      const whole = await this.unsealed(caller, key);
      this.#assertNotContradicted(whole.record, body);
      return Target.saved(whole);
    }
    const sent = this.parse(body);
    const missing = this.kind.missing(body);
    const lender = key === undefined ? undefined : await this.lender(caller, key, missing.length === 0);
    if (lender) {
      this.#assertNotContradicted(lender, body);
      return this.preview(caller, lender, sent);
    }
    if (missing.length > 0) throw invalid(missing);
    return this.draft(sent).target;
  }

  /** Keeps the outcome of a test on the record that was tested as it is. @param learned what else the test has taught */
  async recordTest(
    { saved }: Target<R>,
    elapsedMs: number,
    error: { code: string } | undefined,
    learned: (record: R) => Partial<Open<R>> = () => ({}),
  ): Promise<void> {
    if (!saved) return;
    await this.keepTest(saved._key, elapsedMs, error, learned);
  }

  /** @throws Fault `not_found`, `acl_denied`, `version_conflict`, `in_use` unless forced */
  async remove(
    caller: Caller,
    key: string,
    { condition, force = false }: { condition: number | undefined; force?: boolean | undefined },
  ): Promise<R> {
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

  async list(caller: Caller, query: ListQueryValues): Promise<{ result: V[]; pagination: Pagination }> {
    const { derived, sortKeys } = this.kind;
    const more = derived && { fields: derived.fields, of: (record: R) => derived.of(record, this.now()) };
    const { records, pagination } = await this.page(caller, query, sortKeys, more);
    return { result: records.map((record) => this.view(record)), pagination };
  }

  /** The record as a reply shows it: secrets masked, inner fields left out. */
  view(record: R): V {
    return this.shown<V>({ ...this.kind.view(record, this.now()), acl: record.acl }, record);
  }

  #whole(base: R | undefined, open: F, secrets: SecretChange, warnings: string[]): Own<R> {
    const next = this.kind.merge(base, open);
    const problems = this.kind.problems(next, secrets, warnings);
    if (problems.length > 0) throw invalid(problems);
    return next;
  }

  #settled(next: Own<R>, before: R | undefined, secrets: SecretChange): Own<R> {
    return this.kind.settle?.(next, before, secrets, this.now()) ?? next;
  }

  /** What the kernel keeps of the former record; a field that the family has left out is gone. */
  #open({ _key, acl, last_test }: Pick<R, '_key' | 'acl' | 'last_test'>, own: Own<R>): Open<R> {
    return { ...own, _key, acl, ...(last_test ? { last_test } : {}) } as unknown as Open<R>;
  }

  #assertNotContradicted(record: R, body: F): void {
    const problems = this.kind.contradictions?.(record, body) ?? [];
    if (problems.length > 0) throw invalid(problems);
  }
}

import type { Caller } from '../contract/caller.ts';
import { invalid } from '../contract/codes/faults.ts';
import type { RecordPlan } from '../contract/rows/recordPlan.ts';
import type { LastTest, Pagination } from '../contract/schemas/common.ts';
import type { ListQueryValues } from '../domain/lists/lists.ts';
import { trimPastedSecret } from '../domain/net/headerValues.ts';
import { lastTest } from '../domain/records/lastTest.ts';
import { type Change, metadataOf, type Open, type Stores, UnsealedRecord } from '../domain/records/sealedRecord.ts';
import { maskSecrets, type SecretChange, splitSecrets } from '../domain/secrets/secrets.ts';
import { withoutUndefined } from '../domain/values/json.ts';
import type { Query } from '../ports/stores/recordStore.ts';
import { accessOf } from './access.ts';
import { assertValid } from './checks.ts';
import type { FamilyFields, MergeContext, ReplyFields, ResourceKind } from './kind.ts';
import { mergePlanned, viewPlanned } from './record/planned.ts';
import { assertUnchanged, type Resource, ResourceRecords } from './records.ts';
import { Target } from './target.ts';
import type { ParsedBody, PlannedUpdate, RecordDraft, Terms, TestResult, UpdateTerms } from './updates.ts';

interface CommonFields {
  _key: string;
  last_test?: LastTest | undefined;
}

/** Reads, writes and tests the records of one kind. */
export class Resources<R extends Resource, F extends object, V extends ReplyFields> extends ResourceRecords<R> {
  readonly kind: ResourceKind<R, F, V>;
  readonly #plan: RecordPlan;

  constructor(kind: ResourceKind<R, F, V>, stores: Stores, plan: RecordPlan) {
    const audited = (record: R) => {
      const view = { ...fieldsOf(kind, plan, record, 0), ...accessOf(kind.access, record) };
      return kind.audited?.(record, view) ?? view;
    };
    super({ ...kind, audited }, kind.access, stores);
    this.kind = kind;
    this.#plan = plan;
  }

  /** Trims pasted secrets. @throws Fault `validation_failed` */
  parse(body: F): ParsedBody<F> {
    this.kind.assertReadable?.(body);
    const { open, submitted } = splitSecrets(body, this.#plan.secrets);
    const clean = Object.entries(submitted).map(([path, value]) => [
      path,
      value === null ? null : trimPastedSecret(value, path),
    ]);
    return { open, submitted: Object.fromEntries(clean) };
  }

  /** @throws Fault `validation_failed` with every problem, `masked_value_without_stored_secret` */
  async draft(body: ParsedBody<F>): Promise<RecordDraft<R, F>> {
    const secrets = this.sealed.decideSecrets(body.submitted, []);
    const warnings: string[] = [];
    const record = await this.mergeChecked(undefined, body.open, secrets, warnings);
    return { body, target: Target.draft<R>(new UnsealedRecord(record, secrets.set), warnings) };
  }

  /** Checks of a create that do not depend on the record's fields. @throws Fault `acl_denied`, `duplicate_name` */
  async assertMayCreate(caller: Caller, key: string, open: F): Promise<void> {
    this.kind.access.after(caller, undefined, open);
    if (await this.stores.records.get(this.kind.collection, key)) throw this.sealed.nameTaken();
  }

  /** @throws Fault `acl_denied`, `duplicate_name` */
  async create(
    caller: Caller,
    key: string,
    { body: { open, submitted }, target }: RecordDraft<R, F>,
    { last_test, discovered }: TestResult<R> = {},
  ): Promise<R> {
    const secrets = this.sealed.decideSecrets(submitted, []);
    const access = this.kind.access.after(caller, undefined, open);
    const fields = { ...target.record, ...discovered?.(target.record) };
    return this.sealed.create(this.#open({ _key: key, last_test }, access, fields), secrets.submitted, caller.user);
  }

  /** The reply of a create, without writing. @throws Fault as `draft` and `create` */
  async draftCreate(caller: Caller, key: string, body: ParsedBody<F>, warnings: string[] = []): Promise<V> {
    const { target } = await this.draft(body);
    warnings.push(...target.warnings);
    const access = this.kind.access.after(caller, undefined, body.open);
    const open = this.#open({ _key: key }, access, target.record);
    return this.view(
      await this.sealed.draftCreate(open, this.sealed.decideSecrets(body.submitted, []).submitted, caller.user),
    );
  }

  /**
   * Merges and checks an update without writing.
   * @param isTested also refuses the update if the record changes before it is saved
   * @throws Fault `not_found`, `acl_denied`, `version_conflict`, `validation_failed`, `in_use` and the faults of secrets
   */
  async planUpdate(
    caller: Caller,
    key: string,
    body: ParsedBody<F>,
    { condition, force, seen }: UpdateTerms<R>,
    isTested = false,
  ): Promise<PlannedUpdate<R>> {
    const record = seen ?? (await this.sealed.get(key));
    const warnings: string[] = [];
    const guard = (now: R) => {
      this.assertMay(caller, 'write', now);
      if (isTested) assertUnchanged(now, record);
    };
    const access = (now: R) => this.kind.access.after(caller, now, body.open);
    const change = { ...this.#change(body, access, warnings, force), condition, guard };
    return { plan: await this.sealed.plan(record, change), actor: caller.user, warnings };
  }

  /** The target of a test of an update. */
  async targetOf({ plan, warnings }: PlannedUpdate<R>): Promise<Target<R>> {
    return Target.draft<R>(await this.sealed.preview(plan), warnings);
  }

  /** @throws Fault as `planUpdate`, if the record has changed since then */
  async saveUpdate({ plan, actor }: PlannedUpdate<R>, { last_test, discovered }: TestResult<R> = {}): Promise<R> {
    const testFields = last_test ? { last_test } : {};
    return this.sealed.apply(plan, {
      actor,
      discovered: (next) =>
        ({ ...discovered?.(next as unknown as FamilyFields<R>), ...testFields }) as Partial<Open<R>>,
    });
  }

  /** @throws Fault as `planUpdate` */
  async update(caller: Caller, key: string, body: ParsedBody<F>, terms: UpdateTerms<R>): Promise<R> {
    const planned = await this.planUpdate(caller, key, body, terms);
    const updated = await this.saveUpdate(planned, terms);
    terms.warnings?.push(...planned.warnings);
    return updated;
  }

  /** The reply of an update, without writing or reading secrets. @throws Fault as `planUpdate` */
  async draftUpdate(caller: Caller, key: string, body: ParsedBody<F>, terms: UpdateTerms<R>): Promise<V> {
    const { plan, actor, warnings } = await this.planUpdate(caller, key, body, terms);
    terms.warnings?.push(...warnings);
    return this.view(this.sealed.draftOf(plan, actor));
  }

  /** @param warnings receives only those of the last merge */
  #change(
    { open, submitted }: ParsedBody<F>,
    access: (record: R) => object,
    warnings: string[],
    isForced = false,
  ): Change<R> {
    return {
      submitted,
      next: async (record, secrets) => {
        warnings.length = 0;
        const merged = await this.mergeChecked(record, open, secrets, warnings);
        return this.#open(record, access(record), merged);
      },
      assertUnused: async (before, next) => {
        const moveWarnings: string[] = [];
        const terms = { isForced, warnings: moveWarnings };
        await this.kind.assertMayMove?.(this.stores.records, before, next as unknown as FamilyFields<R>, terms);
        warnings.unshift(...moveWarnings.filter((text) => !warnings.includes(text)));
      },
    };
  }

  /**
   * The target of a test of unsaved changes. The access list stays.
   * @param guard checks the record, also if it is read again
   * @throws Fault `validation_failed`, `in_use` and the faults of secrets
   */
  async preview(record: R, body: ParsedBody<F>, guard: (record: R) => void, force?: boolean): Promise<Target<R>> {
    const warnings: string[] = [];
    const change = { ...this.#change(body, (now) => accessOf(this.kind.access, now), warnings, force), guard };
    return this.targetOf({ plan: await this.sealed.plan(record, change), actor: '', warnings });
  }

  /**
   * The target of a test. The name alone means the saved record. Other fields are tested as submitted, with masked and absent
   * secrets from the saved record if the caller may write it.
   * @param key undefined if the body has no name
   * @throws Fault `not_found`, `acl_denied`, `validation_failed` and the faults of secrets
   */
  async target(caller: Caller, key: string | undefined, body: F): Promise<Target<R>> {
    if (key !== undefined && this.kind.hasInlineConfig?.(body) === false) {
      const unsealed = await this.unsealed(caller, key);
      this.#assertNotContradicted(unsealed.record, body);
      return Target.saved(unsealed);
    }
    const parsed = this.parse(body);
    const missing = this.kind.missingForTest?.(body) ?? [];
    const source = key === undefined ? undefined : await this.secretSource(caller, key, missing.length === 0);
    if (source) {
      this.#assertNotContradicted(source, body);
      return this.preview(source, parsed, (now) => this.assertMay(caller, 'write', now));
    }
    if (missing.length > 0) throw invalid(missing);
    return (await this.draft(parsed)).target;
  }

  /** Saves the result of a test of a saved record. @param discovered other fields that the test discovered */
  async recordTest(
    { saved }: Target<R>,
    elapsedMs: number,
    error: { code: string } | undefined,
    discovered: (record: R) => Partial<Open<R>> = () => ({}),
  ): Promise<void> {
    if (saved) await this.saveTest(saved._key, elapsedMs, error, discovered);
  }

  /** Saves the result of a test; a deleted record is not an error. */
  async saveTest(
    key: string,
    elapsedMs: number,
    error: { code: string } | undefined,
    discovered: (record: R) => Partial<Open<R>> = () => ({}),
  ): Promise<void> {
    const last_test = lastTest(this.now(), elapsedMs, error);
    await this.sealed.amend(key, async (record) => ({ open: { ...discovered(record), last_test } }));
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

  async list(caller: Caller, query: ListQueryValues, filter?: Query): Promise<{ result: V[]; pagination: Pagination }> {
    const { derived, nameField } = this.kind;
    const { records, pagination } = await this.page(caller, query, { nameField, derived, filter });
    return { result: records.map((record) => this.view(record)), pagination };
  }

  /** The record in a reply, with secrets masked. */
  view(record: R): V {
    const { last_test, secret_fields } = record;
    const fields = fieldsOf(this.kind, this.#plan, record, this.now());
    const access = accessOf(this.kind.access, record);
    const open = { ...fields, ...access, ...metadataOf(record), ...(last_test ? { last_test } : {}) };
    return maskSecrets(withoutUndefined(open) as unknown as V, secret_fields, this.kind.keysOf);
  }

  /** The family's fields after a body, without checks. */
  merged(base: R | undefined, open: F, context: MergeContext): FamilyFields<R> {
    const planned = mergePlanned(this.#plan, base, open) as unknown as FamilyFields<R>;
    return { ...planned, ...this.kind.merge?.(base, open, context, planned) };
  }

  /** The family's fields after a body. @throws Fault `validation_failed` with every problem */
  async mergeChecked(
    base: R | undefined,
    open: F,
    secrets: SecretChange,
    warnings: string[],
  ): Promise<FamilyFields<R>> {
    const next = this.merged(base, open, { secrets, now: this.now(), warnings });
    await assertValid(this.kind, next, secrets, warnings);
    return this.kind.carryOver?.(next, base, secrets, this.now()) ?? next;
  }

  /** A merged field that is `undefined` is removed from the stored record. */
  #open({ _key, last_test }: CommonFields, access: object, merged: FamilyFields<R>): Open<R> {
    return { ...merged, _key, ...access, ...(last_test ? { last_test } : {}) } as unknown as Open<R>;
  }

  #assertNotContradicted(record: R, body: F): void {
    const problems = this.kind.conflictsWithSaved?.(record, body) ?? [];
    if (problems.length > 0) throw invalid(problems);
  }
}

/** The family's fields of a reply. */
function fieldsOf<R extends Resource, F extends object, V extends ReplyFields>(
  kind: ResourceKind<R, F, V>,
  plan: RecordPlan,
  record: R,
  now: number,
): object {
  const planned = viewPlanned(plan, record);
  return { ...planned, ...kind.view?.(record, now, planned as unknown as R) };
}

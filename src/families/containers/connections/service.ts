import { MASK } from '../../../contract/basics.ts';
import type { Caller } from '../../../contract/caller.ts';
import { Fault, invalid } from '../../../contract/codes/faults.ts';
import type { LastTest } from '../../../contract/schemas/common.ts';
import type { SealedRecords } from '../../../domain/records/sealed.ts';
import type { Stores } from '../../../domain/records/sealedRecord.ts';
import type { Certificates } from '../../../ports/engines/certificates.ts';
import type { ContainerType } from '../../../ports/engines/containerEngine.ts';
import type { Settings } from '../../../ports/stores/settings.ts';
import { type Draft as ResourceDraft, Resources, type Sent, type UpdateTerms } from '../../../resources/resources.ts';
import type { EngineKind, EngineKinds } from '../engines/engineKind.ts';
import { ENGINE_KINDS } from '../engines/registry.ts';
import type { ConnectionInput } from '../schemas.ts';
import { checkCertificates } from './certificateChecks.ts';
import { isEdit, newToken } from './input.ts';
import { type ConnectionRecords, connectionKind } from './kind.ts';
import { CONNECTIONS, type ConnectionStored, connectionKey } from './records.ts';
import { problemsOf, type RuleContext } from './rules.ts';

/** A save under way: checked, not yet written. */
export interface Draft extends ResourceDraft<ConnectionStored, ConnectionInput> {
  key: string;
  before: ConnectionStored | undefined;
  /** Whether the engine may be changed although containers run in it. */
  force: boolean;
  /** Filled when it is saved. */
  warnings: string[];
}

export interface ConnectionParts {
  stores: Stores;
  secretPaths: readonly string[];
  certificates: Certificates;
  settings: Settings;
  /** All engines unless others are given. */
  kinds?: EngineKinds;
}

/** Container connections, as they are saved. Knows nothing about engines. */
export class ContainerConnections {
  readonly records: ConnectionRecords;
  readonly stores: Stores;
  readonly sealed: SealedRecords<ConnectionStored>;
  readonly kinds: EngineKinds;
  readonly certificates: Certificates;
  readonly #judge: RuleContext;

  constructor({ stores, secretPaths, certificates, settings, kinds = ENGINE_KINDS }: ConnectionParts) {
    this.#judge = { kinds, certificates, settings, clock: stores.clock };
    this.records = new Resources(connectionKind(this.#judge), stores, secretPaths);
    this.stores = stores;
    this.sealed = this.records.sealed;
    this.kinds = kinds;
    this.certificates = certificates;
  }

  kindOf = ({ container_type }: Pick<ConnectionStored, 'container_type'>): EngineKind => this.kinds[container_type];

  async all(type?: ContainerType): Promise<ConnectionStored[]> {
    return this.sealed.find(type === undefined ? {} : { query: { container_type: type } });
  }

  get(type: ContainerType, name: string): Promise<ConnectionStored> {
    return this.sealed.get(connectionKey(type, name));
  }

  /**
   * The connection as it is while nobody is changing it: after this a change sees what was recorded before it.
   * @throws Fault `not_found`
   */
  async getUnderLease(key: string): Promise<ConnectionStored> {
    const record = await this.sealed.amend(key, async () => undefined);
    if (!record) throw this.sealed.missing();
    return record;
  }

  /**
   * What can be told of a body without the record that it may change.
   * @throws Fault `validation_failed` with every problem
   */
  async assertValid(input: ConnectionInput): Promise<void> {
    const { open, given: secretInput } = this.records.parse(input);
    const clear = Object.fromEntries(Object.entries(secretInput).filter(([, value]) => value !== MASK));
    const secrets = this.sealed.decided(clear, []);
    const next = this.records.kind.merge(undefined, open, { secrets, now: this.records.now(), warnings: [] });
    const problems = await problemsOf(this.#judge, next, secrets, [], isEdit(open));
    if (problems.length > 0) throw invalid(problems);
  }

  /**
   * What a save would make of its input and of the stored record.
   * @throws Fault `validation_failed`, `duplicate_name`, `not_found`, `in_use` and the faults of secrets
   */
  async draft(input: ConnectionInput, force = false): Promise<Draft> {
    const { key, before, sent: submitted } = await this.#read(input);
    const target = before
      ? await this.#changed(before, submitted, force)
      : (await this.records.draft(submitted)).target;
    return { key, before, sent: submitted, target, force, warnings: [] };
  }

  /** The connection that a save would store, as a read shows it. Nothing is written, and no stored secret is read. */
  async preview(caller: Caller, input: ConnectionInput, terms: UpdateTerms<ConnectionStored>): Promise<object> {
    const { key, before, sent: submitted } = await this.#read(input);
    if (before) return this.records.draftUpdate(caller, key, submitted, terms);
    return this.records.draftCreate(caller, key, submitted, terms.warnings);
  }

  /** @throws Fault `duplicate_name`, `not_found` */
  async #read(input: ConnectionInput) {
    const { open, given: secretInput } = this.records.parse(input);
    const key = connectionKey(open.container_type, open.connection_name);
    const before = isEdit(open) ? await this.sealed.get(key) : undefined;
    if (!before && (await this.stores.records.get(CONNECTIONS, key))) throw duplicateName();
    // An application without a token answers nobody: if the token is deleted, a new one is generated.
    const isTokenless = before ? secretInput.api_token === null : !secretInput.api_token;
    return {
      key,
      before,
      sent: { open, given: isTokenless ? { ...secretInput, api_token: newToken() } : secretInput },
    };
  }

  async #changed(before: ConnectionStored, submitted: Sent<ConnectionInput>, force: boolean) {
    // Whoever passes the gate may change whatever it is by then.
    const target = await this.records.preview(before, submitted, () => {}, force);
    // The key that a new certificate has to match may be a stored one.
    const { record, secrets } = target;
    const { problems } = await checkCertificates(this.certificates, record, secrets, this.stores.clock.now());
    if (problems.length > 0) throw invalid(problems);
    return target;
  }

  /** @param last_test how the test of the draft went, where there was one */
  async save(draft: Draft, caller: Caller, condition: number | undefined, last_test?: LastTest) {
    const { key, before: stored, sent: submitted, target, force, warnings } = draft;
    if (stored)
      return this.records.update(caller, key, submitted, { condition, seen: stored, force, warnings, last_test });
    warnings.push(...target.warnings);
    return this.records.create(caller, key, draft, { last_test });
  }
}

const duplicateName = () =>
  new Fault(
    'duplicate_name',
    "A container connection of this type and name already exists; change it with is_edit 'true'",
  );

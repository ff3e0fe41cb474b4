import { MASK } from '../../../contract/basics.ts';
import type { Caller } from '../../../contract/caller.ts';
import { Fault, invalid } from '../../../contract/codes/faults.ts';
import type { RecordPlan } from '../../../contract/rows/recordPlan.ts';
import type { LastTest } from '../../../contract/schemas/common.ts';
import { storedPrivateKey } from '../../../domain/net/certificates.ts';
import type { SealedRecords } from '../../../domain/records/sealed.ts';
import type { Stores } from '../../../domain/records/sealedRecord.ts';
import type { Certificates } from '../../../ports/engines/certificates.ts';
import type { ContainerType, LoginServer } from '../../../ports/engines/containerEngine.ts';
import type { Settings } from '../../../ports/stores/settings.ts';
import { Resources } from '../../../resources/resources.ts';
import type { ParsedBody, RecordDraft as ResourceDraft, UpdateTerms } from '../../../resources/updates.ts';
import type { EngineKind, EngineKinds } from '../engines/engineKind.ts';
import { ENGINE_KINDS } from '../engines/registry.ts';
import type { ConnectionInput } from '../schemas.ts';
import { checkCertificates } from './certificateChecks.ts';
import { isEdit, newToken } from './input.ts';
import { type ConnectionRecords, connectionKind } from './kind.ts';
import { CONNECTIONS, type ConnectionStored, connectionKey } from './records.ts';
import { problemsOf, type RuleContext } from './rules.ts';

/** A checked save that is not written yet. */
export interface ConnectionDraft extends ResourceDraft<ConnectionStored, ConnectionInput> {
  key: string;
  before: ConnectionStored | undefined;
  /** Allows another engine although containers are running. */
  force: boolean;
  /** Added by the save. */
  warnings: string[];
  /** Login server that a test of the draft sent the password to. */
  login_host?: string;
}

export interface ConnectionParts {
  stores: Stores;
  plan: RecordPlan;
  certificates: Certificates;
  settings: Settings;
  /** Default: all engines. */
  kinds?: EngineKinds;
}

/** Saves container connections without calling their engines. */
export class ContainerConnections {
  readonly records: ConnectionRecords;
  readonly stores: Stores;
  readonly sealed: SealedRecords<ConnectionStored>;
  readonly kinds: EngineKinds;
  readonly certificates: Certificates;
  readonly #judge: RuleContext;

  constructor({ stores, plan, certificates, settings, kinds = ENGINE_KINDS }: ConnectionParts) {
    this.#judge = { kinds, certificates, settings, clock: stores.clock };
    this.records = new Resources(connectionKind(this.#judge), stores, plan);
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
   * Reads the connection under its lease, so that a later change sees everything written before.
   * @throws Fault `not_found`
   */
  async getUnderLease(key: string): Promise<ConnectionStored> {
    const record = await this.sealed.amend(key, async () => undefined);
    if (!record) throw this.sealed.notFound();
    return record;
  }

  /** The login server of a saved connection. */
  loginServerOf({ _key, login_host, secret_ref }: ConnectionStored): LoginServer {
    return {
      host: login_host,
      keep: async (host) => {
        const isSame = (now: ConnectionStored) =>
          now.secret_ref === secret_ref && (now.login_host === undefined || now.login_host === host);
        const amended = await this.sealed.amend(_key, async (now) =>
          isSame(now) ? { open: { login_host: host } } : undefined,
        );
        return amended !== undefined && isSame(amended);
      },
    };
  }

  /**
   * Validates a body without the stored record.
   * @throws Fault `validation_failed` with every problem
   */
  async assertValid(input: ConnectionInput): Promise<void> {
    const { open, submitted: secretInput } = this.#parse(input);
    const clear = Object.fromEntries(Object.entries(secretInput).filter(([, value]) => value !== MASK));
    const secrets = this.sealed.decideSecrets(clear, []);
    const context = { secrets, now: this.records.now(), warnings: [] };
    const next = this.records.merged(undefined, open, context);
    const problems = await problemsOf(this.#judge, next, secrets, [], isEdit(open));
    if (problems.length > 0) throw invalid(problems);
  }

  /**
   * Merges and validates a save without writing it.
   * @throws Fault `validation_failed`, `duplicate_name`, `not_found`, `in_use` and the faults of secrets
   */
  async draft(input: ConnectionInput, force = false): Promise<ConnectionDraft> {
    const { key, before, body } = await this.#read(input);
    const target = before ? await this.#changed(before, body, force) : (await this.records.draft(body)).target;
    return { key, before, body, target, force, warnings: [] };
  }

  /** The result of a save as a read returns it, without writing or reading secrets. */
  async preview(caller: Caller, input: ConnectionInput, terms: UpdateTerms<ConnectionStored>): Promise<object> {
    const { key, before, body } = await this.#read(input);
    if (before) return this.records.draftUpdate(caller, key, body, terms);
    return this.records.draftCreate(caller, key, body, terms.warnings);
  }

  #parse(input: ConnectionInput): ParsedBody<ConnectionInput> {
    const { open, submitted } = this.records.parse(input);
    const { client_key: key } = submitted;
    return { open, submitted: key ? { ...submitted, client_key: storedPrivateKey(key) } : submitted };
  }

  /** @throws Fault `duplicate_name`, `not_found` */
  async #read(input: ConnectionInput) {
    const { open, submitted: secretInput } = this.#parse(input);
    const key = connectionKey(open.container_type, open.connection_name);
    const before = isEdit(open) ? await this.sealed.get(key) : undefined;
    if (!before && (await this.stores.records.get(CONNECTIONS, key))) throw duplicateName();
    // The application needs a token, so a deleted one is replaced by a new one.
    const isTokenless = before ? secretInput.api_token === null : !secretInput.api_token;
    return {
      key,
      before,
      body: { open, submitted: isTokenless ? { ...secretInput, api_token: newToken() } : secretInput },
    };
  }

  async #changed(before: ConnectionStored, body: ParsedBody<ConnectionInput>, force: boolean) {
    // The gate is the only access check, so no further one is needed.
    const target = await this.records.preview(before, body, () => {}, force);
    // A new certificate has to match the stored key.
    const { record, secrets } = target;
    const { problems } = await checkCertificates(this.certificates, record, secrets, this.stores.clock.now());
    if (problems.length > 0) throw invalid(problems);
    return target;
  }

  /** @param last_test result of a test of the draft */
  async save(draft: ConnectionDraft, caller: Caller, condition: number | undefined, last_test?: LastTest) {
    const { key, before: stored, body, target, force, warnings, login_host } = draft;
    const result = { last_test, discovered: () => (login_host === undefined ? {} : { login_host }) };
    if (stored) return this.records.update(caller, key, body, { condition, seen: stored, force, warnings, ...result });
    warnings.push(...target.warnings);
    return this.records.create(caller, key, draft, result);
  }
}

const duplicateName = () =>
  new Fault(
    'duplicate_name',
    "A container connection of this type and name already exists; change it with is_edit 'true'",
  );

import type { Caller } from '../../../contract/caller.ts';
import { Fault, invalid, type Problem } from '../../../contract/faults.ts';
import { MASK } from '../../../contract/mask.ts';
import type { ListQueryValues } from '../../../domain/lists.ts';
import type { Stores } from '../../../domain/sealed.ts';
import { decide, type GivenSecrets, type Secrets } from '../../../domain/secrets.ts';
import type { Certificates } from '../../../ports/certificates.ts';
import type { ContainerType } from '../../../ports/containerEngine.ts';
import type { Doc } from '../../../ports/recordStore.ts';
import type { Settings } from '../../../ports/settings.ts';
import { ResourceRecords } from '../../../resources/records.ts';
import type { EngineKind, EngineKinds } from '../engines/engineKind.ts';
import type { OpenField } from '../engines/fields.ts';
import { allowedAnnotations } from '../engines/ingressAnnotations.ts';
import { defaultsOf, ENGINE_KINDS, openNames } from '../engines/registry.ts';
import type { ConnectionInput, ConnectionRecord } from '../schemas.ts';
import { movesEngine } from './addresses.ts';
import { checkCertificates } from './certificateChecks.ts';
import { applied, type Changes, newToken, readInput } from './input.ts';
import { CONNECTIONS, type ConnectionOpen, type ConnectionStored, connectionKey, connectionSpec } from './records.ts';
import { connectionProblems, secretProblems } from './rules.ts';
import { CONNECTION_SORT_KEYS } from './sortKeys.ts';

export const RUNTIMES = 'ml_containers';

/** A save under way: checked, not yet written. */
export interface Draft {
  key: string;
  before: ConnectionStored | undefined;
  given: GivenSecrets;
  changes: Changes;
  open: ConnectionOpen;
  /** In the clear, as they would be after the save. */
  secrets: Readonly<Secrets>;
  warnings: string[];
  /** Whether the engine may be changed although containers run in it. */
  force: boolean;
  allowed: readonly string[];
}

export interface ConnectionParts {
  stores: Stores;
  secretPaths: readonly string[];
  certificates: Certificates;
  settings: Settings;
  /** All engines unless others are given. */
  kinds?: EngineKinds;
}

/** Container connections as records. Knows nothing about engines. */
export class ContainerConnections extends ResourceRecords<ConnectionStored> {
  readonly kinds: EngineKinds;
  readonly #names: readonly OpenField[];
  readonly #parts: ConnectionParts;

  constructor(parts: ConnectionParts) {
    const kinds = parts.kinds ?? ENGINE_KINDS;
    super(connectionSpec(kinds), parts.stores);
    this.kinds = kinds;
    this.#names = openNames(kinds);
    this.#parts = parts;
  }

  get certificates(): Certificates {
    return this.#parts.certificates;
  }

  kindOf = ({ container_type }: Pick<ConnectionStored, 'container_type'>): EngineKind => this.kinds[container_type];

  view = (record: ConnectionStored): ConnectionRecord => {
    const { container_type, connection_name } = record;
    const shown = this.#names.filter((name) => record[name] !== undefined).map((name) => [name, record[name]]);
    return this.shown({ container_type, connection_name, ...Object.fromEntries(shown) }, record);
  };

  /** @param type of one engine alone */
  async page(type: ContainerType | undefined, query: ListQueryValues) {
    const about = type === undefined ? {} : { query: { container_type: type } };
    return this.listed(query, { keys: CONNECTION_SORT_KEYS, name: 'connection_name', ...about });
  }

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
  async settled(key: string): Promise<ConnectionStored> {
    const record = await this.sealed.amend(key, async () => undefined);
    if (!record) throw this.sealed.missing();
    return record;
  }

  /** Everything that is wrong with a body, as far as it can be told without the record that it may change. */
  async problems(input: ConnectionInput): Promise<Problem[]> {
    const { isEdit, changes, given } = readInput(input, this.#names, this.#parts.secretPaths);
    const { container_type: type, connection_name } = input;
    const bare = { _key: '', container_type: type, connection_name };
    const fields = this.#applied(isEdit ? bare : { ...bare, ...defaultsOf(this.kinds[type]) }, changes);
    const clear = Object.entries(given).filter(([, value]) => value !== MASK);
    return this.#problems(type, fields, Object.fromEntries(clear), [], isEdit);
  }

  /**
   * What a save would make of its input and of the stored record.
   * @throws Fault `validation_failed`, `duplicate_name`, `not_found`, `in_use` and the faults of secrets
   */
  async draft(input: ConnectionInput, force = false): Promise<Draft> {
    const { isEdit, changes, given } = readInput(input, this.#names, this.#parts.secretPaths);
    const { container_type: type, connection_name: name } = input;
    const key = connectionKey(type, name);
    const before = await this.#before(key, isEdit, given);
    // An application without a token answers nobody: if the token is deleted, a new one is generated.
    if (before ? given.api_token === null : !given.api_token) given.api_token = newToken();
    const made = before ?? { _key: key, container_type: type, connection_name: name, ...defaultsOf(this.kinds[type]) };
    const open = this.#applied(made, changes);
    const problems = await this.#problems(type, open, given, before?.secret_fields ?? []);
    if (problems.length > 0) throw invalid(problems);
    if (before) await this.#left(before, open, force);
    const whole = before
      ? await this.sealed.preview(before, (record) => this.#applied(record, changes), given)
      : { record: open, secrets: decide(given, []).set };
    const certificates = await this.#certificateReport(whole.record, whole.secrets);
    if (certificates.problems.length > 0) throw invalid(certificates.problems);
    const allowed = await allowedAnnotations(this.#parts.settings);
    const { warnings } = certificates;
    return { key, before, given, changes, open: whole.record, secrets: whole.secrets, warnings, force, allowed };
  }

  #applied<T extends ConnectionOpen>(record: T, changes: Changes): T {
    return applied(record, changes, defaultsOf(this.kindOf(record)));
  }

  /** @param partly of an edit whose record is not known: what is absent may be there */
  async #problems(
    type: ContainerType,
    fields: ConnectionOpen,
    given: GivenSecrets,
    stored: readonly string[],
    partly = false,
  ): Promise<Problem[]> {
    const allowed = await allowedAnnotations(this.#parts.settings);
    const { keep, set } = decide(given, [...stored]);
    const found = connectionProblems(this.kinds, {
      type,
      fields,
      secrets: [...keep, ...Object.keys(set)],
      allowed,
      partly,
    });
    const certificates = await this.#certificateReport(fields, set);
    const own = [...found, ...secretProblems(given)];
    const known = new Set(own.map(({ field }) => field));
    return [...own, ...certificates.problems.filter(({ field }) => !known.has(field))];
  }

  #certificateReport(fields: ConnectionOpen, secrets: Readonly<Secrets>) {
    return checkCertificates(this.certificates, fields, secrets, this.stores.clock.now());
  }

  async #before(key: string, isEdit: boolean, given: GivenSecrets): Promise<ConnectionStored | undefined> {
    if (isEdit) return this.sealed.get(key);
    if (await this.stores.records.get(CONNECTIONS, key)) {
      throw new Fault(
        'duplicate_name',
        "A container connection of this type and name already exists; change it with is_edit 'true'",
      );
    }
    decide(given, []);
    return undefined;
  }

  async save(draft: Draft, caller: Caller, condition: number | undefined, learned: Partial<ConnectionOpen> = {}) {
    if (!draft.before) return this.sealed.create({ ...draft.open, ...learned }, draft.given, caller.user);
    let left: string[] = [];
    const saved = await this.sealed.update(draft.key, {
      actor: caller.user,
      condition,
      given: draft.given,
      seen: draft.before,
      guard: () => {},
      next: async (record) => {
        const next = { ...this.#applied(record, draft.changes), ...learned };
        const { keep, set } = decide(draft.given, record.secret_fields);
        const secrets = [...keep, ...Object.keys(set)];
        // Another writer may have been here since the draft was checked.
        const { allowed } = draft;
        const problems = connectionProblems(this.kinds, {
          type: record.container_type,
          fields: next,
          secrets,
          allowed,
        });
        if (problems.length > 0) throw invalid(problems);
        left = await this.#left(record, next, draft.force);
        return next;
      },
    });
    if (left.length > 0) draft.warnings.push(leftBehind(left));
    return saved;
  }

  /** Models whose containers a change leaves behind in the engine that was. @throws Fault `in_use` unless forced */
  async #left(before: ConnectionStored, after: ConnectionOpen, force: boolean): Promise<string[]> {
    if (!movesEngine(this.kindOf(before), before, after)) return [];
    const models = await this.#users(before._key);
    if (models.length === 0 || force) return models;
    const message = `Containers are running on the engine that it points to now: ${models.join(', ')}; stop them first, or send force=true if that engine is lost`;
    throw new Fault('in_use', message, { used_by: models });
  }

  async #users(key: string): Promise<string[]> {
    const query = { connection_key: key };
    const users = await this.stores.records.find<Doc & { model: string }>(RUNTIMES, { query, fields: ['model'] });
    return users.map((user) => user.model);
  }

  /** @throws Fault `not_found`, `in_use` with the models whose containers run through it */
  async remove(type: ContainerType, name: string, condition: number | undefined): Promise<ConnectionStored> {
    const key = connectionKey(type, name);
    return this.sealed.remove(key, {
      condition,
      guard: async () => {
        const models = await this.#users(key);
        if (models.length === 0) return;
        throw new Fault('in_use', `Containers are running through it: ${models.join(', ')}; stop them first`, {
          used_by: models,
        });
      },
    });
  }
}

const leftBehind = (models: readonly string[]) =>
  `Left behind on the former engine, where this app can no longer see or stop them: ${models.join(', ')}`;

import type { Caller } from '../../contract/caller.ts';
import { Fault, invalid } from '../../contract/faults.ts';
import { MASK } from '../../contract/mask.ts';
import {
  type LlmConnection,
  type LlmIdentity,
  type LlmJson,
  type LlmModel,
  llmConnectionKey,
  modelsOf,
  serviceSettingsOf,
} from '../../domain/llmConfigurations.ts';
import { assertUnused } from '../../domain/references.ts';
import { SealedRecords, type Stores } from '../../domain/sealed.ts';
import { type Decision, decide, type GivenSecrets, type Secrets } from '../../domain/secrets.ts';
import { type Submitted, takeApart } from './blob.ts';
import { LIMITS, type Service } from './names.ts';
import { isShared, type LlmRow, llmSpec, type OpenConnection, rowsOf, stored, withoutModel } from './records.ts';
import { missingToStore } from './rules.ts';
import type { LlmConfigurationInput } from './schemas.ts';
import { LLM_SERVICES } from './services/services.ts';
import { ACCESS_TOKEN, readSettings, withBase } from './settings.ts';

/** Others may create, empty and delete the connection between our look and our lease; each try sees it as it is then. */
const TRIES = 8;
class Moved extends Error {}

export interface Saved {
  connection: LlmConnection;
  entry: LlmModel;
  /** Other models of the connection whose settings or secrets have changed with it. */
  alsoChanged: string[];
}

/** LLM configurations as records: one document for each connection, with all its models. Knows no provider. */
export class LlmConfigurations {
  readonly sealed: SealedRecords<LlmConnection>;
  readonly stores: Stores;
  /** The endpoint of the site's own model service. */
  readonly #hostedEndpoint: () => Promise<string | undefined>;

  constructor(stores: Stores, hostedEndpoint: () => Promise<string | undefined>) {
    this.stores = stores;
    this.sealed = new SealedRecords(llmSpec, stores);
    this.#hostedEndpoint = hostedEndpoint;
  }

  /** Epoch seconds. */
  now = (): number => this.stores.clock.now() / 1000;

  async rows(service: string | undefined, connectionName: string | undefined): Promise<LlmRow[]> {
    if (service !== undefined && connectionName !== undefined) {
      const one = await this.connection(service, connectionName);
      return one ? rowsOf([one]) : [];
    }
    const all = await this.sealed.find(service === undefined ? {} : { query: { service } });
    const named = connectionName === undefined ? all : all.filter((one) => isKeyOf(one, connectionName));
    return rowsOf(named);
  }

  connection(service: string, connectionName: string): Promise<LlmConnection | undefined> {
    return this.stores.records.get<LlmConnection>(llmSpec.collection, llmConnectionKey(service, connectionName));
  }

  /** @throws Fault `not_found` */
  async get({ service, connection_name, model }: LlmIdentity): Promise<{ connection: LlmConnection; entry: LlmModel }> {
    const connection = await this.connection(service, connection_name);
    const entry = connection && modelsOf(connection).find((one) => one.model === model);
    if (!connection || !entry) throw this.sealed.missing();
    return { connection, entry };
  }

  async save(caller: Caller, input: LlmConfigurationInput, condition: number | undefined): Promise<Saved> {
    const { service, connection_name, model } = input;
    const key = llmConnectionKey(service, connection_name);
    const submitted = takeApart(service, input);
    const given = stored(submitted.given, model);
    const hosted = service === 'Platform_Hosted_Models' ? await this.#hostedEndpoint() : undefined;
    for (let tries = 0; tries < TRIES; tries++) {
      const before = await this.connection(service, connection_name);
      const repeated = before ? await this.#repeated(before, given) : [];
      let changed: Changed | undefined;
      const apply = (record: LlmConnection | undefined): OpenConnection => {
        changed = this.#applied(record, { caller, input, submitted, given, repeated, hosted });
        return changed.open;
      };
      const connection = before
        ? await this.#unless('not_found', () =>
            this.sealed.update(key, {
              actor: caller.user,
              condition: undefined,
              given,
              guard: (record) => assertVersion(entryOf(record, model), condition),
              next: apply,
            }),
          )
        : await this.#unless('duplicate_name', () => {
            assertVersion(undefined, condition);
            return this.sealed.create(apply(undefined), given, caller.user);
          });
      if (connection && changed) return { connection, entry: changed.entry, alsoChanged: changed.alsoChanged };
    }
    throw busy();
  }

  /** @throws Fault `not_found`, `version_conflict`, `in_use` */
  async remove(
    caller: Caller,
    identity: LlmIdentity,
    options: { force: boolean; condition: number | undefined },
  ): Promise<{ removed: LlmIdentity; wasLast: boolean }> {
    const { service, connection_name, model } = identity;
    const key = llmConnectionKey(service, connection_name);
    const guard = (record: LlmConnection): LlmModel => {
      const entry = entryOf(record, model);
      if (!entry) throw this.sealed.missing();
      assertVersion(entry, options.condition);
      return entry;
    };
    for (let tries = 0; tries < TRIES; tries++) {
      const { connection } = await this.get(identity);
      const removed = { service, connection_name: connection.connection_name, model };
      guard(connection);
      if (!options.force) await assertUnused(this.stores.records, caller, 'llm', removed);
      const wasLast = modelsOf(connection).length === 1;
      try {
        if (wasLast)
          await this.sealed.remove(key, { condition: undefined, guard: (record) => assertOnly(record, guard) });
        else {
          await this.sealed.update(key, {
            actor: caller.user,
            condition: undefined,
            given: withoutModel(model),
            guard,
            next: (record) => lessModel(record, model),
          });
        }
        return { removed, wasLast };
      } catch (error) {
        if (!(error instanceof Moved)) throw error;
      }
    }
    throw busy();
  }

  /** What a test found: leaves `version` and `last_updated_*` alone. */
  async amend(key: string, model: string, change: Partial<Pick<LlmModel, 'last_test'>>): Promise<void> {
    await this.sealed.amend(key, async (record) => {
      const models = modelsOf(record);
      if (!models.some((one) => one.model === model)) return undefined;
      const next = models.map((one) => (one.model === model ? { ...one, ...change } : one));
      return { open: { models: JSON.stringify(next) } };
    });
  }

  /** Undefined when somebody was faster: look again. */
  async #unless(code: string, write: () => Promise<LlmConnection>): Promise<LlmConnection | undefined> {
    try {
      return await write();
    } catch (error) {
      if (error instanceof Fault && error.code === code) return undefined;
      throw error;
    }
  }

  /** Paths of secrets that were sent anew with the value they have: no change for the other models. */
  async #repeated(connection: LlmConnection, given: GivenSecrets): Promise<string[]> {
    const sent = Object.keys(given).filter((path) => isShared(path) && given[path] !== null && given[path] !== MASK);
    if (!sent.some((path) => connection.secret_fields.includes(path))) return [];
    // Secrets that cannot be read any more are what this write may be about to replace.
    const secrets = await this.sealed.open(connection).catch((): Secrets => ({}));
    return sent.filter((path) => secrets[path] === given[path]);
  }

  #applied(record: LlmConnection | undefined, change: Change): Changed {
    const { caller, input, submitted, given } = change;
    const decision = decide(given, record?.secret_fields ?? [], llmSpec.fieldOf);
    const settings = settingsAfter(record, change, decision);
    const secretPaths = [...decision.keep, ...Object.keys(decision.set)];
    const problems = missingToStore(input.service, settings, secretPaths);
    if (problems.length > 0) throw invalid(problems);
    const servicesettings = JSON.stringify(settings);
    const isSharedChanged =
      record !== undefined &&
      (record.servicesettings !== servicesettings || changesShared(decision, record, change.repeated));
    const stamp = { last_updated_at: this.now(), last_updated_by: caller.user };
    const models = record ? modelsOf(record) : [];
    const before = models.find((one) => one.model === input.model);
    const entry: LlmModel = {
      model: input.model,
      is_saved: input.is_saved ?? true,
      is_model_saved: input.is_model_saved ?? true,
      blob: submitted.blob,
      version: (before?.version ?? 0) + 1,
      created_at: before?.created_at ?? stamp.last_updated_at,
      created_by: before?.created_by ?? caller.user,
      ...stamp,
      ...(before?.last_test ? { last_test: before.last_test } : {}),
    };
    const others = models.filter((one) => one !== before);
    const shown = isSharedChanged ? others.map((one) => ({ ...one, ...stamp, version: one.version + 1 })) : others;
    const open: OpenConnection = {
      _key: llmConnectionKey(input.service, input.connection_name),
      service: input.service,
      connection_name: record?.connection_name ?? input.connection_name,
      servicesettings,
      models: JSON.stringify([...shown, entry]),
    };
    assertFits(open);
    return { open, entry, alsoChanged: isSharedChanged ? others.map((one) => one.model) : [] };
  }
}

interface Change {
  caller: Caller;
  input: LlmConfigurationInput;
  submitted: Submitted;
  given: GivenSecrets;
  repeated: readonly string[];
  hosted: string | undefined;
}

interface Changed {
  open: OpenConnection;
  entry: LlmModel;
  alsoChanged: string[];
}

const busy = () => new Fault('store_unavailable', 'Others are changing this connection all the time; try again');
const entryOf = (record: LlmConnection, model: string) => modelsOf(record).find((one) => one.model === model);
const isKeyOf = (record: LlmConnection, name: string) => record._key === llmConnectionKey(record.service, name);

/** Settings are the connection's: a configuration that brings none leaves them as they are. */
function settingsAfter(record: LlmConnection | undefined, change: Change, decision: Decision): LlmJson {
  const { input, submitted, hosted } = change;
  const settings =
    submitted.servicesettings ??
    (record ? serviceSettingsOf(record) : withBase({}, LLM_SERVICES[input.service as Service]));
  const hasToken = decision.keep.includes(ACCESS_TOKEN) || ACCESS_TOKEN in decision.set;
  // A token of its own is bound to the host it was saved for, so that host has to be written down.
  if (hosted === undefined || !hasToken || readSettings(settings).endpoint !== undefined) return settings;
  return withBase(settings, { ...LLM_SERVICES[input.service as Service], defaultEndpoint: hosted });
}

function changesShared({ keep, set }: Decision, record: LlmConnection, repeated: readonly string[]): boolean {
  const after = [...keep, ...repeated.filter((path) => path in set)].filter(isShared);
  const isNew = Object.keys(set).some((path) => isShared(path) && !repeated.includes(path));
  return isNew || record.secret_fields.filter(isShared).length !== after.length;
}

/** A version that was seen before means nothing for a record that is not there: 0 is none. */
function assertVersion(entry: LlmModel | undefined, condition: number | undefined): void {
  const current = entry?.version ?? 0;
  if (condition === undefined || condition === current) return;
  const now = entry ? `The record has version ${current}` : 'There is no such record any more';
  throw new Fault('version_conflict', `${now}, not ${condition}: read it again`, { current_version: current });
}

/** The whole connection goes with its last model, and only then. */
function assertOnly(record: LlmConnection, guard: (record: LlmConnection) => LlmModel): void {
  guard(record);
  if (modelsOf(record).length > 1) throw new Moved();
}

function lessModel(record: LlmConnection, model: string): OpenConnection {
  const models = modelsOf(record).filter((one) => one.model !== model);
  if (models.length === 0) throw new Moved();
  return { ...record, models: JSON.stringify(models) };
}

function assertFits({ servicesettings, models }: OpenConnection): void {
  if (servicesettings.length + models.length <= LIMITS.connection_characters) return;
  const most = LIMITS.connection_characters;
  throw invalid([
    { field: '$body', message: `makes the connection with all its models longer than ${most} characters` },
  ]);
}

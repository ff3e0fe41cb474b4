import { MASK } from '../../../contract/basics.ts';
import type { Caller } from '../../../contract/caller.ts';
import { Fault } from '../../../contract/codes/faults.ts';
import type { LastTest } from '../../../contract/schemas/common.ts';
import { SealedRecords } from '../../../domain/records/sealed.ts';
import { SecretsLost, type Stores } from '../../../domain/records/sealedRecord.ts';
import type { Secrets, SubmittedSecrets } from '../../../domain/secrets/secrets.ts';
import type { LlmDependencies } from '../../../ports/llm/llmDependencies.ts';
import { assertUnused } from '../../agents/public.ts';
import { takeApart } from '../credentials/blob.ts';
import type { Marks } from '../credentials/credentials.ts';
import { isShared, stored } from '../credentials/storedPaths.ts';
import { LLM_PROVIDERS } from '../providers/registry.ts';
import type { LlmConfigurationInput } from '../schemas.ts';
import { type Change, type Changed, changedConnection } from './changes.ts';
import { type LlmConnection, type LlmIdentity, type LlmModel, llmConnectionKey, modelsOf } from './connection.ts';
import { llmSpec, type OpenConnection, withoutModel } from './records.ts';
import { type Save, Tested, type Verify } from './tested.ts';
import { assertVersion, entryOf } from './versions.ts';

/** Between reading a connection and getting its lease, others may create, empty or delete it: each try reads it afresh. */
const TRIES = 8;
class Moved extends Error {}

export interface Saved extends Pick<Changed, 'entry' | 'alsoChanged'> {
  connection: LlmConnection;
}

/** LLM configurations as records: one document for each connection, with all its models. */
export class LlmConfigurations {
  readonly sealed: SealedRecords<LlmConnection>;
  readonly stores: Stores;
  readonly marks: Marks;
  readonly #deps: LlmDependencies;

  constructor(stores: Stores, deps: LlmDependencies, marks: Marks) {
    this.stores = stores;
    this.sealed = new SealedRecords(llmSpec, stores);
    this.marks = marks;
    this.#deps = deps;
  }

  /** Epoch seconds. */
  now = (): number => this.stores.clock.now() / 1000;

  connection(provider: string, connectionName: string): Promise<LlmConnection | undefined> {
    return this.stores.records.get<LlmConnection>(llmSpec.collection, llmConnectionKey(provider, connectionName));
  }

  /** @throws Fault `not_found` */
  async get({ service, connection_name, model }: LlmIdentity): Promise<{ connection: LlmConnection; entry: LlmModel }> {
    const connection = await this.connection(service, connection_name);
    const entry = connection && modelsOf(connection).find((one) => one.model === model);
    if (!connection || !entry) throw this.sealed.missing();
    return { connection, entry };
  }

  /**
   * @param verify has it tested before anything is written
   * @throws Fault `validation_failed`, `version_conflict`, the faults of secrets, and what `verify` throws
   */
  async save(
    caller: Caller,
    input: LlmConfigurationInput,
    condition: number | undefined,
    verify?: Verify,
  ): Promise<Saved> {
    const { service: provider, connection_name, model } = input;
    const key = llmConnectionKey(provider, connection_name);
    const change = await this.#change(caller, input);
    const { submitted, given } = change;
    const save = { sealed: this.sealed, change, condition, now: this.now };
    const tested = verify && (await this.#tested(save, verify));
    const assertSame = (entry: LlmModel | undefined) => {
      assertVersion(entry, condition);
      tested?.assertEntry(entry);
    };
    return settled(async () => {
      const before = await this.connection(provider, connection_name);
      await tested?.assertTarget(before);
      const repeated = before ? await this.#repeated(before, given) : [];
      let changed: Changed | undefined;
      const apply = (record: LlmConnection | undefined): OpenConnection => {
        changed = changedConnection(record, { ...change, repeated, last_test: tested?.last_test }, this.now());
        return changed.open;
      };
      // A malformed one must not take the lease: what else is wrong with it is judged by the connection as it is now.
      if (submitted.problems.length > 0) apply(before);
      if (!before) assertSame(undefined);
      const connection = before
        ? await this.sealed.update(key, {
            actor: caller.user,
            condition: undefined,
            given,
            guard(record) {
              assertSame(entryOf(record, model));
              // Whether it is still what was tested has to be found out again.
              if (tested && !isSame(record, before)) throw new Moved();
            },
            next: apply,
          })
        : await this.sealed.create(apply(undefined), given, caller.user);
      // Somebody else's creation was met in its place.
      if (!changed) throw new Moved();
      return { connection, entry: changed.entry, alsoChanged: changed.alsoChanged };
    });
  }

  /** What `save` would store. Nothing is written, and no stored secret is read. @throws Fault as `save` */
  async draft(caller: Caller, input: LlmConfigurationInput, condition: number | undefined): Promise<Saved> {
    const { service, connection_name, model } = input;
    const change = await this.#change(caller, input);
    const before = await this.connection(service, connection_name);
    let changed = changedConnection(before, change, this.now());
    assertVersion(before && entryOf(before, model), condition);
    const { given } = change;
    if (!before) return { ...changed, connection: await this.sealed.draftCreate(changed.open, given, caller.user) };
    const connection = await this.sealed.draftUpdate(before, {
      actor: caller.user,
      condition: undefined,
      given,
      guard: () => {},
      next: (record) => {
        changed = changedConnection(record, change, this.now());
        return changed.open;
      },
    });
    return { ...changed, connection };
  }

  async #change(caller: Caller, input: LlmConfigurationInput): Promise<Change> {
    const { marks } = this;
    const submitted = takeApart(input.service, input, marks);
    const given = stored(submitted.given, input.model);
    const siteEndpoint = await LLM_PROVIDERS[input.service].siteEndpoint?.(this.#deps);
    return { caller, input, submitted, given, repeated: [], siteEndpoint, marks };
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

  /** What a test found about models: leaves `version` and `last_updated_*` alone. */
  async keepTest(key: string, isMeant: (entry: LlmModel) => boolean, last_test: LastTest): Promise<void> {
    await this.sealed.amend(key, async (record) => {
      const models = modelsOf(record);
      if (!models.some(isMeant)) return undefined;
      const next = models.map((one) => (isMeant(one) ? { ...one, last_test } : one));
      return { open: { models: JSON.stringify(next) } };
    });
  }

  #tested(save: Save, verify: Verify): Promise<Tested> {
    const { service, connection_name } = save.change.input;
    return settled(async () => Tested.of(save, await this.connection(service, connection_name), verify));
  }

  /** Paths of secrets that were sent again with the value they already have: nothing changes for the other models. */
  async #repeated(connection: LlmConnection, given: SubmittedSecrets): Promise<string[]> {
    const sent = Object.keys(given).filter((path) => isShared(path) && given[path] !== null && given[path] !== MASK);
    if (!sent.some((path) => connection.secret_fields.includes(path))) return [];
    // Secrets that can no longer be read may be just what this write replaces.
    const secrets = await this.sealed
      .unseal(connection, () => {}, 0)
      .then(
        (whole) => whole.secrets,
        (error: unknown): Secrets => {
          if (error instanceof SecretsLost) return {};
          throw error;
        },
      );
    return sent.filter((path) => secrets[path] === given[path]);
  }
}

/** What a server learns of a connection by itself does not count. */
const isSame = (a: LlmConnection, b: LlmConnection) => a.version === b.version && a.created_at === b.created_at;

/** Tries again when somebody else got there first, by a creation or a deletion: a save makes what is not there. */
async function settled<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 0; tries < TRIES; tries++) {
    try {
      return await attempt();
    } catch (error) {
      const isMoved = error instanceof Fault && ['not_found', 'duplicate_name'].includes(error.code);
      if (!isMoved && !(error instanceof Moved)) throw error;
    }
  }
  throw busy();
}

const busy = () => new Fault('store_unavailable', 'This connection keeps being changed by others; try again');
/** The connection is deleted with its last model, and only then. */
function assertOnly(record: LlmConnection, guard: (record: LlmConnection) => LlmModel): void {
  guard(record);
  if (modelsOf(record).length > 1) throw new Moved();
}

function lessModel(record: LlmConnection, model: string): OpenConnection {
  const models = modelsOf(record).filter((one) => one.model !== model);
  if (models.length === 0) throw new Moved();
  return { ...record, models: JSON.stringify(models) };
}

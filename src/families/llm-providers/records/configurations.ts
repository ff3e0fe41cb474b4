import type { Json } from '../../../contract/basics.ts';
import type { Caller } from '../../../contract/caller.ts';
import { invalid } from '../../../contract/codes/faults.ts';
import type { RecordPlan } from '../../../contract/rows/recordPlan.ts';
import type { LastTest } from '../../../contract/schemas/common.ts';
import type { Stores } from '../../../domain/records/sealedRecord.ts';
import type { LlmDependencies } from '../../../ports/llm/llmDependencies.ts';
import { assertNoUsers, type References } from '../../../resources/references.ts';
import { Resources } from '../../../resources/resources.ts';
import { Target } from '../../../resources/target.ts';
import type { ParsedBody } from '../../../resources/updates.ts';
import { type SecretPaths, withoutModelSecrets } from '../credentials/credentials.ts';
import { hasConfiguration, parseConfiguration } from '../credentials/parseConfiguration.ts';
import { LLM_PROVIDERS } from '../providers/registry.ts';
import type { LlmActionInput, LlmConfigurationInput, LlmRecord } from '../schemas.ts';
import { dropToken } from '../tokens/sharing.ts';
import {
  assertOnlyModel,
  assertVersion,
  ConcurrentChange,
  conflict,
  isSameVersion,
  resentPaths,
  retryOnConflict,
  withoutModel,
} from './conflicts.ts';
import {
  entryOf,
  type LlmConnection,
  type LlmIdentity,
  type LlmModel,
  llmConnectionKey,
  modelsOf,
  storedModels,
} from './connection.ts';
import { endCooldowns } from './cooldowns.ts';
import { type ConnectionView, configurationOf, type LlmSubmission, llmKind, llmView, type SaveTerms } from './kind.ts';
import { hasOAuth, type LlmTarget, toLlmTarget } from './target.ts';

/** Tests a configuration that is not saved yet. @throws Fault `verification_refused` */
type Verifier = (target: LlmTarget) => Promise<LastTest>;

export interface SaveOptions {
  /** The version of the model that the caller saw. */
  condition: number | undefined;
  /** Takes what is worth saying about the change. */
  warnings: string[];
  /** Tests the configuration before anything is written. */
  verify?: Verifier | undefined;
}

/** A test before a save, with what it was made on. */
interface Verification {
  entry: LlmModel | undefined;
  target: LlmTarget;
  last_test: LastTest;
}

type ParsedSubmission = ParsedBody<LlmSubmission & { save: SaveTerms }>;

/** LLM configurations: each is a model of a connection, and the connection is the record that is stored. */
export class LlmConfigurations {
  readonly connections: Resources<LlmConnection, LlmSubmission, ConnectionView>;
  /** Paths of the secrets that the schema marks. */
  readonly marked: SecretPaths;
  readonly #deps: LlmDependencies;

  constructor(stores: Stores, deps: LlmDependencies, plan: RecordPlan) {
    this.connections = new Resources(llmKind, stores, plan);
    this.marked = plan.secrets;
    this.#deps = deps;
  }

  /** @throws Fault `not_found` */
  async get({ service, connection_name, model }: LlmIdentity): Promise<{ connection: LlmConnection; entry: LlmModel }> {
    const connection = await this.#find(llmConnectionKey(service, connection_name));
    const entry = connection && entryOf(connection, model);
    if (!connection || !entry) throw this.connections.sealed.notFound();
    return { connection, entry };
  }

  /** @throws Fault `validation_failed`, `version_conflict`, the faults of secrets, and what `verify` throws */
  async save(caller: Caller, input: LlmConfigurationInput, options: SaveOptions): Promise<LlmRecord> {
    const key = llmConnectionKey(input.service, input.connection_name);
    const submission = await this.#parse(caller, input, options.condition);
    const verified = options.verify && (await this.#verify(key, submission, options.verify));
    const saved = await retryOnConflict(
      () => this.#saveOnce(caller, key, submission, options, verified),
      ['not_found', 'duplicate_name'],
    );
    const entry = entryOf(saved, input.model) as LlmModel;
    if (verified) await endCooldowns(this.connections.stores, key, [entry]);
    return llmView(saved, entry);
  }

  /** The record that `save` would store. Nothing is written, and no stored secret is read. @throws Fault as `save` */
  async draft(caller: Caller, input: LlmConfigurationInput, { condition, warnings }: SaveOptions): Promise<LlmRecord> {
    const key = llmConnectionKey(input.service, input.connection_name);
    const submission = await this.#parse(caller, input, condition);
    const view = (await this.#find(key))
      ? await this.connections.draftUpdate(caller, key, submission, { condition: undefined, warnings })
      : await this.connections.draftCreate(caller, key, submission, warnings);
    return configurationOf(view, input.model);
  }

  /**
   * The target of a test or a refresh. The identity alone means the saved record; anything more is a configuration that is
   * tested as sent, except that masked and absent secrets come from the connection of that name.
   * @throws Fault `not_found`, `validation_failed` and the faults of secrets
   */
  async target(caller: Caller, input: LlmActionInput): Promise<LlmTarget> {
    const { service, connection_name, model } = input;
    const hasConfig = hasConfiguration(input as Json);
    const needsModel = input.action !== 'refresh_models' && input.probe !== 'list';
    const missing = [
      ...(connection_name === undefined && !hasConfig ? ['connection_name'] : []),
      ...(model === undefined && needsModel ? ['model'] : []),
    ];
    if (missing.length > 0) throw invalid(missing.map((field) => ({ field, message: 'is required' })));
    const key = connection_name === undefined ? undefined : llmConnectionKey(service, connection_name);
    if (!hasConfig && key !== undefined) return this.savedTarget(caller, key, model);
    const config = parseConfiguration(service, input as Json, this.marked);
    if (config.problems.length > 0) throw invalid(config.problems);
    const open = { service, connection_name: connection_name ?? '', config, save: undefined };
    const connection = key === undefined ? undefined : await this.#find(key);
    return this.#targetAfter(connection, { open, submitted: config.submitted }, model);
  }

  /** @param model undefined for the connection itself. @throws Fault `not_found` */
  async savedTarget(caller: Caller, key: string, model: string | undefined): Promise<LlmTarget> {
    const connection = await this.connections.unsealed(caller, key);
    if (model !== undefined && !entryOf(connection.record, model)) throw this.connections.sealed.notFound();
    return toLlmTarget(this.connections, Target.saved(connection), model);
  }

  /** @throws Fault `not_found`, `version_conflict`, `in_use` */
  async remove(
    caller: Caller,
    identity: LlmIdentity,
    { force, condition, references }: { force: boolean; condition: number | undefined; references: References },
  ): Promise<{ removed: LlmIdentity; wasLast: boolean }> {
    const { service, connection_name, model } = identity;
    const key = llmConnectionKey(service, connection_name);
    const { sealed, stores } = this.connections;
    const guard = (record: LlmConnection): void => {
      const entry = entryOf(record, model);
      if (!entry) throw sealed.notFound();
      assertVersion(entry, condition);
    };
    return retryOnConflict(async () => {
      const { connection } = await this.get(identity);
      const removed = { service, connection_name: connection.connection_name, model };
      guard(connection);
      const named = { kind: 'llm', service, connection_name: removed.connection_name, models: [model] } as const;
      if (!force) await assertNoUsers(stores.records, caller, references, named);
      const wasLast = modelsOf(connection).length === 1;
      if (wasLast) {
        if (hasOAuth(connection)) await dropToken(stores, key);
        await sealed.remove(key, { condition: undefined, guard: (record) => assertOnlyModel(record, guard) });
      } else {
        await sealed.update(key, {
          actor: caller.user,
          condition: undefined,
          submitted: withoutModelSecrets(model),
          seen: connection,
          guard,
          next: (record) => withoutModel(record, model),
        });
      }
      await endCooldowns(stores, key, [{ model }]);
      return { removed, wasLast };
    });
  }

  /** Stores the outcome of a test with the models that it is about; their versions stay. */
  async recordTest(key: string, isTested: (entry: LlmModel) => boolean, last_test: LastTest): Promise<void> {
    const record = await this.connections.sealed.amend(key, async (record) => {
      const models = modelsOf(record);
      if (!models.some(isTested)) return undefined;
      const next = models.map((entry) => (isTested(entry) ? { ...entry, last_test } : entry));
      return { open: storedModels(next) };
    });
    if (record && last_test.status === 'success')
      await endCooldowns(this.connections.stores, key, modelsOf(record).filter(isTested));
  }

  #find(key: string): Promise<LlmConnection | undefined> {
    return this.connections.stores.records.get<LlmConnection>(llmKind.collection, key);
  }

  async #parse(
    { user: actor }: Caller,
    input: LlmConfigurationInput,
    condition: number | undefined,
  ): Promise<ParsedSubmission> {
    const { service, connection_name, model, is_saved = true, is_model_saved = true } = input;
    const config = parseConfiguration(service, input, this.marked);
    const siteEndpoint = await LLM_PROVIDERS[service].siteEndpoint?.(this.#deps);
    const assertMayChange = (connection: LlmConnection | undefined) => {
      // Malformed values are reported first.
      if (config.problems.length === 0) assertVersion(connection && entryOf(connection, model), condition);
    };
    const terms = { model, is_saved, is_model_saved, actor, siteEndpoint, resent: [], last_test: undefined };
    return {
      open: { service, connection_name, config, save: { ...terms, assertMayChange } },
      submitted: config.submitted,
    };
  }

  async #saveOnce(
    caller: Caller,
    key: string,
    submission: ParsedSubmission,
    { warnings }: SaveOptions,
    verified: Verification | undefined,
  ): Promise<LlmConnection> {
    const { connections } = this;
    const before = await this.#find(key);
    const { save } = submission.open;
    save.assertMayChange(before);
    if (verified) await this.#assertStillVerified(before, submission, verified);
    const terms: SaveTerms = {
      ...save,
      resent: before ? await resentPaths(connections.sealed, before, submission.submitted) : [],
      last_test: verified?.last_test,
      assertMayChange(connection) {
        save.assertMayChange(connection);
        // The target has to be compared again with what was tested.
        if (verified && connection && before && !isSameVersion(connection, before)) throw new ConcurrentChange();
      },
    };
    const change = { ...submission, open: { ...submission.open, save: terms } };
    if (before) {
      const saved = await connections.update(caller, key, change, { condition: undefined, seen: before, warnings });
      if (hasOAuth(before) && !hasOAuth(saved)) await dropToken(connections.stores, key);
      return saved;
    }
    const draft = await connections.draft(change);
    const created = await connections.create(caller, key, draft);
    warnings.push(...draft.target.warnings);
    return created;
  }

  /** The connection as it would be after a change, with its secrets. Nothing is written. */
  async #targetAfter(
    connection: LlmConnection | undefined,
    submission: ParsedBody<LlmSubmission>,
    model: string | undefined,
  ): Promise<LlmTarget> {
    const target = connection
      ? await this.connections.preview(connection, submission, () => {})
      : (await this.connections.draft(submission)).target;
    return toLlmTarget(this.connections, target, model);
  }

  /** Whatever can be refused without a test is refused before it. */
  #verify(key: string, submission: ParsedSubmission, verify: Verifier): Promise<Verification> {
    const { model, assertMayChange } = submission.open.save;
    return retryOnConflict(async () => {
      const connection = await this.#find(key);
      assertMayChange(connection);
      const target = await this.#targetAfter(connection, submission, model);
      return { entry: connection && entryOf(connection, model), target, last_test: await verify(target) };
    }, ['not_found']);
  }

  /**
   * Other models of the connection may be saved during the test, as long as the provider would be called in the same way.
   * @throws Fault `version_conflict`
   */
  async #assertStillVerified(
    connection: LlmConnection | undefined,
    submission: ParsedSubmission,
    { entry: before, target }: Verification,
  ): Promise<void> {
    const { model } = submission.open.save;
    const entry = connection && entryOf(connection, model);
    if (before?.version !== entry?.version || before?.created_at !== entry?.created_at) {
      throw conflict('Somebody changed the record while it was being tested: read it again', entry);
    }
    const { settings } = (await this.#targetAfter(connection, submission, model)).target;
    if (JSON.stringify(settings) === JSON.stringify(target.target.settings)) return;
    throw conflict('Somebody changed the connection while it was being tested: try again', entry);
  }
}

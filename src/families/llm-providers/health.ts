import { append } from '../../contract/basics.ts';
import { EDIT_LLM_CONFIGURATIONS, READ_LLM_CONFIGURATIONS } from '../../contract/capabilities.ts';
import type { RecordPlans } from '../../contract/rows/recordPlan.ts';
import type { LastTest } from '../../contract/schemas/common.ts';
import type { Condition, HealthSource } from '../../domain/records/connectionHealth.ts';
import { lastTest } from '../../domain/records/lastTest.ts';
import type { Stores } from '../../domain/records/sealedRecord.ts';
import type { LlmDependencies } from '../../ports/llm/llmDependencies.ts';
import { chatWith, listWith } from './calls/probe.ts';
import { lacksList } from './providers/provider.ts';
import { expiriesOf } from './records/conditions.ts';
import { LlmConfigurations } from './records/configurations.ts';
import { isSaved, LLM_CONNECTIONS, type LlmConnection, type LlmModel, modelsOf } from './records/connection.ts';
import { Cooldowns } from './records/cooldowns.ts';
import { FAMILY } from './records/kind.ts';

const FIELDS = [
  'service',
  'connection_name',
  'servicesettings',
  'models',
  'created_by',
] as const satisfies readonly (keyof LlmConnection)[];
type ConnectionHead = Pick<LlmConnection, '_key' | (typeof FIELDS)[number]>;

/** Errors of one model, which a test by list cannot detect. */
const OF_A_MODEL: readonly unknown[] = ['model_not_found', 'model_not_invokable'];
const failsAlone = ({ last_test }: LlmModel): boolean => OF_A_MODEL.includes(last_test?.error_code);

/** One condition per connection, since its models share settings, secrets and the outcome of a test by list. */
export function llmHealth(stores: Stores, deps: LlmDependencies, plans: RecordPlans): HealthSource {
  const configurations = new LlmConfigurations(stores, deps, plans[FAMILY]);

  return {
    readers: READ_LLM_CONFIGURATIONS,
    testers: EDIT_LLM_CONFIGURATIONS.gate,
    flag: EDIT_LLM_CONFIGURATIONS.flag,
    async conditions() {
      const conditions: Condition[] = [];
      const cooldowns = await Cooldowns.read(stores);
      for await (const chunk of stores.records.chunks<ConnectionHead>(LLM_CONNECTIONS, { fields: FIELDS })) {
        append(
          conditions,
          chunk.flatMap((connection) => conditionOf(connection, cooldowns)),
        );
      }
      return conditions;
    },
    async test(caller, key, deadline) {
      const { models } = await configurations.connections.get(caller, key);
      const first = modelsOf({ models }).find(isSaved);
      const target = await configurations.savedTarget(caller, key, undefined);
      const { error, elapsedMs } = await listWith(target, deps, deadline);
      const outcome = { error, elapsedMs };
      let isTested = (entry: LlmModel) => isSaved(entry) && !failsAlone(entry);
      if (lacksList(error) && first) {
        const chat = await chatWith({ ...target, model: first.model }, deps, deadline);
        Object.assign(outcome, { error: chat.error, elapsedMs: elapsedMs + chat.elapsedMs });
        isTested = ({ model }) => model === first.model;
      }
      await configurations.recordTest(
        key,
        isTested,
        lastTest(configurations.connections.now(), outcome.elapsedMs, outcome.error),
      );
      return outcome.error;
    },
  };
}

const nameOf = (service: string, connectionName: string): string => `${service}/${connectionName}`;

function conditionOf(connection: ConnectionHead, cooldowns: Cooldowns): Condition[] {
  const { _key: key, service, connection_name, created_by: owner } = connection;
  const models = modelsOf(connection).filter(isSaved);
  if (models.length === 0) return [];
  const representative = findRepresentative(models);
  const lastTest = representative?.last_test;
  const isOfOne =
    representative && (failsAlone(representative) || models.some((model) => model.last_test?.status === 'success'));
  const name = nameOf(service, connection_name);
  return [
    {
      key,
      name,
      type: service,
      owner,
      lastTest,
      tested: isOfOne && lastTest?.status === 'fail' ? `the model ${representative.model}` : undefined,
      needsSignIn: false,
      expiries: expiriesOf(connection),
      cooldown: cooldowns.longestOf(models.map(({ model }) => ({ service, connection_name, model }))),
      reference: {
        kind: 'llm',
        service,
        connection_name,
        models: models.map(({ model }) => model),
        isConnection: true,
      },
    },
  ];
}

/** The last failed test, otherwise the last one. */
function findRepresentative(models: readonly LlmModel[]): LlmModel | undefined {
  const tested = models.filter((model): model is LlmModel & { last_test: LastTest } => model.last_test !== undefined);
  const failed = tested.filter(({ last_test }) => last_test.status === 'fail');
  const candidates = failed.length > 0 ? failed : tested;
  return candidates.sort((a, b) => b.last_test.tested_at - a.last_test.tested_at)[0];
}

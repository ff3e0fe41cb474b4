import { counted } from '../../contract/basics.ts';
import type { OutboundError } from '../../contract/codes/outbound.ts';
import { type Handlers, withDraft, withValidation } from '../../contract/rows/handlers.ts';
import type { RecordPlans } from '../../contract/rows/recordPlan.ts';
import type { LastTest } from '../../contract/schemas/common.ts';
import { lastTest } from '../../domain/records/lastTest.ts';
import type { Stores } from '../../domain/records/sealedRecord.ts';
import type { LlmDependencies } from '../../ports/llm/llmDependencies.ts';
import type { References } from '../../resources/references.ts';
import { assertPassed } from '../../resources/verified.ts';
import { ModelCache } from './calls/modelCache.ts';
import { chatWith, listWith, type Outcome, snippet, verifyWith } from './calls/probe.ts';
import { catalogue } from './catalogue.ts';
import type { LlmActionReply } from './catalogueSchemas.ts';
import { configurationRules } from './credentials/parseConfiguration.ts';
import type { llmProviders } from './endpoints.ts';
import { LLM_PROVIDERS } from './providers/registry.ts';
import { LlmConfigurations } from './records/configurations.ts';
import { FAMILY, llmView } from './records/kind.ts';
import { llmPage } from './records/listing.ts';
import type { LlmTarget } from './records/target.ts';
import type { LlmActionInput } from './schemas.ts';

type ActionAnswer = LlmActionReply & { status?: 'success' | 'fail'; error_code?: string; message: string };

export function llmHandlers(
  stores: Stores,
  deps: LlmDependencies,
  plans: RecordPlans,
  references: References,
): Handlers<typeof llmProviders> {
  const { secrets: marked } = plans[FAMILY];
  const configurations = new LlmConfigurations(stores, deps, plans[FAMILY]);
  const cache = new ModelCache(stores.records);

  return {
    async listLlmConfigurations({ query }) {
      const { result, pagination } = await llmPage(stores.records, query);
      return { result, pagination, message: counted(pagination.total, 'LLM configuration') };
    },
    async getLlmConfiguration({ params }) {
      const { connection, entry } = await configurations.get(params);
      return { config: llmView(connection, entry) };
    },
    saveLlmConfiguration: withDraft(
      withValidation(
        async ({ caller, body, query, condition, warnings }) => {
          const options = { condition, warnings, verify: query.verify ? verify : undefined };
          const updated_config = await configurations.save(caller, body, options);
          return { message: 'Service settings updated successfully', updated_config };
        },
        configurationRules(true, marked),
      ),
      ({ caller, body, condition, warnings }) => configurations.draft(caller, body, { condition, warnings }),
    ),
    async deleteLlmConfiguration({ caller, params, query, condition }) {
      const options = { force: query.force ?? false, condition, references };
      const { removed, wasLast } = await configurations.remove(caller, params, options);
      if (wasLast) {
        await cache.forget(params.service, params.connection_name).catch(() => {
          // The listing has nothing but model ids, and the next one replaces it.
          stores.log.warn('model_listing_left', { service: params.service });
        });
      }
      return { message: 'LLM configuration deleted', ...removed, service: params.service };
    },
    async getLlmCatalogue() {
      const [providerModels, configured] = await Promise.all([cache.all(), cache.configured()]);
      return { config: await catalogue(providerModels, configured, deps, marked) };
    },
    actOnLlmProvider: withValidation(
      async ({ caller, body }) => {
        const target = await configurations.target(caller, body);
        return body.action === 'refresh_models' ? refresh(target) : test(target, body.probe ?? 'chat');
      },
      configurationRules(false, marked),
    ),
  };

  async function test(target: LlmTarget, probe: NonNullable<LlmActionInput['probe']>): Promise<ActionAnswer> {
    if (probe === 'list') {
      const outcome = await listWith(target, deps);
      await remember(target, outcome);
      const count = outcome.value?.ids.length ?? 0;
      return tested(target, outcome, () => ({ message: `The provider answered with ${counted(count, 'model')}` }));
    }
    const outcome = await chatWith(target, deps);
    await remember(target, outcome);
    return tested(target, outcome, ({ message }) => ({
      message: 'The model answered',
      response_content: snippet(message.content, target),
    }));
  }

  async function tested<T extends { status: number }>(
    { provider, model, target }: LlmTarget,
    { value, error, elapsedMs }: Outcome<T>,
    success: (value: T) => { message: string; response_content?: string },
  ): Promise<ActionAnswer> {
    const hosting = await LLM_PROVIDERS[provider].hosting?.(target.settings, deps);
    const common = {
      provider: provider.toLowerCase(),
      service: provider,
      model: model ?? null,
      ...(hosting === undefined ? {} : { hosting }),
      http_status_code: value?.status ?? error?.httpStatus ?? null,
      response_time: Math.round(elapsedMs) / 1000,
    };
    return value ? { success: true, ...common, ...success(value) } : { ...failed(error), ...common };
  }

  async function verify(target: LlmTarget): Promise<LastTest> {
    const { error, elapsedMs } = await verifyWith(target, deps);
    assertPassed({ failure: error });
    return lastTest(configurations.connections.now(), elapsedMs, undefined);
  }

  async function refresh(target: LlmTarget): Promise<ActionAnswer> {
    const outcome = await listWith(target, deps);
    if (!outcome.value) return tested(target, outcome, () => ({ message: '' }));
    const { ids: models } = outcome.value;
    await cache.put(target.provider, target.connectionName, models, configurations.connections.now());
    const count = models.length;
    const message = `The provider offers ${counted(count, 'model')}`;
    return { success: true, service: target.provider, models, count, message };
  }

  async function remember({ savedKey, model }: LlmTarget, { error, elapsedMs }: Outcome<unknown>): Promise<void> {
    if (savedKey === undefined || model === undefined) return;
    const last_test = lastTest(configurations.connections.now(), elapsedMs, error);
    await configurations.recordTest(savedKey, (entry) => entry.model === model, last_test);
  }
}

function failed(error: OutboundError | undefined) {
  const retry = error?.retryAfter === undefined ? {} : { retry_after: error.retryAfter };
  const code = error?.code ?? 'upstream_error';
  return { status: 'fail' as const, success: false, error_code: code, message: error?.message ?? '', ...retry };
}

import { counted } from '../../contract/basics.ts';
import type { OutboundError } from '../../contract/codes/outbound.ts';
import { type Handlers, withDraft, withValidation } from '../../contract/rows/handlers.ts';
import type { LastTest } from '../../contract/schemas/common.ts';
import { lastTest } from '../../domain/records/lastTest.ts';
import type { Stores } from '../../domain/records/sealedRecord.ts';
import type { LlmDependencies } from '../../ports/llm/llmDependencies.ts';
import { assertPassed } from '../../resources/verified.ts';
import { actionTarget } from './calls/actionTarget.ts';
import { ModelCache } from './calls/modelCache.ts';
import { chatWith, listWith, type Outcome, snippet, verifyWith } from './calls/probe.ts';
import { catalogue } from './catalogue.ts';
import type { LlmActionReply } from './catalogueSchemas.ts';
import { blobRules } from './credentials/blob.ts';
import type { llmProviders } from './endpoints.ts';
import { LlmConfigurations } from './records/configurations.ts';
import { llmPage } from './records/listing.ts';
import { FAMILY, llmView } from './records/records.ts';
import type { ActionTarget } from './records/savedAs.ts';
import type { LlmActionInput } from './schemas.ts';

type ActionAnswer = LlmActionReply & { status?: 'success' | 'fail'; error_code?: string; message: string };

export function llmHandlers(
  stores: Stores,
  deps: LlmDependencies,
  secretPaths: Readonly<Record<string, readonly string[]>>,
): Handlers<typeof llmProviders> {
  const marks = secretPaths[FAMILY] ?? [];
  const configurations = new LlmConfigurations(stores, deps, marks);
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
          const test = query.verify ? verify : undefined;
          const { connection, entry, alsoChanged } = await configurations.save(caller, body, condition, test);
          if (alsoChanged.length > 0) warnings.push(sharedWarning(connection.connection_name, alsoChanged));
          return {
            message: 'Service settings updated successfully',
            updated_config: llmView(connection, entry),
          };
        },
        blobRules(true, marks),
      ),
      async ({ caller, body, condition, warnings }) => {
        const { connection, entry, alsoChanged } = await configurations.draft(caller, body, condition);
        if (alsoChanged.length > 0) warnings.push(sharedWarning(connection.connection_name, alsoChanged));
        return llmView(connection, entry);
      },
    ),
    async deleteLlmConfiguration({ caller, params, query, condition }) {
      const options = { force: query.force ?? false, condition };
      const { removed, wasLast } = await configurations.remove(caller, params, options);
      if (wasLast) {
        await cache.forget(params.service, params.connection_name).catch(() => {
          // Only a provider's model ids, nothing of the connection's: the next list under this name replaces them.
          stores.log.warn('model_listing_left', { service: params.service });
        });
      }
      return { message: 'LLM configuration deleted', ...removed, service: params.service };
    },
    async getLlmCatalogue() {
      const [listed, configured] = await Promise.all([cache.all(), cache.configured()]);
      return { config: await catalogue(listed, configured, deps, marks) };
    },
    actOnLlmProvider: withValidation(
      async ({ body }) => {
        const target = await actionTarget(configurations, body);
        return body.action === 'refresh_models' ? refresh(target) : test(target, body.probe ?? 'chat');
      },
      blobRules(false, marks),
    ),
  };

  async function test(target: ActionTarget, probe: NonNullable<LlmActionInput['probe']>): Promise<ActionAnswer> {
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

  async function verify(target: ActionTarget): Promise<LastTest> {
    const { error, elapsedMs } = await verifyWith(target, deps);
    assertPassed({ failure: error });
    return lastTest(configurations.now(), elapsedMs, undefined);
  }

  async function refresh(target: ActionTarget): Promise<ActionAnswer> {
    const outcome = await listWith(target, deps);
    if (!outcome.value) return tested(target, outcome, () => ({ message: '' }));
    const { ids: models } = outcome.value;
    await cache.put(target.provider, target.connectionName, models, configurations.now());
    const count = models.length;
    const message = `The provider offers ${counted(count, 'model')}`;
    return { success: true, service: target.provider, models, count, message };
  }

  async function remember({ savedKey, model }: ActionTarget, { error, elapsedMs }: Outcome<unknown>): Promise<void> {
    if (savedKey === undefined || model === undefined) return;
    const last_test = lastTest(configurations.now(), elapsedMs, error);
    await configurations.keepTest(savedKey, (entry) => entry.model === model, last_test);
  }
}

function tested<T extends { status: number }>(
  { provider, model }: ActionTarget,
  { value, error, elapsedMs }: Outcome<T>,
  success: (value: T) => { message: string; response_content?: string },
): ActionAnswer {
  const common = {
    provider: provider.toLowerCase(),
    service: provider,
    model: model ?? null,
    http_status_code: value?.status ?? error?.httpStatus ?? null,
    response_time: Math.round(elapsedMs) / 1000,
  };
  return value ? { success: true, ...common, ...success(value) } : { ...failed(error), ...common };
}

function failed(error: OutboundError | undefined) {
  const retry = error?.retryAfter === undefined ? {} : { retry_after: error.retryAfter };
  const code = error?.code ?? 'upstream_error';
  return { status: 'fail' as const, success: false, error_code: code, message: error?.message ?? '', ...retry };
}

function sharedWarning(connection: string, models: readonly string[]): string {
  const [shown, more] = [models.slice(0, 10).join(', '), models.length - 10];
  const rest = more > 0 ? ` and ${more} more` : '';
  return `The settings of the connection ${connection} have changed for its other models as well: ${shown}${rest}`;
}

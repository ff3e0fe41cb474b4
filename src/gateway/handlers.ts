import type { Caller } from '../contract/caller.ts';
import { Fault, invalid } from '../contract/codes/faults.ts';
import type { UsageWay } from '../contract/families/usage.ts';
import { type Handlers, withValidation } from '../contract/rows/handlers.ts';
import { isFlagOnNow } from '../contract/settings/flags.ts';
import type { CloudKnowledgeBases } from '../ports/cloud/cloudKnowledgeBases.ts';
import type { LlmDependencies } from '../ports/llm/llmDependencies.ts';
import type { Settings } from '../ports/stores/settings.ts';
import { itemsOf, runBatch } from './batch/batch.ts';
import { type BatchDependencies, OPERATIONS } from './batch/operations.ts';
import type { gateway } from './endpoints.ts';
import { eventStream } from './models/chatReply.ts';
import { findModel, listModels } from './models/modelList.ts';
import { type OperationDependencies, serveChat, serveEmbed } from './models/operations.ts';
import { modelReadings } from './models/readings.ts';
import { readPrices } from './prices/prices.ts';
import { storeReadings } from './retrieval/readings.ts';
import { assertFilter, serveRetrieve } from './retrieval/retrieve.ts';
import { Meter } from './use/meter.ts';
import { type RecordedUse, recordUse, type UseSite } from './use/recordedUse.ts';
import type { Serving } from './use/serving.ts';
import { NO_TOKENS } from './use/tokens.ts';
import type { Use } from './use/use.ts';

export interface GatewayDependencies extends Pick<OperationDependencies, 'stores' | 'schemas' | 'pauses'> {
  settings: Settings;
  /** ml_prices.conf. */
  prices: Settings;
  llm: LlmDependencies;
  knowledgeBases: CloudKnowledgeBases;
  secretPaths: Readonly<Record<string, readonly string[]>>;
  /** Of the process: what it records and limits. */
  uses: Pick<UseSite, 'limits' | 'keep'>;
}

/** Where a request comes from, as it says itself. */
export interface RequestOrigin {
  isSearch: boolean;
  sid: string | undefined;
}

/** For one request. */
export function gatewayHandlers(
  site: GatewayDependencies,
  use: Use,
  { isSearch, sid }: RequestOrigin,
): Handlers<typeof gateway> {
  const { records } = site.stores;
  const deps: BatchDependencies = {
    ...site,
    ...modelReadings(site),
    ...storeReadings(site),
    prices: () => readPrices(site.prices, site.stores.log),
  };
  const siteFor = (caller: Caller, via: UsageWay, requestId: string): UseSite => ({
    ...site.uses,
    caller,
    origin: { via, sid, requestId },
    newId: site.stores.newId,
    now: site.stores.clock.now,
  });
  const servingFor = (caller: Caller, recorded: RecordedUse): Serving => ({
    caller,
    enter: () => use.enter(caller.user),
    use: recorded,
    waits: true,
  });

  return {
    async createChatCompletion({ body, caller, requestId }) {
      const { response } = await recordUse(siteFor(caller, 'openai', requestId), use.meter, (recorded) =>
        serveChat(deps, body, servingFor(caller, recorded)),
      );
      if (body.stream !== true) return response;
      // The pipeline sends an event stream as it is.
      return eventStream(response, body.stream_options?.include_usage === true) as unknown as typeof response;
    },
    async createEmbedding({ body, caller, requestId }) {
      const { response } = await recordUse(siteFor(caller, 'openai', requestId), use.meter, (recorded) =>
        serveEmbed(deps, body, servingFor(caller, recorded)),
      );
      return response;
    },
    async listGatewayModels({ caller }) {
      return { object: 'list', data: await listModels(records, caller) };
    },
    getGatewayModel: ({ params, caller }) => findModel(records, caller, params.model),
    retrievePassages: withValidation(async ({ body, caller, warnings, requestId }) => {
      const { response, warnings: told = [] } = await recordUse(
        siteFor(caller, wayOf(isSearch), requestId),
        use.meter,
        (recorded) => serveRetrieve(deps, body, servingFor(caller, recorded)),
      );
      warnings.push(...told);
      return response;
    }, assertFilter),
    async runBatch({ body, caller, calls, requestId }) {
      const { operation: name, common, items, parallel = 8, deadline_s = 25, dedup = true, dry_run = false } = body;
      const { begin_within_s = deadline_s } = body;
      const operation = OPERATIONS[name];
      const { dryRun } = operation;
      if (dry_run && !dryRun)
        throw invalid([{ field: 'dry_run', message: `is not for ${name}: nothing is estimated` }]);
      const parsed = itemsOf(items);
      const isOn = await isFlagOnNow(operation.flag, site.settings);
      const deadline = await use.enter(caller.user);
      const terms = { parallel, dedup, deadlineMs: deadline_s * 1000, beginWithinMs: begin_within_s * 1000 };
      const useSite = siteFor(caller, wayOf(isSearch), requestId);
      return runBatch(parsed, terms, deadline, {
        record: (work) => recordUse(useSite, new Meter(use.meter), work),
        async run(own, recorded, until) {
          if (!isOn) throw new Fault('feature_disabled', `The feature ${operation.flag} is switched off.`);
          const { body: known } = calls.known(operation.row, { ...common, ...own });
          const problems = await calls.problems(operation.row, known);
          if (problems.length > 0) throw invalid(problems);
          if (dry_run && dryRun) return { response: { ...(await dryRun(deps, known, caller)) }, tokens: NO_TOKENS };
          const serving = { caller, enter: async () => until, use: recorded, waits: false };
          const { response, tokens, charge, warnings = [] } = await operation.serve(deps, known, serving);
          const told = warnings.length > 0 ? { warnings } : {};
          return { response: { ...response, ...told }, tokens, cost: charge?.cost };
        },
      });
    },
  };
}

const wayOf = (isSearch: boolean): UsageWay => (isSearch ? 'search' : 'rest');

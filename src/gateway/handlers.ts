import type { Caller } from '../contract/caller.ts';
import { Fault, invalid } from '../contract/codes/faults.ts';
import type { Handlers } from '../contract/rows/handlers.ts';
import { isFlagOnNow } from '../contract/settings/flags.ts';
import type { LlmDependencies } from '../ports/llm/llmDependencies.ts';
import type { Settings } from '../ports/stores/settings.ts';
import { itemsOf, runBatch } from './batch/batch.ts';
import type { gateway } from './endpoints.ts';
import { eventStream } from './models/chatReply.ts';
import { findModel, listModels } from './models/modelList.ts';
import { OPERATIONS, type OperationDependencies, type Serving, serveChat, serveEmbed } from './models/operations.ts';
import { readings } from './models/readings.ts';
import { readPrices } from './prices/prices.ts';
import type { Use } from './use/use.ts';

export interface GatewayDependencies extends Pick<OperationDependencies, 'stores' | 'schemas' | 'pauses'> {
  settings: Settings;
  /** ml_prices.conf. */
  prices: Settings;
  llm: LlmDependencies;
  secretPaths: Readonly<Record<string, readonly string[]>>;
}

/** For one request. */
export function gatewayHandlers(site: GatewayDependencies, use: Use): Handlers<typeof gateway> {
  const { records } = site.stores;
  const deps: OperationDependencies = {
    ...site,
    ...readings(site),
    prices: () => readPrices(site.prices, site.stores.log),
  };
  const servingFor = (caller: Caller): Serving => ({
    caller,
    enter: () => use.enter(caller.user),
    meter: use.meter,
    attemptsBefore: 0,
    waits: true,
  });

  return {
    async createChatCompletion({ body, caller }) {
      const { response } = await serveChat(deps, body, servingFor(caller));
      if (body.stream !== true) return response;
      // The pipeline sends an event stream as it is.
      return eventStream(response, body.stream_options?.include_usage === true) as unknown as typeof response;
    },
    createEmbedding: async ({ body, caller }) => (await serveEmbed(deps, body, servingFor(caller))).response,
    async listGatewayModels({ caller }) {
      return { object: 'list', data: await listModels(records, caller) };
    },
    getGatewayModel: ({ params, caller }) => findModel(records, caller, params.model),
    async runBatch({ body, caller, calls }) {
      const { operation: name, common, items, parallel = 8, deadline_s = 25, dedup = true, dry_run = false } = body;
      const { begin_within_s = deadline_s } = body;
      const operation = OPERATIONS[name];
      const parsed = itemsOf(items);
      const isOn = await isFlagOnNow(operation.flag, site.settings);
      const deadline = await use.enter(caller.user);
      const terms = { parallel, dedup, deadlineMs: deadline_s * 1000, beginWithinMs: begin_within_s * 1000 };
      return runBatch(parsed, terms, { deadline, meter: use.meter }, async (own, { deadline: until, ...tries }) => {
        const item = { ...common, ...own };
        if (!isOn) throw new Fault('feature_disabled', `The feature ${operation.flag} is switched off.`);
        const { body: known } = calls.known(operation.row, item);
        const problems = await calls.problems(operation.row, known);
        if (problems.length > 0) throw invalid(problems);
        if (dry_run) return { response: { ...(await operation.dryRun(deps, item, caller)) }, tokens: NO_TOKENS };
        const serving = { caller, enter: async () => until, ...tries, waits: false };
        const { response, tokens, charge } = await operation.serve(deps, item, serving);
        return { response: { ...response }, tokens, cost: charge?.cost };
      });
    },
  };
}

const NO_TOKENS = { input: 0, output: 0 };

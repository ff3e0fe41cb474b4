import type { Caller } from '../contract/caller.ts';
import { passes, RUN_AGENTS } from '../contract/capabilities.ts';
import { Fault, invalid } from '../contract/codes/faults.ts';
import type { UsageWay } from '../contract/families/usage.ts';
import { type Handlers, withValidation } from '../contract/rows/handlers.ts';
import { RawReply } from '../contract/rows/rawReply.ts';
import { isFlagOnNow } from '../contract/settings/flags.ts';
import { setting } from '../contract/settings/settings.ts';
import { itemsOf, roundIntegers, runBatch } from './batch/batch.ts';
import { type BatchDependencies, OPERATIONS } from './batch/operations.ts';
import type { gateway } from './endpoints.ts';
import { toolsOfAgents } from './mcp/agentKind.ts';
import { type ToolRequest, toolsOfAllConnections, toolsOfConnection } from './mcp/connectionKind.ts';
import { assertOrigin } from './mcp/origin.ts';
import { servedTools } from './mcp/servedTools.ts';
import { toolsOfStores } from './mcp/storeKind.ts';
import type { ToolKind } from './mcp/toolKind.ts';
import { eventStream } from './models/chatReply.ts';
import { findModel, listModels } from './models/modelList.ts';
import { serveChat, serveEmbed } from './models/operations.ts';
import { predictOpeners } from './predict/openers.ts';
import { servePredict } from './predict/predict.ts';
import { beginUse, endUse } from './predict/searchUse.ts';
import { assertFilter, serveRetrieve } from './retrieval/retrieve.ts';
import { type GatewayDependencies, type RequestOrigin, requestUses } from './site.ts';
import { serveToolCall } from './tools/callTool.ts';
import { ToolCatalogue } from './tools/usableTools.ts';
import { Meter } from './use/meter.ts';
import { type RecordedUse, recordUse } from './use/recordedUse.ts';
import type { Served, Serving } from './use/serving.ts';
import { NO_TOKENS } from './use/tokens.ts';
import type { Use } from './use/use.ts';

/** For one request. */
export function gatewayHandlers(site: GatewayDependencies, use: Use, origin: RequestOrigin): Handlers<typeof gateway> {
  const { isSearch, header } = origin;
  const { records } = site.stores;
  const { depsFor, siteFor } = requestUses(site, origin);
  const servingFor = (caller: Caller, recorded: RecordedUse): Serving => ({
    caller,
    enter: () => use.enter(caller.user),
    use: recorded,
    waits: true,
  });

  /** Records one use of a search or another client. @param warnings of the reply, which those of the use are added to */
  async function replyOf<R>(
    warnings: string[],
    caller: Caller,
    requestId: string,
    serve: (serving: Serving) => Promise<Served<R>>,
  ): Promise<R> {
    const served = await recordUse(siteFor(caller, wayOf(isSearch), requestId), use.meter, (recorded) =>
      serve(servingFor(caller, recorded)),
    );
    warnings.push(...(served.warnings ?? []));
    return served.response;
  }

  const assertAllowedOrigin = async () =>
    assertOrigin(header('origin'), header('host'), setting(await site.settings.recent(), 'gateway', 'allowed_origins'));
  const toolRequest = (caller: Caller, requestId: string): ToolRequest & { deps: BatchDependencies } => ({
    deps: depsFor(requestId),
    caller,
    meter: use.meter,
    enter: () => use.enter(caller.user),
    record: (work) =>
      recordUse(siteFor(caller, 'mcp', requestId), use.meter, (recorded) => work(servingFor(caller, recorded))),
  });
  async function answerMcp(body: Uint8Array, kinds: readonly ToolKind[]) {
    const reply = await site.mcpServer.serve({ body, header }, servedTools(kinds));
    // The pipeline sends it as it is.
    return new RawReply(reply.body, reply.headers, reply.status) as never;
  }

  return {
    async createChatCompletion({ body, caller, requestId }) {
      const { response } = await recordUse(siteFor(caller, 'openai', requestId), use.meter, (recorded) =>
        serveChat(depsFor(requestId), body, servingFor(caller, recorded)),
      );
      if (body.stream !== true) return response;
      // The pipeline sends an event stream as it is.
      return eventStream(response, body.stream_options?.include_usage === true) as unknown as typeof response;
    },
    async createEmbedding({ body, caller, requestId }) {
      const { response } = await recordUse(siteFor(caller, 'openai', requestId), use.meter, (recorded) =>
        serveEmbed(depsFor(requestId), body, servingFor(caller, recorded)),
      );
      return response;
    },
    async listGatewayModels({ caller }) {
      return { object: 'list', data: await listModels({ records, settings: site.settings }, caller) };
    },
    getGatewayModel: ({ params, caller }) => findModel({ records, settings: site.settings }, caller, params.model),
    retrievePassages: withValidation(async ({ body, caller, warnings, requestId }) => {
      return replyOf(warnings, caller, requestId, (serving) => serveRetrieve(depsFor(requestId), body, serving));
    }, assertFilter),
    async predict({ body, caller, warnings, requestId }) {
      return replyOf(warnings, caller, requestId, (serving) => servePredict(depsFor(requestId), body, serving));
    },
    async beginPrediction({ body, caller, warnings, requestId }) {
      const useSite = siteFor(caller, wayOf(isSearch), requestId);
      const enter = () => use.enter(caller.user);
      const begun = await beginUse(predictOpeners(site), records, useSite, body.model, enter);
      warnings.push(...begun.warnings);
      return begun.response;
    },
    endPrediction: ({ body, caller, requestId }) =>
      endUse(site.stores, siteFor(caller, wayOf(isSearch), requestId), body),
    async serveMcp({ rawBody, caller, calls, requestId }) {
      await assertAllowedOrigin();
      const request = toolRequest(caller, requestId);
      const kinds: ToolKind[] = [];
      if (await isFlagOnNow('vector_stores', site.settings)) kinds.push(toolsOfStores({ ...request, records }));
      if (await isFlagOnNow('mcp_connections', site.settings)) kinds.push(toolsOfAllConnections(request));
      if (passes(RUN_AGENTS, caller.capabilities) && (await isFlagOnNow('agent_builder', site.settings)))
        kinds.push(toolsOfAgents({ ...request, agents: await site.openAgents(), calls }));
      return answerMcp(rawBody, kinds);
    },
    async serveMcpConnection({ params, rawBody, caller, requestId }) {
      await assertAllowedOrigin();
      const request = toolRequest(caller, requestId);
      const opened = await new ToolCatalogue(request.deps).connections.open(caller, params.connection);
      return answerMcp(rawBody, [toolsOfConnection(request, opened)]);
    },
    async callTool({ body, caller, warnings, requestId }) {
      return replyOf(warnings, caller, requestId, (serving) => serveToolCall(depsFor(requestId), body, serving));
    },
    async runBatch({ body, caller, calls, requestId }) {
      const { operation: name, common, items, parallel = 8, deadline_s = 25, dedup = true, dry_run = false } = body;
      const { begin_within_s = deadline_s } = body;
      const deps = depsFor(requestId);
      const operation = OPERATIONS[name];
      const { dryRun, hasEffects = false, isExact = false } = operation;
      if (dry_run && !dryRun)
        throw invalid([{ field: 'dry_run', message: `is not for ${name}: nothing is estimated` }]);
      if (!isExact) roundIntegers(body);
      const parsed = itemsOf(items);
      const { flag } = operation;
      const isOn = flag === undefined || (await isFlagOnNow(flag, site.settings));
      const deadline = await use.enter(caller.user);
      const times = { deadlineMs: deadline_s * 1000, beginWithinMs: begin_within_s * 1000 };
      const terms = { parallel, dedup: dedup && !hasEffects, repeats: !hasEffects, ...times };
      const useSite = siteFor(caller, wayOf(isSearch), requestId);
      return runBatch(parsed, terms, deadline, {
        record: (work) => recordUse(useSite, new Meter(use.meter), work),
        async run(own, recorded, until, beginning) {
          if (!isOn) throw new Fault('feature_disabled', `The feature ${flag} is switched off.`);
          const { body: known } = calls.known(operation.row, { ...common, ...own });
          const problems = await calls.problems(operation.row, known);
          if (problems.length > 0) throw invalid(problems);
          if (dry_run && dryRun) return { response: { ...(await dryRun(deps, known, caller)) }, tokens: NO_TOKENS };
          const serving = { caller, enter: async () => until, use: recorded, waits: false, beginning };
          const { response, tokens, charge, warnings = [] } = await operation.serve(deps, known, serving);
          const shown = warnings.length > 0 ? { warnings } : {};
          return { response: { ...response, ...shown }, tokens, cost: charge?.cost };
        },
      });
    },
  };
}

const wayOf = (isSearch: boolean): UsageWay => (isSearch ? 'search' : 'rest');

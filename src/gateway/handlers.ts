import type { Caller } from '../contract/caller.ts';
import { passes, RUN_AGENTS } from '../contract/capabilities.ts';
import { OVERLOADED_STATUS } from '../contract/codes/codes.ts';
import { Fault, invalid } from '../contract/codes/faults.ts';
import { OutboundError } from '../contract/codes/outbound.ts';
import type { UsageWay } from '../contract/families/usage.ts';
import { type Handlers, withValidation } from '../contract/rows/handlers.ts';
import { RawReply } from '../contract/rows/rawReply.ts';
import { isFlagOnNow } from '../contract/settings/flags.ts';
import { setting } from '../contract/settings/settings.ts';
import { version } from '../contract/version.ts';
import { resolveModel } from '../families/model-aliases/public.ts';
import { Meter } from '../metering/meter.ts';
import { type MeteredUse, recordUse } from '../metering/meteredUse.ts';
import type { RequestSlot } from '../metering/requestSlot.ts';
import { NO_TOKENS } from '../metering/tokens.ts';
import type { ChatApi } from './apis/chatApi.ts';
import { chatCompletions } from './apis/chatCompletions.ts';
import { betaWarnings } from './apis/messages/betas.ts';
import { countTokens, messages } from './apis/messages/messages.ts';
import { responses } from './apis/responses/responses.ts';
import { itemsOf, roundIntegers, runBatch } from './batch/batch.ts';
import { type GatewaySite, type RequestContext, type RequestOrigin, requestContext, useSite } from './context.ts';
import type { gateway } from './endpoints.ts';
import { runOperation } from './frame.ts';
import { assertDocuments, assertSelection } from './knowledge/documents.ts';
import { listDocuments } from './knowledge/listDocuments.ts';
import { toolsOfAgents } from './mcp/agentKind.ts';
import { type ToolRequest, toolsOfAllConnections, toolsOfConnection } from './mcp/connectionKind.ts';
import { assertOrigin } from './mcp/origin.ts';
import { toolsOfSearches } from './mcp/searchKind.ts';
import { servedTools } from './mcp/servedTools.ts';
import { toolsOfStores } from './mcp/storeKind.ts';
import type { ToolKind } from './mcp/toolKind.ts';
import { findModel, listModels } from './models/modelList.ts';
import type { Operation, OperationContext, Target } from './operation.ts';
import { chatOperation } from './operations/chat.ts';
import { embed } from './operations/embed.ts';
import { deleteDocuments, indexDocuments } from './operations/indexDocuments.ts';
import { predict } from './operations/predict.ts';
import { assertFilter, retrieve } from './operations/retrieve.ts';
import { search } from './operations/search.ts';
import { tool } from './operations/tool.ts';
import { beginUse, endUse } from './predict/searchUse.ts';
import { operationOfBatch } from './table.ts';
import { ToolCatalogue } from './tools/usableTools.ts';

/** Members of the bodies of all APIs. */
interface ChatOptions {
  stream?: boolean | null | undefined;
  drop_unsupported?: boolean | null | undefined;
}

interface ChatCall<B> {
  body: B;
  query: { drop_unsupported?: boolean };
  caller: Caller;
  requestId: string;
}

/** The API with warnings about what stands beside the body. */
const withWarnings = <B, R>(api: ChatApi<B, R>, warnings: readonly string[]): ChatApi<B, R> => ({
  ...api,
  parse(body) {
    const parsed = api.parse(body);
    return { ...parsed, warnings: [...warnings, ...parsed.warnings] };
  },
});

/** The same error, as that of an overloaded provider if it was one: clients of Anthropic wait longer then. */
function withOverload(error: unknown): unknown {
  const cause = error instanceof Fault ? error.cause : error;
  if (!(cause instanceof OutboundError) || cause.httpStatus !== OVERLOADED_STATUS) return error;
  const { code, message, extra, headers } = error instanceof Fault ? error : Fault.of(cause);
  return new Fault(code, message, { ...extra }, { headers, cause, status: OVERLOADED_STATUS });
}

/** For clients that cannot add fields to the body. */
const DROP_HEADER = 'x-ml-drop-unsupported';
const isTrue = (text: string | undefined): boolean => text !== undefined && /^(?:true|1|yes)$/i.test(text.trim());

/** For one request. */
export function gatewayHandlers(site: GatewaySite, slot: RequestSlot, origin: RequestOrigin): Handlers<typeof gateway> {
  const { isSearch, header } = origin;
  const { records } = site.stores;
  const contextOf = (requestId: string): RequestContext => requestContext(site, origin, requestId);
  /** Records one use. */
  const record = <T>(
    caller: Caller,
    via: UsageWay,
    requestId: string,
    work: (context: OperationContext) => Promise<T>,
  ): Promise<T> => {
    const deps = contextOf(requestId);
    return recordUse(useSite(deps, caller, via), slot.meter, (use) =>
      work({ deps, caller, enter: () => slot.enter(caller.user), use, waits: true }),
    );
  };

  /** One use of a search or another client. @param warnings of the reply, which those of the use are added to */
  async function replyOf<B, T extends Target, A, R>(
    operation: Operation<B, T, A, R>,
    { body, caller, warnings, requestId }: { body: B; caller: Caller; warnings: string[]; requestId: string },
  ): Promise<R> {
    return record(caller, wayOf(isSearch), requestId, async (context) => {
      const { response, warnings: own = [] } = await runOperation(operation, context, body);
      warnings.push(...own);
      return withMasked(response, context.use);
    });
  }

  /** A chat in the form of one API. */
  async function answerChat<B extends ChatOptions, R>(
    api: ChatApi<B, R>,
    via: UsageWay,
    { body: given, query, caller, requestId }: ChatCall<B>,
  ): Promise<R> {
    const drops = query.drop_unsupported ?? (isTrue(header(DROP_HEADER)) ? true : given.drop_unsupported);
    const body = { ...given, drop_unsupported: drops };
    const { response } = await record(caller, via, requestId, (context) =>
      runOperation(chatOperation(api), context, body),
    );
    // The pipeline sends an event stream as it is.
    return body.stream === true ? (api.stream(response, body) as unknown as R) : response;
  }

  const assertAllowedOrigin = async () =>
    assertOrigin(header('origin'), header('host'), setting(await site.settings.recent(), 'gateway', 'allowed_origins'));
  const toolRequest = (caller: Caller, requestId: string): ToolRequest => ({
    deps: contextOf(requestId),
    caller,
    meter: slot.meter,
    enter: () => slot.enter(caller.user),
    record: (work) => record(caller, 'mcp', requestId, work),
  });
  async function answerMcp(body: Uint8Array, kinds: readonly ToolKind[]) {
    const reply = await site.mcpServer.serve({ body, header }, servedTools(kinds));
    // The pipeline sends it as it is.
    return new RawReply(reply.body, reply.headers, reply.status) as never;
  }

  return {
    probeGateway: async () => ({ version }),
    probeGatewayApi: async () => ({ version }),
    createChatCompletion({ query, ...request }) {
      if (query.deadline_s !== undefined) slot.limitTo(query.deadline_s);
      return answerChat(chatCompletions, 'openai', { query, ...request });
    },
    createResponse(request) {
      slot.limitTo('long');
      return answerChat(responses, 'openai', request);
    },
    async createMessage(request) {
      slot.limitTo('long');
      const warnings = betaWarnings(header('anthropic-beta'));
      const api = warnings.length > 0 ? withWarnings(messages, warnings) : messages;
      return answerChat(api, 'anthropic', request).catch((error: unknown) => {
        throw withOverload(error);
      });
    },
    async countMessageTokens({ body, caller }) {
      await resolveModel({ records, settings: site.settings }, caller, body.model ?? undefined);
      return { input_tokens: countTokens(body), ml: { estimated: true as const } };
    },
    async createEmbedding({ body, caller, requestId }) {
      const { response } = await record(caller, 'openai', requestId, (context) => runOperation(embed, context, body));
      return response;
    },
    async listGatewayModels({ caller }) {
      return listModels({ records, settings: site.settings }, caller);
    },
    getGatewayModel: ({ params, caller }) => findModel({ records, settings: site.settings }, caller, params.model),
    retrievePassages: withValidation((request) => replyOf(retrieve, request), assertFilter),
    indexDocuments: withValidation((request) => replyOf(indexDocuments, request), assertDocuments),
    deleteDocuments: withValidation((request) => replyOf(deleteDocuments, request), assertSelection),
    listDocuments: ({ query, caller }) => listDocuments(site, caller, query),
    predict: (request) => replyOf(predict, request),
    async beginPrediction({ body, caller, warnings, requestId }) {
      const deps = contextOf(requestId);
      const enter = () => slot.enter(caller.user);
      const begun = await beginUse(deps, records, useSite(deps, caller, wayOf(isSearch)), body.model, enter);
      warnings.push(...begun.warnings);
      return begun.response;
    },
    endPrediction: ({ body, caller, requestId }) =>
      endUse(site.stores, useSite(contextOf(requestId), caller, wayOf(isSearch)), body),
    async serveMcp({ rawBody, caller, calls, requestId }) {
      await assertAllowedOrigin();
      const request = toolRequest(caller, requestId);
      const kinds: ToolKind[] = [];
      if (await isFlagOnNow('vector_stores', site.settings)) kinds.push(toolsOfStores({ ...request, records }));
      if (await isFlagOnNow('search_tools', site.settings)) kinds.push(toolsOfSearches({ ...request, records }));
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
    callTool: (request) => replyOf(tool, request),
    callSearchTool: (request) => replyOf(search, request),
    async runBatch({ body, caller, calls, requestId }) {
      const { operation: name, common, items, parallel = 8, deadline_s = 25, dedup = true, dry_run = false } = body;
      const { begin_within_s = deadline_s } = body;
      const deps = contextOf(requestId);
      const operation = operationOfBatch(name);
      const { dryRun, hasEffects = false, isExact = false } = operation;
      if (dry_run && !dryRun)
        throw invalid([{ field: 'dry_run', message: `is not for ${name}: nothing is estimated` }]);
      if (!isExact) roundIntegers(body);
      const parsed = itemsOf(items);
      const { flag } = operation;
      const isOn = flag === undefined || (await isFlagOnNow(flag, site.settings));
      const deadline = await slot.enter(caller.user);
      const times = { deadlineMs: deadline_s * 1000, beginWithinMs: begin_within_s * 1000 };
      const terms = { parallel, dedup: dedup && !hasEffects, repeats: !hasEffects, ...times };
      return runBatch(parsed, terms, deadline, {
        record: (work) => recordUse(useSite(deps, caller, wayOf(isSearch)), new Meter(slot.meter), work),
        async run(own, recorded, until, beginning) {
          if (!isOn) throw new Fault('feature_disabled', `The feature ${flag} is switched off`);
          const { body: input } = calls.known(operation.row, { ...common, ...own });
          const problems = await calls.problems(operation.row, input);
          if (problems.length > 0) throw invalid(problems);
          if (dry_run && dryRun) return { response: { ...(await dryRun(deps, input, caller)) }, tokens: NO_TOKENS };
          const context = { deps, caller, enter: async () => until, use: recorded, waits: false, beginning };
          const { response, tokens, charge, warnings = [] } = await runOperation(operation, context, input);
          const shown = warnings.length > 0 ? { warnings } : {};
          return { response: { ...withMasked(response, recorded), ...shown }, tokens, cost: charge?.cost };
        },
      });
    },
  };
}

/** A reply that is not in OpenAI's form says what was masked. */
const withMasked = <R>(response: R, { masked }: Pick<MeteredUse, 'masked'>): R =>
  masked && !Object.hasOwn(Object(response), 'ml') ? { ...response, ml: { masked } } : response;

const wayOf = (isSearch: boolean): UsageWay => (isSearch ? 'search' : 'rest');

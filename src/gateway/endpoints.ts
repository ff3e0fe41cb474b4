import { USE_GATEWAY } from '../contract/capabilities.ts';
import type { FaultCode } from '../contract/codes/codes.ts';
import { OUTBOUND_CODES } from '../contract/codes/outbound.ts';
import { endpoints } from '../contract/rows/endpoint.ts';
import { MASKING_FAULTS, modelEndpoints, UNAUDITED } from './apis/endpoints.ts';
import { BatchBody, BatchReply } from './batch/schemas.ts';
import { knowledge, STORE_FAULTS } from './knowledge/endpoints.ts';
import { ConnectionParam, McpAnswer, McpMessage } from './mcp/schemas.ts';
import {
  PredictBeginBody,
  PredictBeginReply,
  PredictBody,
  PredictEndBody,
  PredictEndReply,
  PredictReply,
} from './predict/schemas.ts';
import { RetrieveBody, RetrieveReply } from './retrieval/schemas.ts';
import { SearchCallBody, SearchCallReply } from './search/schemas.ts';
import { ToolCallBody, ToolCallReply } from './tools/schemas.ts';

const MEGABYTE = 1024 * 1024;
/** Codes of a call of a tool. */
const TOOL_FAULTS: readonly FaultCode[] = [
  ...(['not_found', 'tool_not_found', 'tool_changed', 'too_many_requests', 'limit_exceeded'] as const),
  ...MASKING_FAULTS,
  ...OUTBOUND_CODES.filter((code) => !code.startsWith('model_')),
];
/** Codes of a search tool. */
const SEARCH_FAULTS = [
  'not_found',
  'search_failed',
  'search_not_allowed',
  'too_many_searches',
  'too_many_requests',
  'limit_exceeded',
  'timeout',
] as const satisfies readonly FaultCode[];
/** Codes of a model that is named, whatever becomes of it. */
const MODEL_FAULTS = ['not_found', 'not_supported', 'feature_disabled', 'limit_exceeded'] as const;
/** Codes of a prediction. */
const PREDICT_FAULTS: readonly FaultCode[] = [
  ...new Set<FaultCode>([
    ...MODEL_FAULTS,
    'too_many_requests',
    'invalid_state',
    'model_not_runnable',
    ...MASKING_FAULTS,
    ...OUTBOUND_CODES,
  ]),
];
const TOOLS = { gate: USE_GATEWAY, acl: true, addition: true, method: 'POST', limited: true } as const;
const CALLS_AUDITED = 'Each call of a tool has an entry of its own.';
const PREDICT = { gate: USE_GATEWAY, acl: true, addition: true, method: 'POST' } as const;
const MCP = {
  ...TOOLS,
  body: McpMessage,
  rawBody: true,
  reply: McpAnswer,
  bare: true,
  unaudited: CALLS_AUDITED,
  callsUpstream: 'maybe',
} as const;

export const gateway = endpoints({
  ...modelEndpoints,
  ...knowledge,
  retrievePassages: {
    gate: USE_GATEWAY,
    flag: 'vector_stores',
    acl: true,
    addition: true,
    method: 'POST',
    path: '/ai_gateway/retrieve',
    summary: 'Looks for passages in a vector store.',
    body: RetrieveBody,
    limited: true,
    reply: RetrieveReply,
    unaudited: UNAUDITED,
    callsUpstream: 'maybe',
    faults: STORE_FAULTS,
  },
  predict: {
    ...PREDICT,
    path: '/ai_gateway/predict',
    summary: 'Applies an uploaded or registered model, or one in a container, to rows.',
    body: PredictBody,
    exactIntegers: true,
    // A row that is nested too deep fails alone.
    judgesDepth: true,
    limited: true,
    maxBody: 8 * MEGABYTE,
    reply: PredictReply,
    unaudited: UNAUDITED,
    callsUpstream: 'maybe',
    faults: PREDICT_FAULTS,
  },
  beginPrediction: {
    ...PREDICT,
    path: '/ai_gateway/predict/begin',
    summary: 'Begins the use of a model by a search that applies it by itself: judges rights and limits.',
    body: PredictBeginBody,
    limited: true,
    reply: PredictBeginReply,
    unaudited: UNAUDITED,
    faults: [...MODEL_FAULTS, 'invalid_state', 'too_many_requests', 'too_many_records'],
  },
  endPrediction: {
    ...PREDICT,
    path: '/ai_gateway/predict/end',
    summary: 'Ends such a use, once, and records it.',
    body: PredictEndBody,
    reply: PredictEndReply,
    unaudited: UNAUDITED,
    faults: ['not_found'],
  },
  serveMcp: {
    ...MCP,
    path: '/ai_gateway/mcp',
    summary: 'An MCP server with the tools of all MCP connections that the caller may read.',
    faults: ['origin_not_allowed'],
  },
  serveMcpConnection: {
    ...MCP,
    flag: 'mcp_connections',
    path: '/ai_gateway/mcp/{connection}',
    summary: 'An MCP server with the tools of one MCP connection, by their own names.',
    params: ConnectionParam,
    faults: ['origin_not_allowed', 'not_found'],
  },
  callTool: {
    ...TOOLS,
    flag: 'mcp_connections',
    path: '/ai_gateway/tools/call',
    summary: 'Calls a tool of an MCP connection, at most once.',
    body: ToolCallBody,
    exactIntegers: true,
    reply: ToolCallReply,
    unaudited: CALLS_AUDITED,
    callsUpstream: 'maybe',
    faults: TOOL_FAULTS,
  },
  callSearchTool: {
    ...TOOLS,
    flag: 'search_tools',
    path: '/ai_gateway/search',
    summary: 'Calls a search tool: searches the platform as the caller.',
    body: SearchCallBody,
    reply: SearchCallReply,
    unaudited: CALLS_AUDITED,
    callsUpstream: 'maybe',
    faults: SEARCH_FAULTS,
  },
  runBatch: {
    gate: USE_GATEWAY,
    acl: true,
    addition: true,
    method: 'POST',
    path: '/ai_gateway/batch',
    summary: 'Many small uses in one request.',
    body: BatchBody,
    exactIntegers: true,
    keepsUnknown: true,
    // An item that is too deep fails alone.
    judgesDepth: true,
    limited: true,
    maxBody: 8 * MEGABYTE,
    reply: BatchReply,
    unaudited: UNAUDITED,
    callsUpstream: 'maybe',
    faults: ['too_many_requests'],
  },
});

import { VIA_HEADER } from '../../../contract/audit.ts';
import { workerSearch } from '../../../contract/families/runs.ts';
import { SID_HEADER } from '../../../contract/families/usage.ts';
import type {
  AgentsApi,
  AlertsApi,
  ApiAnswer,
  CatalogueApi,
  GatewayApi,
  HealthApi,
  PredictionsApi,
  RunsApi,
  UsageApi,
} from '../../../ports/platform/ownApi.ts';
import { exactObjectOf, type SplunkdCall, SplunkdClient } from '../client.ts';
import { splunkdSearchJobs } from '../searchJobs.ts';

/** The longest request contacts servers for up to 30 s and accesses the stores. */
const TIMEOUT_MS = 50_000;

export type OwnCall = Pick<SplunkdCall, 'method' | 'endpoint' | 'query' | 'json' | 'timeoutMs'>;

/** Calls the app's REST endpoints with the session of the search's owner. */
function ownEndpoints(serverUri: string, sessionKey: string, sid = ''): (call: OwnCall) => Promise<ApiAnswer> {
  const client = new SplunkdClient(serverUri);
  // An id that the user chose may have characters that no header can carry: the use is then recorded without it.
  const headers = { [VIA_HEADER]: 'search', ...(/^[!-~]+$/.test(sid) ? { [SID_HEADER]: sid } : {}) };
  const options = { token: sessionKey, namespace: 'app', headers, timeoutMs: TIMEOUT_MS, anyStatus: true } as const;
  return async (call) => {
    const reply = await client.call({ ...options, ...call });
    const { status, retryAfter } = reply;
    return { status, body: exactObjectOf(reply), ...(retryAfter === undefined ? {} : { retryAfter }) };
  };
}

export function splunkdAgents(serverUri: string, sessionKey: string): AgentsApi {
  const call = ownEndpoints(serverUri, sessionKey);
  const pathOf = (name: string) => `ml/agents/${encodeURIComponent(name)}`;
  return {
    list: (offset) => call({ method: 'GET', endpoint: 'ml/agents', query: { count: '0', offset: String(offset) } }),
    read: (name) => call({ method: 'GET', endpoint: pathOf(name) }),
    follow: (name, action, interval) =>
      call({ method: 'POST', endpoint: `${pathOf(name)}/status`, json: { action, interval } }),
  };
}

const HEALTH = 'ml/connection_health';

export function splunkdHealth(serverUri: string, sessionKey: string): HealthApi {
  const call = ownEndpoints(serverUri, sessionKey);
  return {
    list: (family, offset) =>
      call({
        method: 'GET',
        endpoint: HEALTH,
        query: { count: '0', offset: String(offset), ...(family ? { family } : {}) },
      }),
    check: (family, max_age_s) =>
      call({ method: 'POST', endpoint: `${HEALTH}/check`, json: { max_age_s, ...(family ? { family } : {}) } }),
  };
}

export function splunkdUsage(serverUri: string, sessionKey: string): UsageApi {
  const call = ownEndpoints(serverUri, sessionKey);
  return { report: (query) => call({ method: 'GET', endpoint: 'ml/usage', query: { ...query } }) };
}

/** A batch may have to wait for a driver before its deadline begins. */
const BATCH_QUEUE_MS = 60_000;

const toolList = (cursor: string | undefined) => ({
  ...{ jsonrpc: '2.0', id: 1, method: 'tools/list' },
  params: cursor === undefined ? {} : { cursor },
});

/** @param sid of the search, for the records of its uses */
export function splunkdGateway(serverUri: string, sessionKey: string, sid: string): GatewayApi {
  const call = ownEndpoints(serverUri, sessionKey, sid);
  const post = (endpoint: string, json: object, timeoutMs: number) =>
    call({ method: 'POST', endpoint, json, timeoutMs: timeoutMs + BATCH_QUEUE_MS });
  return {
    batch: (request) =>
      call({
        method: 'POST',
        endpoint: 'ai_gateway/batch',
        json: request,
        timeoutMs: request.deadline_s * 1000 + BATCH_QUEUE_MS,
      }),
    tools: (connection, cursor) =>
      call({
        method: 'POST',
        endpoint: `ai_gateway/mcp/${encodeURIComponent(connection)}`,
        json: toolList(cursor),
        timeoutMs: BATCH_QUEUE_MS,
      }),
    indexDocuments: (store, documents, timeoutMs) => post('ai_gateway/index', { store, documents }, timeoutMs),
    deleteDocuments: (store, ids, timeoutMs) => post('ai_gateway/index/delete', { store, ids }, timeoutMs),
  };
}

/** @param sid of the search, for the record of its use */
export function splunkdPredictions(serverUri: string, sessionKey: string, sid: string): PredictionsApi {
  const call = ownEndpoints(serverUri, sessionKey, sid);
  const pathOf = (part: string) => `ai_gateway/predict/${part}`;
  return {
    begin: (model) => call({ method: 'POST', endpoint: pathOf('begin'), json: { model }, timeoutMs: BATCH_QUEUE_MS }),
    end: (use) => call({ method: 'POST', endpoint: pathOf('end'), json: { ...use } }),
  };
}

const RUNS = 'ai_gateway/runs';
/** A step may be all the work of an agent that runs elsewhere, for at most an hour, and may have to wait for a driver before. */
const STEP_MS = 3_900_000;

/** @param sid of the search, for the records of its uses */
export function splunkdRuns(serverUri: string, sessionKey: string, sid: string): RunsApi {
  const call = ownEndpoints(serverUri, sessionKey, sid);
  const jobs = splunkdSearchJobs(new SplunkdClient(serverUri), sessionKey);
  const pathOf = (id: string) => `${RUNS}/${encodeURIComponent(id)}`;
  return {
    start: (json) => call({ method: 'POST', endpoint: RUNS, json }),
    step: (id) => call({ method: 'POST', endpoint: `${pathOf(id)}/step`, json: {}, timeoutMs: STEP_MS }),
    read: (id) => call({ method: 'GET', endpoint: pathOf(id) }),
    cancel: (id) => call({ method: 'POST', endpoint: `${pathOf(id)}/cancel`, json: {} }),
    handOver: (user, id) => jobs.dispatch(user, workerSearch(id)),
  };
}

/** @param sid of the alert's search, for the records of its uses */
export function splunkdAlerts(serverUri: string, sessionKey: string, sid: string): AlertsApi {
  const call = ownEndpoints(serverUri, sessionKey, sid);
  return { start: (alert, timeoutMs) => call({ method: 'POST', endpoint: RUNS, json: { alert }, timeoutMs }) };
}

export function splunkdCatalogue(serverUri: string, sessionKey: string): CatalogueApi {
  const call = ownEndpoints(serverUri, sessionKey);
  return {
    records: (family, offset) =>
      call({ method: 'GET', endpoint: `ml/${family}`, query: { count: '0', offset: String(offset) } }),
    models: () => call({ method: 'GET', endpoint: 'ai_gateway/v1/models' }),
    tools: (cursor) =>
      call({ method: 'POST', endpoint: 'ai_gateway/mcp', json: toolList(cursor), timeoutMs: BATCH_QUEUE_MS }),
    limits: () => call({ method: 'GET', endpoint: 'ml/usage_limits/status' }),
  };
}

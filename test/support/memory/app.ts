import { maskingTools } from '../../../src/adapters/masking/tools.ts';
import { onnxInspector } from '../../../src/adapters/onnx/inspector.ts';
import { SplunkdClient } from '../../../src/adapters/splunkd/client.ts';
import { agentClouds } from '../../../src/app/dependencies/agentClouds.ts';
import { knowledgeBases, modelEndpoints } from '../../../src/app/dependencies/aws.ts';
import { containerDependencies } from '../../../src/app/dependencies/containers.ts';
import type { Dependencies, SiteDependencies } from '../../../src/app/dependencies/dependencies.ts';
import { llmDependencies } from '../../../src/app/dependencies/llm.ts';
import { mcpDependencies } from '../../../src/app/dependencies/mcp.ts';
import { uploadedModels } from '../../../src/app/dependencies/models/onnx.ts';
import { gatewayReply } from '../../../src/app/gateway/gatewayReply.ts';
import { admissionOf, createProcess, gatewayHandlersOf, originOf } from '../../../src/app/gateway/gatewayScope.ts';
import { mcpServer } from '../../../src/app/gateway/mcpServer.ts';
import { schemaChecks } from '../../../src/app/gateway/schemaChecks.ts';
import { managementHandlers } from '../../../src/app/request/createHandlers.ts';
import { scopeOf } from '../../../src/app/request/scope.ts';
import { contract, gatewayContract } from '../../../src/codegen/bundle/live.ts';
import { FAILURE_FIELDS } from '../../../src/codegen/openapi/failures.ts';
import { codesOf } from '../../../src/codegen/openapi/statuses.ts';
import type { Caller } from '../../../src/contract/caller.ts';
import { parseExact, stringifyExact } from '../../../src/contract/exactJson.ts';
import type { CompiledRow } from '../../../src/contract/rows/compiled.ts';
import type { AnyHandler } from '../../../src/contract/rows/handlers.ts';
import { accessLists } from '../../../src/domain/access/accessLists.ts';
import { AuditTrail } from '../../../src/domain/audit/audit.ts';
import type { AuditStored } from '../../../src/domain/audit/stored.ts';
import { StoreSchema } from '../../../src/domain/records/storeSchema.ts';
import { RequestSlot } from '../../../src/metering/requestSlot.ts';
import type { AgentClouds } from '../../../src/ports/cloud/agentCloud.ts';
import type { LlmDependencies } from '../../../src/ports/llm/llmDependencies.ts';
import type { McpDependencies } from '../../../src/ports/mcp/mcpClient.ts';
import type { OnnxRuntime } from '../../../src/ports/onnx/onnxRuntime.ts';
import type { AppInfo } from '../../../src/ports/platform/appInfo.ts';
import type { Messages } from '../../../src/ports/platform/messages.ts';
import type { SchemaChecks } from '../../../src/ports/platform/schemaChecks.ts';
import { pipeline } from '../../../src/rest/pipeline.ts';
import type { RestReply, RestRequest } from '../../../src/rest/request.ts';
import { route } from '../../../src/rest/router.ts';
import { table } from '../../../src/table.ts';
import { memberFiles } from '../knowledge/passages.ts';
import { CLOUD_KEYS, CLOUD_SETTINGS, CLOUD_STANZA } from '../peers/aws/agentCore.ts';
import { NO_SQL_SERVERS } from '../peers/stores/noSqlServers.ts';
import { FakePlatformSearches } from '../searches/platformSearches.ts';
import type { ManualClock } from './clock.ts';
import { FakeCloud, FakeSearches, IN_SERVICE, KNOWLEDGE_BASES } from './cloud.ts';
import { MemoryContainers } from './containers.ts';
import type { FaultPlan } from './faults.ts';
import { FakeLlm } from './llm.ts';
import { LookupData, memoryLookups } from './lookupFiles.ts';
import { FakeMcp } from './mcp.ts';
import { inspectedModels } from './onnx.ts';
import { caller, MemoryPlatform, MemoryRoles, MemorySessions, MemorySettings } from './platform.ts';
import { MemorySlots } from './slots.ts';

export type Json = Record<string, unknown>;

export interface Answer extends Omit<RestReply, 'payload'> {
  // biome-ignore lint/suspicious/noExplicitAny: replies are looked at as a client sees them, without types.
  json: any;
}

/** One thread for all apps. */
const CHECKS = schemaChecks();

/** The thread works in real time, which the clock of an app does not see. */
const checksDuring = (clock: ManualClock): SchemaChecks => ({
  assertUsable: (...args) => clock.during(CHECKS.assertUsable(...args)),
  check: (...args) => clock.during(CHECKS.check(...args)),
});

const NOWHERE = 'https://127.0.0.1:8089';

const APP: AppInfo = {
  version: '0',
  driver: () => ({ pid: 1, runtime: 'node', uptime_s: 1, memory_bytes: 1, requests: 1 }),
  openApi: async () => ({
    openapi: '3.1.0',
    info: { title: 'Machine Learning Extension', version: '0.2.0' },
    paths: {},
  }),
};

/** Codes of calls that no row takes. */
const NO_ROW = new Set(['unknown_endpoint', 'method_not_allowed']);

/** The app from the pipeline to the stores in memory: no frames, no HTTP. */
export class MemoryApp {
  readonly site = new MemoryPlatform();
  readonly settings = new MemorySettings();
  /** ml_prices.conf. */
  readonly prices = new MemorySettings();
  readonly sessions = new MemorySessions();
  readonly roles = new MemoryRoles();
  readonly peers = new FakeMcp();
  readonly lookups = new LookupData();
  readonly llm = new FakeLlm();
  readonly cloud = new FakeCloud();
  /** Takes every model whose structure is good. */
  onnx: OnnxRuntime = inspectedModels();
  readonly searches = new FakeSearches();
  readonly platformSearches = new FakePlatformSearches();
  readonly containers = new MemoryContainers(this.settings);
  rows: readonly CompiledRow[] = contract.rows;
  sqlServers = NO_SQL_SERVERS;
  readonly slots = new MemorySlots();
  maskingTools = maskingTools();
  passageFiles = memberFiles();
  /** Events that were sent to indexes. */
  readonly events: { index: string; sourcetype: string; event: object }[] = [];
  /** What sending events fails with. */
  eventFailure: Error | undefined;
  readonly gateway = createProcess(mcpServer(), uploadedModels());
  /** Messages that the platform was sent. */
  readonly messages: Parameters<Messages['post']>[0][] = [];
  /** Takes the place of a row's own handler. */
  readonly handlers: Record<string, AnyHandler> = {};
  /** Entries of the audit trail that have ended, as they would be sent on. */
  readonly completed: AuditStored[] = [];
  schemas = checksDuring(this.site.clock);
  strict = true;
  /** The store is current unless a test checks the schema. */
  schema: StoreSchema | undefined;
  #ids = 0;
  #clouds: (faults?: FaultPlan) => AgentClouds = (faults) => this.cloud.seenBy(faults);
  #mcp: () => McpDependencies = () => this.peers;
  #llm: () => LlmDependencies = () => this.llm;
  #aws: () => Pick<Dependencies, 'knowledgeBases' | 'modelEndpoints'> = () => ({
    knowledgeBases: KNOWLEDGE_BASES,
    modelEndpoints: IN_SERVICE,
  });

  constructor() {
    this.user('editor', { capabilities: ['edit_agent_connections'] });
    this.user('reader');
    this.user('root', { roles: ['admin'], capabilities: ['admin_all_objects', 'edit_agent_connections'] });
  }

  user(name: string, more: Partial<Omit<Caller, 'user'>> = {}): void {
    this.sessions.callers.set(name, caller(name, more));
  }

  /** Agents run from now on in this AgentCore, in place of the cloud in memory, and nobody may follow them by a search. */
  callCloud(endpointUrl: string): void {
    this.settings.stanzas = { [CLOUD_STANZA]: { ...CLOUD_SETTINGS, endpoint_url: endpointUrl } };
    this.searches.failure = 'nobody may search';
    const settings = { ...this.settings, proxy: { read: async () => undefined } };
    this.#clouds = () => agentClouds(settings, { read: async () => CLOUD_KEYS }, this.site.log);
  }

  /** Knowledge bases and model endpoints are those that a server has from now on, in place of those in memory. */
  callAws(endpointUrl: string): void {
    this.settings.stanzas = { ...this.settings.stanzas, aws: { endpoint_url: endpointUrl } };
    const settings = { ...this.settings, proxy: { read: async () => undefined } };
    this.#aws = () => ({ knowledgeBases: knowledgeBases(settings), modelEndpoints: modelEndpoints(settings) });
  }

  /** Servers are called over HTTP from now on, in place of those in memory. */
  callServers(): void {
    const proxy = { read: async () => undefined };
    const settings = { ...this.settings, proxy };
    this.#mcp = () => mcpDependencies(settings, APP.version);
    this.#llm = () => llmDependencies(settings, proxy, this.llm.tenant);
    const { certificates, open } = containerDependencies({
      address: { serverUri: NOWHERE, serverId: undefined, systemToken: 'system' },
      client: new SplunkdClient(NOWHERE),
      stores: this.site.process(),
      schema: new StoreSchema([]),
      settings,
      images: this.containers.images,
      prices: this.prices,
      roles: this.roles,
      credentials: proxy,
      tenant: this.llm.tenant,
    });
    Object.assign(this.containers, { certificates, open });
  }

  /** One request to a new process: nothing that the last one knew is known. */
  async request(request: Partial<RestRequest>, faults?: FaultPlan): Promise<Answer> {
    const stores = this.site.process(faults);
    const deps: SiteDependencies = {
      stores,
      schema: { isNewer: async (records) => (await this.schema?.isNewer(records)) ?? false },
      settings: this.settings,
      prices: this.prices,
      events: {
        send: async (index, sourcetype, sent) => {
          if (this.eventFailure) throw this.eventFailure;
          this.events.push(...sent.map((event) => ({ index, sourcetype, event })));
        },
      },
      users: {
        exists: async (user) => this.sessions.callers.has(user),
        find: async (user) => this.sessions.callers.get(user),
      },
      roles: this.roles,
      messages: { post: async (message) => void this.messages.push(message) },
      plans: contract.plans,
      stored: contract.stored,
      app: APP,
      mcp: this.#mcp(),
      llm: this.#llm(),
      containers: this.containers,
      lookups: memoryLookups(this.lookups, request.sessionToken ?? 'editor', faults),
      searches: this.searches,
      platformSearches: this.platformSearches,
      schemas: this.schemas,
      inspector: onnxInspector(),
      onnx: this.onnx,
      clouds: this.#clouds(faults),
      ...this.#aws(),
      passageFiles: this.passageFiles,
      sqlServers: this.sqlServers,
      maskingTools: async () => this.maskingTools,
    };
    const trail = new AuditTrail(stores, (entry) => this.completed.push(entry));
    const common = {
      sessions: this.sessions,
      settings: this.settings,
      accessLists: accessLists(this.roles),
      assertCurrentSchema: async () => this.schema?.assertCurrent(stores),
      admission: this.settings.admission,
    };
    const isGateway = request.path?.startsWith('/ai_gateway') === true;
    const slot = new RequestSlot(this.slots);
    const handlersOf = isGateway
      ? gatewayHandlersOf(slot, this.gateway, originOf({ headers: request.headers ?? [] }))
      : managementHandlers;
    const admission = isGateway ? admissionOf(slot) : common.admission;
    const scope = scopeOf(deps, { ...common, admission }, trail, handlersOf);
    const rows = isGateway ? gatewayContract.rows : this.rows;
    const serve = pipeline({
      rows,
      ...(isGateway
        ? {
            finish: (reply: RestReply, asked: RestRequest, id: string) =>
              gatewayReply(reply, asked, id, slot.meter.times),
          }
        : {}),
      scope: () => ({
        ...scope,
        work: () => {
          const work = scope.work();
          return { ...work, handler: async (row) => this.handlers[row.id] ?? work.handler(row) };
        },
      }),
      log: this.site.log,
      newId: () => {
        this.#ids += 1;
        return `request-${this.#ids}`;
      },
      strictReplies: this.strict,
    });
    const restRequest: RestRequest = {
      method: 'GET',
      path: '/ml/health',
      query: [],
      headers: [],
      body: undefined,
      sessionToken: 'editor',
      systemToken: 'system',
      serverUri: NOWHERE,
      ...request,
    };
    const { payload, ...reply } = await serve(restRequest);
    await this.site.afterReplies();
    const isJsonText = typeof payload === 'string' && reply.headers['Content-Type'] === 'application/json';
    const answer = { ...reply, json: parseExact(isJsonText ? payload : stringifyExact(payload)) };
    // A protocol of its own has errors of its own.
    if (!isJsonText) this.#assertDeclared(restRequest, answer);
    return answer;
  }

  /** A row names in `faults` what it answers: the documents know no other codes, and no other fields of failures. */
  #assertDeclared({ method, path }: RestRequest, { status, json }: Answer): void {
    const { error_code } = json;
    const unknown = status < 400 ? [] : Object.keys(json).filter((field) => !FAILURE_FIELDS.has(field));
    if (unknown.length > 0) throw new Error(`the schema Failure lacks ${unknown.join(', ')}`);
    if (status < 400 || error_code === undefined || NO_ROW.has(String(error_code))) return;
    const { id } = route(path.startsWith('/ai_gateway') ? gatewayContract.rows : this.rows, method, path).row;
    const row = table.find((each) => each.id === id);
    if (row && !codesOf(row).some((code) => code === error_code)) {
      throw new Error(`${id} answers ${error_code}, which its faults do not name`);
    }
  }

  /** @param path with its query, below `/ml`; or with `/ai_gateway` */
  call(user: string, method: string, path: string, body?: unknown, headers: Json = {}): Promise<Answer> {
    const [plain = '', query = ''] = path.split('?');
    const bytes = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
    return this.request({
      method,
      path: plain.startsWith('/ai_gateway') ? plain : `/ml${plain}`,
      query: [...new URLSearchParams(query)],
      headers: Object.entries(headers).map(([name, value]) => [name, String(value)]),
      body: body === undefined ? undefined : Buffer.from(bytes),
      sessionToken: user,
    });
  }

  /** Nothing but the password storage and the peers may ever see these. */
  leaks(...canaries: string[]): string[] {
    const seen = this.site.records.dump() + this.site.log.text();
    return canaries.filter((canary) => seen.includes(canary));
  }
}

import type { SplunkdClient } from '../adapters/splunkd/client.ts';
import { splunkdRecords } from '../adapters/splunkd/recordStore.ts';
import type { RoleDefinitions } from '../adapters/splunkd/roles.ts';
import { splunkdSearchJobs } from '../adapters/splunkd/searchJobs.ts';
import { splunkdSecrets } from '../adapters/splunkd/secretStore.ts';
import { splunkdSessions } from '../adapters/splunkd/sessions.ts';
import type { SettingsCache } from '../adapters/splunkd/settings.ts';
import { CLOUD_SERVICES, PROXY, splunkdSiteCredentials } from '../adapters/splunkd/siteCredentials.ts';
import type { CompiledContract } from '../contract/compiled.ts';
import { Fault } from '../contract/faults.ts';
import type { AnyHandler, Handlers } from '../contract/handlers.ts';
import { accessLists } from '../domain/accessLists.ts';
import type { Stores } from '../domain/sealed.ts';
import type { AgentPeers } from '../families/agents/handlers.ts';
import type { ContainerPeers } from '../families/containers/runtime/peers.ts';
import type { LlmPeers } from '../families/llm-providers/services/service.ts';
import type { McpPeers } from '../families/mcp-connections/contact.ts';
import type { ServiceParts } from '../families/service/handlers.ts';
import type { CloudServices } from '../ports/cloudServices.ts';
import type { Log } from '../ports/log.ts';
import type { LookupFiles } from '../ports/lookupFiles.ts';
import type { Settings } from '../ports/settings.ts';
import type { SiteCredentials } from '../ports/siteCredentials.ts';
import type { World } from '../rest/pipeline.ts';
import type { RestRequest } from '../rest/request.ts';
import type { families } from '../table.ts';
import { hostClock } from './clock.ts';
import type { CloudPeers } from './cloudPeers.ts';
import type { PlatformAccess } from './containerPeers.ts';
import { lookupPort } from './lookups.ts';
import { lazyInspector } from './modelInspector.ts';
import type { SiteSettings } from './peers.ts';

type Families = typeof families;

/** What the families are made of, for one request. */
interface Parts {
  stores: Stores;
  settings: Settings;
  contract: CompiledContract;
  mcp: McpPeers;
  llm: LlmPeers;
  lookups: LookupFiles;
  cloud: CloudPeers;
  containers: ContainerPeers;
  agents: AgentPeers;
  service: Pick<ServiceParts, 'driver' | 'openApi'>;
}

/** Family -> its handlers. The type asks for every family of the table: one that is forgotten does not compile. */
const HANDLERS: { [F in keyof Families]: (parts: Parts) => Promise<Handlers<Families[F]>> } = {
  'mcp-connections': async ({ stores, contract, mcp }) =>
    (await import('../families/mcp-connections/handlers.ts')).mcpHandlers(stores, mcp, contract.secrets),
  'llm-providers': async ({ stores, llm }) =>
    (await import('../families/llm-providers/handlers.ts')).llmHandlers(stores, llm),
  agents: async ({ stores, agents }) => (await import('../families/agents/handlers.ts')).agentHandlers(stores, agents),
  'feature-flags': async ({ settings, stores }) =>
    (await import('../families/feature-flags/handlers.ts')).featureFlagHandlers(settings, stores),
  models: async ({ stores, lookups }) =>
    (await import('../families/models/handlers.ts')).modelHandlers(stores, lookups, lazyInspector),
  experiments: async ({ stores, lookups }) =>
    (await import('../families/experiments/handlers.ts')).experimentHandlers(stores, lookups),
  'vector-stores': async ({ stores, contract, cloud }) =>
    (await import('../families/vector-stores/handlers.ts')).vectorStoreHandlers(
      stores,
      cloud.knowledgeBases,
      contract.secrets,
    ),
  'model-registrations': async ({ stores, contract, cloud }) =>
    (await import('../families/model-registrations/handlers.ts')).modelRegistrationHandlers(
      stores,
      cloud.endpoints,
      contract.secrets,
    ),
  'connection-inventory': async ({ stores }) =>
    (await import('../families/connection-inventory/handlers.ts')).connectionInventoryHandlers(stores.records),
  containers: async ({ stores, contract, containers }) =>
    (await import('../families/containers/handlers.ts')).containerHandlers(stores, containers, contract.secrets),
  service: async ({ stores, contract, service }) =>
    (await import('../families/service/handlers.ts')).serviceHandlers({
      ...stores,
      version: contract.version,
      ...service,
    }),
};

export interface WorldOptions {
  contract: CompiledContract;
  client(serverUri: string): SplunkdClient;
  settingsCache: SettingsCache;
  roleDefinitions: RoleDefinitions;
  log: Log;
  newId(): string;
  /** $SPLUNK_HOME */
  home: string | undefined;
  mcpPeers(settings: SiteSettings, version: string): McpPeers;
  llmPeers(settings: SiteSettings, credentials: SiteCredentials): LlmPeers;
  cloudPeers(settings: SiteSettings): CloudPeers;
  containerPeers(platform: PlatformAccess): ContainerPeers;
  cloudServices(settings: SiteSettings, credentials: SiteCredentials): CloudServices;
  service: Pick<ServiceParts, 'driver' | 'openApi'>;
}

/** Everything a request is served with, on the platform's own stores. Cheap: nothing is loaded or called here. */
export function splunkdWorld(options: WorldOptions, request: RestRequest): World {
  const client = options.client(request.serverUri);
  if (request.systemToken === undefined) {
    throw new Fault(
      'store_unavailable',
      'The platform gave the app no system token; see passSystemAuth in restmap.conf',
    );
  }
  const { systemToken, sessionToken = '' } = request;
  const { log, newId } = options;
  const clock = hostClock(request.serverId ?? request.serverUri);
  const records = splunkdRecords(client, systemToken);
  const secrets = splunkdSecrets(client, systemToken);
  const credentials = splunkdSiteCredentials(client, systemToken, CLOUD_SERVICES);
  const settings: SiteSettings = {
    ...options.settingsCache.for(client, systemToken, clock),
    proxy: splunkdSiteCredentials(client, systemToken, PROXY),
  };
  const parts: Parts = {
    stores: { records, secrets, clock, log, newId },
    settings,
    contract: options.contract,
    mcp: options.mcpPeers(settings, options.contract.version),
    llm: options.llmPeers(settings, credentials),
    lookups: lookupPort(client, sessionToken, options.home),
    agents: {
      clouds: options.cloudServices(settings, credentials),
      searches: splunkdSearchJobs(client, sessionToken),
    },
    cloud: options.cloudPeers(settings),
    containers: options.containerPeers({
      client,
      serverUri: request.serverUri,
      serverId: request.serverId,
      token: request.systemToken,
      settings,
      clock,
    }),
    service: options.service,
  };
  return {
    sessions: splunkdSessions(client),
    settings,
    accessLists: accessLists(options.roleDefinitions.for(client, systemToken, clock)),
    async handler(row) {
      const handlers = await HANDLERS[row.family as keyof Families](parts);
      return (handlers as unknown as Record<string, AnyHandler>)[row.id] as AnyHandler;
    },
  };
}

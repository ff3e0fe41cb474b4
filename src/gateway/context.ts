import type { Caller } from '../contract/caller.ts';
import type { UsageWay } from '../contract/families/usage.ts';
import type { RecordPlans } from '../contract/rows/recordPlan.ts';
import type { CountedEntries } from '../domain/audit/countedEntries.ts';
import type { Stores } from '../domain/records/sealedRecord.ts';
import { recordKey } from '../domain/values/keys.ts';
import type { AgentDefinitions } from '../families/agents/public.ts';
import { Cooldowns, type LlmIdentity, type OpenModel, openModel } from '../families/llm-providers/public.ts';
import type { MaskingPolicies } from '../families/masking-policies/public.ts';
import { isInContainer, type ModelRoute, resolveLentModel, resolveModel } from '../families/model-aliases/public.ts';
import { type OpenStore, openStore } from '../families/vector-stores/public.ts';
import type { MaskingTools } from '../masking/tools.ts';
import type { UseOrigin, UseSite } from '../metering/meteredUse.ts';
import { type Prices, readPrices } from '../metering/prices/prices.ts';
import type { AlertEvent } from '../metering/usage/alertEvent.ts';
import type { RunEvent } from '../metering/usage/runEvent.ts';
import type { AgentClouds } from '../ports/cloud/agentCloud.ts';
import type { CloudEndpoints } from '../ports/cloud/cloudEndpoints.ts';
import type { CloudKnowledgeBases } from '../ports/cloud/cloudKnowledgeBases.ts';
import type { ContainerDependencies } from '../ports/engines/containerDependencies.ts';
import type { PassageFiles } from '../ports/knowledge/passageFiles.ts';
import type { SqlServers } from '../ports/knowledge/sqlServers.ts';
import type { LlmDependencies } from '../ports/llm/llmDependencies.ts';
import type { McpDependencies } from '../ports/mcp/mcpClient.ts';
import type { McpServer } from '../ports/mcp/mcpServer.ts';
import type { EvidenceChecker } from '../ports/platform/evidenceChecker.ts';
import type { EventIndex } from '../ports/platform/log.ts';
import type { PlatformSearches } from '../ports/platform/platformSearches.ts';
import type { SchemaChecks } from '../ports/platform/schemaChecks.ts';
import type { SearchJobs } from '../ports/platform/searchJobs.ts';
import type { Users } from '../ports/platform/session.ts';
import type { LookupFiles } from '../ports/stores/lookupFiles.ts';
import type { Settings } from '../ports/stores/settings.ts';
import type { UploadedModelPredictors } from '../predictions/rows/prediction.ts';
import { openContainer } from './models/containers.ts';
import { once } from './once.ts';
import { type PredictDependencies, predictOpeners } from './predict/openers.ts';
import type { RunRetention } from './runs/retention.ts';
import type { ToolListings } from './tools/toolListings.ts';

/** Parts of a process that masking needs. */
export interface MaskingState {
  policies: MaskingPolicies;
  /** Loaded with the first policy that applies. */
  tools(): Promise<MaskingTools>;
  /** The app's secret that keys of scopes are derived from; made when it is first needed. @throws Fault `store_unavailable` */
  secret(stores: Stores): Promise<Uint8Array>;
}

/** State that a process keeps between requests. */
export interface ProcessState {
  masking: MaskingState;
  listings: ToolListings;
  entries: CountedEntries;
  mcpServer: McpServer;
  uploadedModels: UploadedModelPredictors;
  evidence: EvidenceChecker;
  runs: RunRetention;
}

/** Ports of one request, with the state of its process. */
export interface GatewaySite extends ProcessState {
  stores: Stores;
  settings: Settings;
  /** ml_prices.conf. */
  prices: Settings;
  llm: LlmDependencies;
  containers: ContainerDependencies;
  knowledgeBases: CloudKnowledgeBases;
  passageFiles: PassageFiles;
  sqlServers: SqlServers;
  modelEndpoints: CloudEndpoints;
  /** With the caller's rights, like `searches`. */
  lookups: LookupFiles;
  searches: SearchJobs;
  platformSearches: PlatformSearches;
  mcp: McpDependencies;
  schemas: SchemaChecks;
  users: Users;
  clouds: AgentClouds;
  openAgents(): Promise<AgentDefinitions>;
  plans: RecordPlans;
  /** Records and limits of uses. */
  uses: Pick<UseSite, 'limits' | 'keep'>;
  /** Keeps the event of a run's change of state, which is stored; it is sent after the reply. */
  keepRunEvent(event: RunEvent): void;
  /** Sends the events of what alerts did not start, or logs them. Never rejects. */
  reportAlerts(events: readonly AlertEvent[]): Promise<void>;
  events: EventIndex;
}

/** Facts that a request states about itself and its origin. */
export interface RequestOrigin {
  isSearch: boolean;
  sid: string | undefined;
  /** @param name in lower case */
  header(name: string): string | undefined;
}

/** The context of the uses of one request. Each record is read once: the items of a batch mostly ask the same model. */
export interface RequestContext extends Omit<GatewaySite, 'prices'>, PredictDependencies {
  origin: Omit<UseOrigin, 'via'>;
  prices(): Promise<Prices>;
  /** Cooldowns of models, as they were at the first question. @throws Fault `store_unavailable` */
  cooldowns(): Promise<Cooldowns>;
  /** @throws Fault `not_found`, `ambiguous_reference` */
  resolve(caller: Caller, reference: string | undefined): Promise<ModelRoute>;
  /** A model that a record lends to whoever may read the record. @throws Fault `not_found`, `ambiguous_reference` */
  resolveLent(reference: string): Promise<ModelRoute>;
  /**
   * Reads a configuration and its secrets.
   * @throws Fault `not_found`, `invalid_state`, `not_supported`; OutboundError `configuration_invalid`
   */
  open(caller: Caller, model: LlmIdentity): Promise<OpenModel>;
  /** @throws Fault `not_found`, `acl_denied` */
  openStore(caller: Caller, name: string, right?: 'read' | 'write'): Promise<OpenStore>;
}

/** @param run the run that the uses are steps of */
export function requestContext(
  site: GatewaySite,
  { sid }: RequestOrigin,
  requestId: string,
  run?: UseOrigin['run'],
): RequestContext {
  const { stores, settings, llm, containers, plans } = site;
  const routes = new Map<string | undefined, Promise<ModelRoute>>();
  const lent = new Map<string, Promise<ModelRoute>>();
  const models = new Map<string, Promise<OpenModel>>();
  const opened = new Map<string, Promise<OpenStore>>();
  let cooldowns: Promise<Cooldowns> | undefined;
  return {
    ...site,
    ...predictOpeners(site),
    origin: { sid, requestId, run },
    prices: () => readPrices(site.prices, stores.log),
    cooldowns: () => {
      cooldowns ??= Cooldowns.read(stores);
      return cooldowns;
    },
    resolve: (caller, reference) =>
      once(routes, reference, () => resolveModel({ records: stores.records, settings }, caller, reference)),
    resolveLent: (reference) =>
      once(lent, reference, () => resolveLentModel({ records: stores.records, settings }, reference)),
    open: (caller, model) =>
      once(models, JSON.stringify([model.service, model.connection_name, model.model]), () =>
        isInContainer(model)
          ? openContainer(stores, containers, plans, model)
          : openModel(stores, llm, plans, caller, model),
      ),
    openStore: (caller, name, right = 'read') =>
      once(opened, `${right} ${recordKey(name)}`, () => openStore(stores, site, plans, caller, name, right)),
  };
}

/** The site of one use. */
export const useSite = ({ uses, origin, stores }: RequestContext, caller: Caller, via: UsageWay): UseSite => ({
  ...uses,
  caller,
  origin: { via, ...origin },
  newId: stores.newId,
  now: stores.clock.now,
});

import type { Caller } from '../contract/caller.ts';
import type { UsageWay } from '../contract/families/usage.ts';
import type { RecordPlans } from '../contract/rows/recordPlan.ts';
import type { ToolCallEntries } from '../domain/audit/toolCallEntries.ts';
import type { AgentDefinitions } from '../families/agents/public.ts';
import type { UseOrigin, UseSite } from '../metering/meteredUse.ts';
import { readPrices } from '../metering/prices/prices.ts';
import type { CloudEndpoints } from '../ports/cloud/cloudEndpoints.ts';
import type { CloudKnowledgeBases } from '../ports/cloud/cloudKnowledgeBases.ts';
import type { ContainerDependencies } from '../ports/engines/containerDependencies.ts';
import type { LlmDependencies } from '../ports/llm/llmDependencies.ts';
import type { McpDependencies } from '../ports/mcp/mcpClient.ts';
import type { McpServer } from '../ports/mcp/mcpServer.ts';
import type { SearchJobs } from '../ports/platform/searchJobs.ts';
import type { LookupFiles } from '../ports/stores/lookupFiles.ts';
import type { Settings } from '../ports/stores/settings.ts';
import type { UploadedModelPredictors } from '../predictions/rows/prediction.ts';
import type { OperationDependencies } from './dependencies.ts';
import { modelOpeners } from './models/openers.ts';
import { predictOpeners } from './predict/openers.ts';
import { storeOpeners } from './retrieval/openers.ts';
import type { ToolListings } from './tools/toolListings.ts';

export interface GatewayDependencies extends Pick<OperationDependencies, 'stores' | 'schemas' | 'backoff'> {
  settings: Settings;
  /** ml_prices.conf. */
  prices: Settings;
  llm: LlmDependencies;
  containers: ContainerDependencies;
  knowledgeBases: CloudKnowledgeBases;
  modelEndpoints: CloudEndpoints;
  /** With the caller's rights. */
  lookups: LookupFiles;
  mcp: McpDependencies;
  mcpServer: McpServer;
  openAgents(): Promise<AgentDefinitions>;
  plans: RecordPlans;
  /** Of the process. */
  listings: ToolListings;
  entries: ToolCallEntries;
  searches: SearchJobs;
  uploadedModels: UploadedModelPredictors;
  /** Of the process: what it records and limits. */
  uses: Pick<UseSite, 'limits' | 'keep'>;
}

/** What a request says of itself and its origin. */
export interface RequestOrigin {
  isSearch: boolean;
  sid: string | undefined;
  /** @param name in lower case */
  header(name: string): string | undefined;
}

/**
 * What the uses of one request work with.
 * @param run the run that they are steps of
 */
export function requestUses(site: GatewayDependencies, { sid }: RequestOrigin, run?: UseOrigin['run']) {
  return {
    depsFor: (requestId: string): OperationDependencies => ({
      ...site,
      ...modelOpeners(site),
      ...storeOpeners(site),
      ...predictOpeners(site),
      prices: () => readPrices(site.prices, site.stores.log),
      origin: { sid, requestId, run },
    }),
    siteFor: (caller: Caller, via: UsageWay, requestId: string): UseSite => ({
      ...site.uses,
      caller,
      origin: { via, sid, requestId, run },
      newId: site.stores.newId,
      now: site.stores.clock.now,
    }),
  };
}

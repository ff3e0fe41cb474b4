import type { SiteStores, Stores } from '../domain/sealed.ts';
import type { StoreSchema } from '../domain/storeSchema.ts';
import type { AgentClouds } from '../ports/agentCloud.ts';
import type { AppInfo } from '../ports/appInfo.ts';
import type { CloudEndpoints } from '../ports/cloudEndpoints.ts';
import type { CloudKnowledgeBases } from '../ports/cloudKnowledgeBases.ts';
import type { ContainerDependencies } from '../ports/containerDependencies.ts';
import type { LlmDependencies } from '../ports/llmDependencies.ts';
import type { LookupFiles } from '../ports/lookupFiles.ts';
import type { McpDependencies } from '../ports/mcpClient.ts';
import type { ModelInspector } from '../ports/modelInspector.ts';
import type { SearchJobs } from '../ports/searchJobs.ts';
import type { Settings } from '../ports/settings.ts';

/** All that the families are made of: ports and plain values. For one request, since tokens and addresses come with it. */
export interface Dependencies extends SiteDependencies {
  /** They tell of each change which work has made it. */
  stores: Stores;
}

/** The same, before anybody works with them. */
export interface SiteDependencies {
  stores: SiteStores;
  schema: Pick<StoreSchema, 'isNewer'>;
  settings: Settings;
  /** Family -> paths of the secrets in its records. */
  secretPaths: Readonly<Record<string, readonly string[]>>;
  app: AppInfo;
  mcp: McpDependencies;
  llm: LlmDependencies;
  containers: ContainerDependencies;
  /** Lookup files and searches of the caller, with the caller's rights. */
  lookups: LookupFiles;
  searches: SearchJobs;
  inspector: ModelInspector;
  clouds: AgentClouds;
  knowledgeBases: CloudKnowledgeBases;
  modelEndpoints: CloudEndpoints;
}

import type { CompiledContract } from '../../contract/rows/compiled.ts';
import type { RecordPlans } from '../../contract/rows/recordPlan.ts';
import type { SiteStores, Stores } from '../../domain/records/sealedRecord.ts';
import type { StoreSchema } from '../../domain/records/storeSchema.ts';
import type { MaskingTools } from '../../masking/tools.ts';
import type { AgentClouds } from '../../ports/cloud/agentCloud.ts';
import type { CloudEndpoints } from '../../ports/cloud/cloudEndpoints.ts';
import type { CloudKnowledgeBases } from '../../ports/cloud/cloudKnowledgeBases.ts';
import type { ContainerDependencies } from '../../ports/engines/containerDependencies.ts';
import type { PassageFiles } from '../../ports/knowledge/passageFiles.ts';
import type { SqlServers } from '../../ports/knowledge/sqlServers.ts';
import type { LlmDependencies } from '../../ports/llm/llmDependencies.ts';
import type { McpDependencies } from '../../ports/mcp/mcpClient.ts';
import type { ModelInspector } from '../../ports/onnx/modelInspector.ts';
import type { OnnxRuntime } from '../../ports/onnx/onnxRuntime.ts';
import type { AppInfo } from '../../ports/platform/appInfo.ts';
import type { EventIndex } from '../../ports/platform/log.ts';
import type { Messages } from '../../ports/platform/messages.ts';
import type { PlatformSearches } from '../../ports/platform/platformSearches.ts';
import type { SchemaChecks } from '../../ports/platform/schemaChecks.ts';
import type { SearchJobs } from '../../ports/platform/searchJobs.ts';
import type { Roles, Users } from '../../ports/platform/session.ts';
import type { LookupFiles } from '../../ports/stores/lookupFiles.ts';
import type { Settings } from '../../ports/stores/settings.ts';

/** Dependencies of the families for one request, since tokens and addresses come with it. */
export interface Dependencies extends SiteDependencies {
  /** With the audit of the current work. */
  stores: Stores;
}

/** Dependencies without an audit. */
export interface SiteDependencies {
  stores: SiteStores;
  schema: Pick<StoreSchema, 'isNewer'>;
  settings: Settings;
  /** ml_prices.conf. */
  prices: Settings;
  /** The platform's event indexes. */
  events: EventIndex;
  messages: Messages;
  users: Users;
  roles: Roles;
  /** Family -> paths of secrets in its records. */
  plans: RecordPlans;
  /** How stored documents are checked, by collection. */
  stored: CompiledContract['stored'];
  app: AppInfo;
  mcp: McpDependencies;
  llm: LlmDependencies;
  containers: ContainerDependencies;
  /** With the caller's rights, like `searches`. */
  lookups: LookupFiles;
  searches: SearchJobs;
  platformSearches: PlatformSearches;
  /** One thread of the process. */
  schemas: SchemaChecks;
  inspector: ModelInspector;
  /** Uploaded models, in processes of their own. */
  onnx: OnnxRuntime;
  clouds: AgentClouds;
  knowledgeBases: CloudKnowledgeBases;
  /** The files of this member. */
  passageFiles: PassageFiles;
  sqlServers: SqlServers;
  modelEndpoints: CloudEndpoints;
  /** Loaded when a policy needs them. */
  maskingTools(): Promise<MaskingTools>;
}

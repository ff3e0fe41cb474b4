import type { Caller } from '../contract/caller.ts';
import type { ToolCallEntries } from '../domain/audit/toolCallEntries.ts';
import type { LlmIdentity, OpenModel } from '../families/llm-providers/public.ts';
import type { ModelRoute } from '../families/model-aliases/public.ts';
import type { OpenStore } from '../families/vector-stores/public.ts';
import type { UseOrigin } from '../metering/meteredUse.ts';
import type { Prices } from '../metering/prices/prices.ts';
import type { SchemaChecks } from '../ports/platform/schemaChecks.ts';
import type { SearchJobs } from '../ports/platform/searchJobs.ts';
import type { RateLimitBackoff } from './models/rateLimitBackoff.ts';
import type { PredictDependencies } from './predict/openers.ts';
import type { ToolDependencies } from './tools/usableTools.ts';

/** Dependencies of the operations of one request. Each record is read once: the items of a batch mostly ask the same model. */
export interface OperationDependencies extends ToolDependencies, PredictDependencies {
  schemas: SchemaChecks;
  backoff: RateLimitBackoff;
  prices(): Promise<Prices>;
  /** @throws Fault `not_found`, `ambiguous_reference` */
  resolve(caller: Caller, reference: string | undefined): Promise<ModelRoute>;
  /** Reads a configuration and its secrets. @throws Fault `not_found`; OutboundError `configuration_invalid` */
  open(caller: Caller, model: LlmIdentity): Promise<OpenModel>;
  /** @throws Fault `not_found` */
  openStore(caller: Caller, name: string): Promise<OpenStore>;
  entries: ToolCallEntries;
  searches: Pick<SearchJobs, 'isKnown'>;
  origin: Pick<UseOrigin, 'sid' | 'requestId' | 'run'>;
}

import { VIA_HEADER } from '../../contract/audit.ts';
import { SID_HEADER } from '../../contract/families/usage.ts';
import type { AnyHandler } from '../../contract/rows/handlers.ts';
import { RecentResults } from '../../domain/async/recentResults.ts';
import { CountedEntries } from '../../domain/audit/countedEntries.ts';
import type { GatewaySite, ProcessState, RequestOrigin } from '../../gateway/context.ts';
import { RunRetention } from '../../gateway/runs/retention.ts';
import { ToolListings } from '../../gateway/tools/toolListings.ts';
import { RequestSlot, type Slots } from '../../metering/requestSlot.ts';
import type { AlertEvent } from '../../metering/usage/alertEvent.ts';
import type { RunEvent } from '../../metering/usage/runEvent.ts';
import { UsagePublisher } from '../../metering/usagePublisher.ts';
import type { McpServer } from '../../ports/mcp/mcpServer.ts';
import type { UploadedModelPredictors } from '../../predictions/rows/prediction.ts';
import { header, type RestRequest } from '../../rest/request.ts';
import type { RequestScope } from '../../rest/requestScope.ts';
import type { requestScopes } from '../request/requestScope.ts';
import type { HandlerSource } from '../request/scope.ts';
import { evidenceChecker } from './evidenceChecker.ts';
import { createMasking } from './masking.ts';
import { SecretCache } from './secretCache.ts';

/** State that a process keeps between requests. */
export interface GatewayProcess extends ProcessState {
  secrets: SecretCache;
  usage: UsagePublisher;
  /** At containers. */
  looks: RecentResults;
}

/** Containers, and how long a look at one that is not Active holds. */
const LOOKS = 500;
const LOOK_MS = 1000;

export const createProcess = (mcpServer: McpServer, uploadedModels: UploadedModelPredictors): GatewayProcess => ({
  secrets: new SecretCache(),
  usage: new UsagePublisher(),
  listings: new ToolListings(),
  entries: new CountedEntries(),
  mcpServer,
  uploadedModels,
  evidence: evidenceChecker(),
  looks: new RecentResults(LOOKS, LOOK_MS),
  runs: new RunRetention(),
  masking: createMasking(),
});

export interface GatewayScope extends RequestScope {
  slot: RequestSlot;
}

/** Creates the scope of a request below `/ai_gateway`, with its use of upstreams. */
export function gatewayScopes(
  scopes: ReturnType<typeof requestScopes>,
  slots: (request: RestRequest) => Slots,
  state: GatewayProcess,
): (request: RestRequest) => GatewayScope {
  return (request) => {
    const slot = new RequestSlot(slots(request));
    return { ...scopes(request, gatewayHandlersOf(slot, state, originOf(request)), admissionOf(slot)), slot };
  };
}

const MAX_SID = 256;

/** Reads what the app's search commands say of themselves in headers, which grants nothing. */
export function originOf(request: Pick<RestRequest, 'headers'>): RequestOrigin {
  const sid = header(request, SID_HEADER.toLowerCase())?.trim().slice(0, MAX_SID);
  return {
    isSearch: header(request, VIA_HEADER.toLowerCase())?.trim() === 'search',
    sid: sid || undefined,
    header: (name) => header(request, name),
  };
}

/** A slot is taken by whoever uses an upstream, after the caller's rights are known. */
export const admissionOf = (slot: RequestSlot) => ({ enter: async () => {}, leave: () => slot.leave() });

export const gatewayHandlersOf =
  (slot: RequestSlot, { secrets, usage, looks, ...kept }: GatewayProcess, origin: RequestOrigin): HandlerSource =>
  (deps) => {
    const stores = { ...deps.stores, secrets: secrets.over(deps.stores.secrets) };
    const uses: GatewaySite['uses'] = {
      limits: usage.limits({ ...deps, stores }),
      keep: (record, content) => usage.keep(deps, record, content),
    };
    return async ({ id }) => {
      const { gatewayHandlers } = await import('../../gateway/handlers.ts');
      const openAgents = async () => {
        const { agentDefinitions } = await import('../../families/agents/public.ts');
        return agentDefinitions({ ...deps, records: stores.records });
      };
      const keepRunEvent = (event: RunEvent) => usage.keepRun(deps, event);
      const reportAlerts = (events: readonly AlertEvent[]) => usage.reportAlerts(deps, events);
      const containers = { ...deps.containers, looks };
      const site = { ...deps, containers, stores, ...kept, uses, keepRunEvent, reportAlerts, openAgents };
      const handlers = gatewayHandlers(site, slot, origin) as unknown as Record<string, AnyHandler>;
      if (Object.hasOwn(handlers, id)) return handlers[id] as AnyHandler;
      const [{ runHandlers }, agents] = await Promise.all([import('../../gateway/runs/handlers.ts'), openAgents()]);
      const runs = runHandlers({ ...site, agents }, slot, origin);
      return (runs as unknown as Record<string, AnyHandler>)[id] as AnyHandler;
    };
  };

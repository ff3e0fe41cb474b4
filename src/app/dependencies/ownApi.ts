import type {
  AgentsApi,
  AlertsApi,
  CatalogueApi,
  GatewayApi,
  HealthApi,
  RunsApi,
  UsageApi,
} from '../../ports/platform/ownApi.ts';

/** This app's own endpoints for agents, called as the owner of the search. */
export async function agentsApi(search: { serverUri: string; sessionKey: string }): Promise<AgentsApi> {
  const { splunkdAgents } = await import('../../adapters/splunkd/own/ownApi.ts');
  return splunkdAgents(search.serverUri, search.sessionKey);
}

/** This app's own endpoints for the health of connections, called as the owner of the search. */
export async function healthApi(search: { serverUri: string; sessionKey: string }): Promise<HealthApi> {
  const { splunkdHealth } = await import('../../adapters/splunkd/own/ownApi.ts');
  return splunkdHealth(search.serverUri, search.sessionKey);
}

/** This app's own report of usage, called as the owner of the search. */
export async function usageApi(search: { serverUri: string; sessionKey: string }): Promise<UsageApi> {
  const { splunkdUsage } = await import('../../adapters/splunkd/own/ownApi.ts');
  return splunkdUsage(search.serverUri, search.sessionKey);
}

/** The gateway, called as the owner of the search. */
export async function gatewayApi(search: { serverUri: string; sessionKey: string; sid: string }): Promise<GatewayApi> {
  const { splunkdGateway } = await import('../../adapters/splunkd/own/ownApi.ts');
  return splunkdGateway(search.serverUri, search.sessionKey, search.sid);
}

/** Runs of agents, called as the owner of the search. */
export async function runsApi(search: { serverUri: string; sessionKey: string; sid: string }): Promise<RunsApi> {
  const { splunkdRuns } = await import('../../adapters/splunkd/own/ownApi.ts');
  return splunkdRuns(search.serverUri, search.sessionKey, search.sid);
}

/** Starts runs, as the owner of the alert. */
export async function alertsApi(alert: { serverUri: string; sessionKey: string; sid: string }): Promise<AlertsApi> {
  const { splunkdAlerts } = await import('../../adapters/splunkd/own/ownApi.ts');
  return splunkdAlerts(alert.serverUri, alert.sessionKey, alert.sid);
}

/** Lists of what the owner of the search may use. */
export async function catalogueApi(search: { serverUri: string; sessionKey: string }): Promise<CatalogueApi> {
  const { splunkdCatalogue } = await import('../../adapters/splunkd/own/ownApi.ts');
  return splunkdCatalogue(search.serverUri, search.sessionKey);
}

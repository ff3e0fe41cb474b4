import type { AgentsApi } from '../ports/agentsApi.ts';

/** This app's own endpoints for agents, called as the owner of the search. */
export async function agentsApi(search: { serverUri: string; sessionKey: string }): Promise<AgentsApi> {
  const { splunkdAgents } = await import('../adapters/splunkd/agentsApi.ts');
  return splunkdAgents(search.serverUri, search.sessionKey);
}

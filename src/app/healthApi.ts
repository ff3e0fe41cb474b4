import type { HealthApi } from '../ports/healthApi.ts';

/** This app's own endpoints for the health of connections, called as the owner of the search. */
export async function healthApi(search: { serverUri: string; sessionKey: string }): Promise<HealthApi> {
  const { splunkdHealth } = await import('../adapters/splunkd/healthApi.ts');
  return splunkdHealth(search.serverUri, search.sessionKey);
}

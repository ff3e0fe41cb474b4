import type { AgentsApi } from '../../ports/agentsApi.ts';
import { ownEndpoints } from './ownEndpoints.ts';

export function splunkdAgents(serverUri: string, sessionKey: string): AgentsApi {
  const call = ownEndpoints(serverUri, sessionKey);
  const at = (name: string) => `ml/agents/${encodeURIComponent(name)}`;
  return {
    list: (offset) => call({ method: 'GET', endpoint: 'ml/agents', query: { count: '0', offset: String(offset) } }),
    read: (name) => call({ method: 'GET', endpoint: at(name) }),
    follow: (name, action, interval) =>
      call({ method: 'POST', endpoint: `${at(name)}/status`, json: { action, interval } }),
  };
}

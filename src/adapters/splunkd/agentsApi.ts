import type { AgentsAnswer, AgentsApi } from '../../ports/agentsApi.ts';
import { objectOf, type SplunkdCall, SplunkdClient } from './client.ts';

/** A step of following asks the cloud for up to 30 s and reads and writes the stores. */
const TIMEOUT_MS = 50_000;

/** The app's own REST tree, called with the session of a search's owner. */
export function splunkdAgents(serverUri: string, sessionKey: string): AgentsApi {
  const client = new SplunkdClient(serverUri);
  const call = async (more: Pick<SplunkdCall, 'method' | 'endpoint' | 'query' | 'json'>): Promise<AgentsAnswer> => {
    const options = { token: sessionKey, namespace: 'app', timeoutMs: TIMEOUT_MS, anyStatus: true } as const;
    const reply = await client.call({ ...options, ...more });
    return { status: reply.status, body: objectOf(reply) };
  };
  const at = (name: string) => `ml/agents/${encodeURIComponent(name)}`;
  return {
    list: (offset) => call({ method: 'GET', endpoint: 'ml/agents', query: { count: '0', offset: String(offset) } }),
    read: (name) => call({ method: 'GET', endpoint: at(name) }),
    follow: (name, action, interval) =>
      call({ method: 'POST', endpoint: `${at(name)}/status`, json: { action, interval } }),
  };
}

import { VIA_HEADER } from '../../contract/audit.ts';
import type { OwnAnswer } from '../../ports/ownAnswer.ts';
import { objectOf, type SplunkdCall, SplunkdClient } from './client.ts';

/** The longest work asks servers for up to 30 s, and reads and writes the stores. */
const TIMEOUT_MS = 50_000;

export type OwnCall = Pick<SplunkdCall, 'method' | 'endpoint' | 'query' | 'json'>;

/** The app's own REST tree, called with the session of a search's owner. */
export function ownEndpoints(serverUri: string, sessionKey: string): (call: OwnCall) => Promise<OwnAnswer> {
  const client = new SplunkdClient(serverUri);
  const headers = { [VIA_HEADER]: 'search' };
  const options = { token: sessionKey, namespace: 'app', headers, timeoutMs: TIMEOUT_MS, anyStatus: true } as const;
  return async (call) => {
    const reply = await client.call({ ...options, ...call });
    return { status: reply.status, body: objectOf(reply) };
  };
}

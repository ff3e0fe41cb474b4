import { readBody, sendJson, startHttp } from '../../support/peers/listen.ts';
import type { Finding } from '../history/checker.ts';
import { atEnd } from '../site/cleanup.ts';
import { isAnswer } from '../site/client.ts';
import type { Site } from '../site/site.ts';

const AT_ONCE = 12;

/** An MCP server whose tokens run out when told, and whose refresh tokens are good for one call. */
async function startRotating() {
  let generation = 1;
  let spent = 0;
  let stale = 0;
  let current = `refresh-1`;
  const peer = await startHttp(async (request, response) => {
    const body = await readBody(request).catch(() => '');
    if (request.url === '/token') {
      spent += 1;
      const isGood = new URLSearchParams(body).get('refresh_token') === current;
      if (!isGood) {
        stale += 1;
        sendJson(response, 400, { error: 'invalid_grant' });
        return;
      }
      generation += 1;
      current = `refresh-${generation}`;
      const token = { access_token: `access-${generation}`, refresh_token: current, token_type: 'Bearer' };
      setTimeout(() => sendJson(response, 200, { ...token, expires_in: 3600 }), 30);
      return;
    }
    if (request.headers.authorization !== `Bearer access-${generation}`) {
      response.writeHead(401, { 'www-authenticate': 'Bearer error="invalid_token"' }).end();
      return;
    }
    const message = JSON.parse(body || '{}') as { id?: number; method?: string };
    const serverInfo = { name: 'rotating', version: '1' };
    if (message.id === undefined) response.writeHead(request.method === 'GET' ? 405 : 202).end();
    else if (message.method === 'initialize') {
      const result = { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo };
      sendJson(response, 200, { jsonrpc: '2.0', id: message.id, result });
    } else sendJson(response, 200, { jsonrpc: '2.0', id: message.id, error: { code: -32601, message: 'no' } });
  });
  atEnd(peer.close);
  /** The access token of now is good no more; what is counted begins anew. */
  const expire = () => {
    generation += 1;
    [spent, stale] = [0, 0];
  };
  return { url: peer.url, expire, counts: () => ({ spent, stale }) };
}

/** Tests at once through every member with a token that has run out: it is refreshed once, and all go on. */
export async function raceToRefresh(site: Site, rounds: number): Promise<{ findings: Finding[]; refreshes: number }> {
  const server = await startRotating();
  const details = {
    url: `${server.url}/mcp`,
    token: 'access-1',
    client_id: 'client',
    client_secret: 'secret',
    refresh_token: 'refresh-1',
    token_url: `${server.url}/token`,
    is_auto_refresh_enabled: true,
  };
  const body = { name: 'rotating', type: 'ISSUE_TRACKER', details };
  const made = await site.ml(0, 'admin', { method: 'POST', path: '/mcp_connection', body });
  if (!isAnswer(made) || made.status !== 200) throw new Error(`no connection to refresh: ${JSON.stringify(made)}`);
  let refreshes = 0;
  for (let round = 1; round <= rounds; round++) {
    server.expire();
    const test = { method: 'POST', path: '/mcp_connection/test', body: { name: 'rotating' } };
    const replies = await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => site.ml(index, 'admin', test)));
    const { spent, stale } = server.counts();
    refreshes += spent;
    const failed = replies.filter((reply) => !isAnswer(reply) || reply.json?.success !== true);
    if (spent === 1 && failed.length === 0) continue;
    const what = `round ${round}: ${spent} refreshes (${stale} with a spent token), ${failed.length} of ${AT_ONCE} tests failed`;
    const story = failed.map((reply) =>
      isAnswer(reply) ? `${reply.status} ${reply.text.slice(0, 300)}` : reply.because,
    );
    return { findings: [{ what, story }], refreshes };
  }
  return { findings: [], refreshes };
}

import type { Call } from '../site/client.ts';

/** A call of ours that makes one of theirs, and what a peer in good health would answer to it. */
export interface Caller {
  name: string;
  call(url: string, name: string): Call;
  /** The record that the call needs, and its end. `server`: an MCP server in good health. */
  prepare?(url: string, name: string, server: string): Call;
  /** The bytes of a whole, good answer, by the text of the request. */
  good(request: string): string;
  /** Seconds that the contract gives it. */
  deadline: number;
}

export const SECRET = 'key-of-upstream';

function http(body: unknown, type = 'application/json'): string {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return `HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\ncontent-length: ${Buffer.byteLength(text)}\r\nconnection: close\r\n\r\n${text}`;
}

function mcp(request: string): string {
  const id = Number(/"id":(\d+)/.exec(request)?.[1] ?? 0);
  const serverInfo = { name: 'good', version: '1' };
  if (request.includes('"initialize"'))
    return http({
      jsonrpc: '2.0',
      id,
      result: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo },
    });
  if (request.includes('"tools/list"')) return http({ jsonrpc: '2.0', id, result: { tools: [] } });
  if (request.includes('"id"'))
    return http({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } });
  return 'HTTP/1.1 202 Accepted\r\ncontent-length: 0\r\nconnection: close\r\n\r\n';
}

const inline = (url: string) => ({ type: 'PLATFORM', details: { url: `${url}/mcp`, token: SECRET } });
const llm = (url: string, more: object): Call => ({
  method: 'POST',
  path: '/aicommander_metadata',
  body: {
    service: 'General_Chat',
    model: 'm',
    servicesettings: {
      endpoint: { value: `${url}/v1` },
      access_token: { value: SECRET },
      request_timeout: { value: 5 },
    },
    ...more,
  },
});
/** Each under a name of its own: what verifies is saved. */
const container = (connection_name: string, payload: object): Call => ({
  method: 'POST',
  path: '/test_container_connection',
  body: { payload: { connection_name, ...payload } },
});

export const CALLERS: readonly Caller[] = [
  {
    name: 'MCP test',
    call: (url) => ({ method: 'POST', path: '/mcp_connection/test', body: inline(url) }),
    good: mcp,
    deadline: 10,
  },
  {
    name: 'MCP tools',
    call: (url) => ({ method: 'POST', path: '/mcp_connection/tools', body: inline(url) }),
    good: mcp,
    deadline: 10,
  },
  {
    name: 'LLM chat',
    call: (url) => llm(url, {}),
    good: () => http({ choices: [{ index: 0, message: { role: 'assistant', content: 'ok' }, finish_reason: 'stop' }] }),
    deadline: 5,
  },
  {
    name: 'LLM list',
    call: (url) => llm(url, { probe: 'list' }),
    good: () => http({ object: 'list', data: [{ id: 'm', object: 'model' }] }),
    deadline: 5,
  },
  {
    name: 'Docker',
    call: (url, name) => container(name, { container_type: 'docker', docker_url: url }),
    good: (request) =>
      request.includes('_ping') ? http('OK', 'text/plain') : http({ ApiVersion: '1.47', Version: '27' }),
    deadline: 20,
  },
  {
    name: 'Kubernetes',
    call: (url, name) =>
      container(name, {
        container_type: 'kubernetes',
        auth_mode: 'user-token',
        user_token: SECRET,
        service_type: 'nodeport',
        cluster_url: url,
      }),
    good: () => http({ major: '1', minor: '31', gitVersion: 'v1.31.0', status: { allowed: true } }),
    deadline: 20,
  },
  {
    name: 'token endpoint',
    prepare: (url, name, server) => ({
      method: 'POST',
      path: '/mcp_connection',
      body: {
        name,
        type: 'ISSUE_TRACKER',
        details: {
          url: `${server}/mcp`,
          token_url: `${url}/token`,
          client_id: 'client',
          client_secret: SECRET,
          refresh_token: SECRET,
          is_auto_refresh_enabled: true,
        },
      },
    }),
    call: (_, name) => ({ method: 'POST', path: '/mcp_connection/test', body: { name } }),
    good: () => http({ access_token: 'new', refresh_token: 'next', token_type: 'Bearer', expires_in: 3600 }),
    deadline: 15,
  },
];

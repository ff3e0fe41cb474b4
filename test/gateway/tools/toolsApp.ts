import { type Answer, type Json, MemoryApp } from '../../support/memory/app.ts';

export const SECRET = 'canary-of-a-token';
export const EVERYBODY = { sharing: 'app', perms: { read: ['*'], write: [] } };
export const urlOf = (name: string): string =>
  `https://${name.replaceAll(/[^a-z0-9]/gi, '-').toLowerCase()}.example/mcp`;

/** An app whose users may use the gateway: `maker` makes connections, `asker` reads what is shared. */
export function toolsApp(): MemoryApp {
  const app = new MemoryApp();
  app.user('maker', { capabilities: ['edit_agent_connections', 'use_ai_gateway'] });
  app.user('asker', { capabilities: ['use_ai_gateway'] });
  app.peers.tools = [
    {
      name: 'echo',
      title: 'Echo',
      description: 'Says it again',
      input_schema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
      annotations: { readOnlyHint: true },
    },
  ];
  return app;
}

export async function connect(app: MemoryApp, name: string, more: Json = {}): Promise<void> {
  const details = { url: urlOf(name), token: SECRET };
  const body = { name, type: 'PLATFORM', details, acl: EVERYBODY, ...more };
  const made = await app.call('maker', 'POST', '/mcp_connection', body);
  if (made.status !== 200) throw new Error(JSON.stringify(made.json));
}

export const callTool = (app: MemoryApp, body: Json, user = 'asker', headers: Json = {}): Promise<Answer> =>
  app.call(user, 'POST', '/ai_gateway/tools/call', { connection: 'one', tool: 'echo', ...body }, headers);

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** A message of the stateless revision. */
export function send(app: MemoryApp, method: string, params: Json = {}, at = '', user = 'asker'): Promise<Answer> {
  const { name } = params;
  const headers = {
    'MCP-Protocol-Version': '2026-07-28',
    'Mcp-Method': method,
    ...(typeof name === 'string' ? { 'Mcp-Name': name } : {}),
  };
  const message = { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: META } };
  return app.call(user, 'POST', `/ai_gateway/mcp${at}`, message, headers);
}

/** A message of a revision with `initialize`. */
export const sendBefore = (app: MemoryApp, message: Json | unknown[] | string, headers: Json = {}): Promise<Answer> =>
  app.call(
    'asker',
    'POST',
    '/ai_gateway/mcp',
    typeof message === 'string' || Array.isArray(message) ? message : { jsonrpc: '2.0', ...message },
    { 'MCP-Protocol-Version': '2025-11-25', ...headers },
  );

export const namesIn = ({ json }: Answer): string[] => json.result.tools.map(({ name }: { name: string }) => name);

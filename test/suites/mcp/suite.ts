import { Peers } from '../../support/peers/peers.ts';
import type { OpenWorld } from '../../support/worlds/world.ts';
import { CRUD_USERS, crudSuite } from '../crud.ts';
import { acceptanceTopic } from './acceptance.ts';
import { accessTopic } from './access.ts';
import { ACCEPTED, CONNECTIONS, LISTINGS, MASK, McpCalls, PATH, URL } from './calls.ts';
import { contactTopic } from './contact.ts';
import { createTopic } from './create.ts';
import { fieldsTopic } from './fields.ts';
import { listsTopic } from './lists.ts';
import { racesTopic } from './races.ts';
import { refreshTopic } from './refresh.ts';
import { secretsTopic } from './secrets.ts';
import { toolsTopic } from './tools.ts';
import { updateTopic } from './update.ts';

/** MCP connections in any world. All topics share one world, which is slow to start over HTTP. */
export function mcpSuite(open: OpenWorld): void {
  const mcp = new McpCalls(
    open({
      users: { ...CRUD_USERS, root: ['admin'] },
      roles: { editors: ['edit_agent_connections'] },
      collections: [CONNECTIONS, LISTINGS, ACCEPTED, 'ml_agents'],
      servers: true,
      movesTime: true,
      processes: 4,
    }),
  );
  crudSuite(mcp.world, {
    path: PATH,
    collection: CONNECTIONS,
    messages: {
      created: 'MCP connection created',
      updated: 'MCP connection updated',
      deleted: 'MCP connection deleted',
    },
    least: { type: 'PLATFORM', details: { url: URL, token: 'token-of-a-test' } },
    shown: {
      type: 'PLATFORM',
      description: '',
      details: { url: URL, verify_tls: true, token: MASK },
      auth_state: 'unknown',
    },
    secrets: { 'details/token': 'token-of-a-test' },
    change: { description: 'after', tools_allowed: ['search'] },
    hasAcl: true,
    agentOf: (name) => ({ mcps: [{ name, tools: [] }] }),
  });
  describe('create', () => createTopic(mcp));
  describe('fields', () => fieldsTopic(mcp));
  describe('update', () => updateTopic(mcp));
  describe('secrets', () => secretsTopic(mcp));
  describe('access', () => accessTopic(mcp));
  describe('lists', () => listsTopic(mcp));
  describe('concurrent writers', () => racesTopic(mcp));

  describe('servers', () => {
    const peers = new Peers();
    describe('test', () => contactTopic(mcp, peers));
    describe('tools', () => toolsTopic(mcp, peers));
    describe('accepted tools', () => acceptanceTopic(mcp, peers));
    describe('token refresh', () => refreshTopic(mcp, peers));
  });
}

import { Peers } from '../support/peers/peers.ts';
import type { OpenWorld } from '../support/worlds/world.ts';
import { accessTopic } from './mcp/access.ts';
import { CONNECTIONS, LISTINGS, McpCalls } from './mcp/calls.ts';
import { contactTopic } from './mcp/contact.ts';
import { createTopic } from './mcp/create.ts';
import { fieldsTopic } from './mcp/fields.ts';
import { listsTopic } from './mcp/lists.ts';
import { racesTopic } from './mcp/races.ts';
import { refreshTopic } from './mcp/refresh.ts';
import { removalTopic } from './mcp/removal.ts';
import { secretsTopic } from './mcp/secrets.ts';
import { toolsTopic } from './mcp/tools.ts';
import { updateTopic } from './mcp/update.ts';

/** MCP connections in any world. All topics share one world, which is slow to start over HTTP. */
export function mcpSuite(open: OpenWorld): void {
  const mcp = new McpCalls(
    open({
      users: { anna: ['ml_admin'], bert: ['user', 'writers'], carl: ['user', 'readers'], root: ['admin'] },
      roles: { writers: ['edit_agent_connections'] },
      collections: [CONNECTIONS, LISTINGS, 'ml_agents'],
      servers: true,
      movesTime: true,
      processes: 4,
    }),
  );
  describe('create', () => createTopic(mcp));
  describe('fields', () => fieldsTopic(mcp));
  describe('update', () => updateTopic(mcp));
  describe('secrets', () => secretsTopic(mcp));
  describe('access', () => accessTopic(mcp));
  describe('lists', () => listsTopic(mcp));
  describe('delete', () => removalTopic(mcp));
  describe('concurrent writers', () => racesTopic(mcp));

  describe('servers', () => {
    const peers = new Peers();
    describe('test', () => contactTopic(mcp, peers));
    describe('tools', () => toolsTopic(mcp, peers));
    describe('token refresh', () => refreshTopic(mcp, peers));
  });
}

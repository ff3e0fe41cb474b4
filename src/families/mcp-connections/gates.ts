import { AGENT_CONNECTION_CAPABILITIES } from '../../contract/capabilities.ts';

/** Who may change and test MCP connections, and list their tools. */
export const WRITERS = { gate: AGENT_CONNECTION_CAPABILITIES, flag: 'mcp_connections' } as const;

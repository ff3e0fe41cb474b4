import { mcpSuite } from '../suites/mcp.ts';
import { overHttp } from '../support/worlds/overHttp.ts';

describe('MCP connections (contract 2) over HTTP', () => mcpSuite(overHttp));

import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { createMcpClient } from '../../../src/adapters/mcp/mcpClient.ts';
import { createOutbound } from '../../../src/adapters/outbound/outbound.ts';
import { startDeadline } from '../../../src/domain/async/deadline.ts';
import { acceptanceFingerprint } from '../../../src/families/mcp-connections/tools/definitions.ts';
import type { McpTool } from '../../../src/ports/mcp/mcpClient.ts';
import type { Peer } from '../../support/peers/listen.ts';
import { Peers } from '../../support/peers/peers.ts';
import { startProgram } from '../../support/peers/program.ts';
import { ensureInstalled } from '../../support/programs/installation.ts';
import { needsInstalled } from '../../support/programs/part.ts';
import { preparePython, pythonOf, pythonPrograms } from '../../support/programs/python.ts';

const run = promisify(execFile);
const PINNED = join(import.meta.dirname, 'servers');
const FOLDER = join(import.meta.dirname, '../../../node_modules/.cache/mcp-servers');
const program = (name: string): string => join(FOLDER, 'node_modules/.bin', name);

const prepareServers = () =>
  ensureInstalled({
    folder: FOLDER,
    pinned: readFileSync(join(PINNED, 'package-lock.json'), 'utf8'),
    program: program('supergateway'),
    async install() {
      cpSync(PINNED, FOLDER, { recursive: true });
      await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--workspaces=false'], { cwd: FOLDER });
    },
  });

/** Nothing listens there: only the tools are listed. */
const ATLASSIAN = {
  ...{ JIRA_URL: 'http://127.0.0.1:9', JIRA_PERSONAL_TOKEN: 'none' },
  ...{ CONFLUENCE_URL: 'http://127.0.0.1:9', CONFLUENCE_PERSONAL_TOKEN: 'none' },
  TOOLSETS: 'all',
};

const client = createMcpClient(createOutbound({ allowPrivate: true }));
const TOKEN = 'token-of-a-real-server';

function target({ url }: Peer) {
  return { url, token: TOKEN, verifyTls: true, secrets: [TOKEN] };
}

async function list(peer: Peer): Promise<McpTool[]> {
  using deadline = startDeadline(30_000);
  const { error, tools, leftOut, truncated } = await client.listTools(target(peer), deadline);
  expect([error, leftOut, truncated]).to.deep.equal([undefined, undefined, undefined]);
  expect(new Set(tools.map(({ name }) => name)).size).to.equal(tools.length);
  return tools;
}

async function call(peer: Peer, name: string, args: Record<string, unknown>) {
  const tool = (await list(peer)).find((one) => one.name === name);
  const times = { connectMs: 30_000, workMs: 30_000 };
  return client.callTool(target(peer), { name, arguments: args, input_schema: tool?.input_schema }, times);
}

describe('MCP servers of several makers', function () {
  this.timeout(180_000);
  const { started } = new Peers(afterEach);
  let folder: string;

  before(async function () {
    await needsInstalled(this, 'MCP servers', prepareServers);
    await needsInstalled(this, 'MCP servers for Python', () => preparePython('mcpServers'));
  });
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'mcp-servers-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const node = (name: string, args: (port: number) => string[], env: Record<string, string> = {}) =>
    started(startProgram(process.execPath, (port) => [program(name), ...args(port)], env));
  /** A server that speaks on stdin and stdout. */
  const bridged = (name: string, args: string[], more: string[] = [], env: Record<string, string> = {}) => {
    const stdio = [process.execPath, program(name), ...args].join(' ');
    const bridge = ['--stdio', stdio, '--outputTransport', 'streamableHttp', '--streamableHttpPath', '/mcp', ...more];
    return node('supergateway', (port) => [...bridge, '--port', String(port)], env);
  };

  for (const more of [[], ['--stateful']]) {
    it(`the reference server for files, behind a bridge ${more.join(' ')}`, async () => {
      writeFileSync(join(folder, 'a.txt'), 'Zeile 1\n');
      const peer = await bridged('mcp-server-filesystem', [folder], more);
      expect((await list(peer)).map(({ name }) => name)).to.include.members(['read_text_file', 'list_directory']);
      const { error, result } = await call(peer, 'read_text_file', { path: join(folder, 'a.txt') });
      expect(error).to.equal(undefined);
      expect(result?.content).to.deep.equal([{ type: 'text', text: 'Zeile 1\n' }]);
      const outside = await call(peer, 'read_text_file', { path: '/etc/hostname' });
      expect(outside.result?.isError).to.equal(true);
    });
  }

  it('the reference server for memory, behind a bridge', async () => {
    const peer = await bridged('mcp-server-memory', [], ['--stateful'], {
      MEMORY_FILE_PATH: join(folder, 'memory.json'),
    });
    const entities = [{ name: 'a', entityType: 'b', observations: ['c'] }];
    expect((await call(peer, 'create_entities', { entities })).result?.structuredContent).to.deep.equal({ entities });
    expect(JSON.stringify((await call(peer, 'read_graph', {})).result)).to.contain('observations');
  });

  it('Context7 and Notion, which do not reach their services here', async () => {
    const context7 = await node('context7-mcp', (port) => ['--transport', 'http', '--port', String(port)]);
    const { error, result } = await call(context7, 'resolve-library-id', { libraryName: 'react', query: 'state' });
    expect(error).to.equal(undefined);
    expect(result?.content).to.have.length(1);
    const notion = await node(
      'notion-mcp-server',
      (port) => ['--transport', 'http', '--host', '127.0.0.1', '--port', String(port), '--auth-token', TOKEN],
      { NOTION_TOKEN: 'none' },
    );
    expect(await list(notion)).to.have.length.above(10);
    const refused = await client.probe({ ...target(notion), token: 'wrong' }, startDeadline(10_000));
    expect(refused.error?.code).to.be.oneOf(['auth_failed', 'permission_denied']);
  });

  it('mcp-atlassian keeps its acceptance over restarts, but for defaults that it makes from sets', async () => {
    const start = () =>
      started(
        startProgram(
          join(pythonPrograms('mcpServers'), 'mcp-atlassian'),
          (port) => ['--transport', 'streamable-http', '--host', '127.0.0.1', '--port', String(port)],
          ATLASSIAN,
        ),
      );
    const listings: McpTool[][] = [];
    for (let time = 0; time < 2; time += 1) listings.push(await list(await start()));
    const [before = [], after = []] = listings;
    expect(before.length).to.be.above(10);
    expect(after.map(({ name }) => name)).to.deep.equal(before.map(({ name }) => name));
    const withoutDefaults = (tool: McpTool): McpTool =>
      JSON.parse(JSON.stringify(tool), (key, value) => (key === 'default' ? undefined : value));
    const prints = (tools: McpTool[]) => tools.map((tool) => acceptanceFingerprint(withoutDefaults(tool)));
    expect(prints(after)).to.deep.equal(prints(before));
    const changed = before.filter(
      (tool, index) => acceptanceFingerprint(tool) !== acceptanceFingerprint(after[index] ?? tool),
    );
    for (const tool of changed) expect(JSON.stringify(tool), tool.name).to.contain('"default"');
  });

  it('FastMCP 3, whose tools ask the client for its roots', async () => {
    const asking = join(import.meta.dirname, 'asking_server.py');
    const peer = await started(startProgram(pythonOf('mcpServers'), (port) => [asking, String(port)]));
    expect((await call(peer, 'add', { a: 1, b: 2 })).result).to.deep.include({ structuredContent: { result: 3 } });
    for (const name of ['roots', 'sample']) {
      const { error, result } = await call(peer, name, {});
      expect(error, name).to.equal(undefined);
      expect(result?.isError, JSON.stringify(result)).to.equal(true);
    }
  });
});

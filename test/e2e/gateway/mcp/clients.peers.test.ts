import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { project } from '../../../support/e2e/build.ts';
import { expectStatus, type TestPlatform } from '../../../support/e2e/platform.ts';
import type { Peer } from '../../../support/peers/listen.ts';
import { startEverything } from '../../../support/peers/mcp/everything.ts';
import { startModern } from '../../../support/peers/mcp/modern.ts';
import { Peers } from '../../../support/peers/peers.ts';
import { startProgram } from '../../../support/peers/program.ts';
import { needsInstalled } from '../../../support/programs/part.ts';
import { preparePython, pythonOf } from '../../../support/programs/python.ts';
import { gatewayPlatform, MOUNT } from '../gatewayPlatform.ts';

const run = promisify(execFile);
const NODE_CLIENT = join(import.meta.dirname, 'sdkClient.mjs');
const MODULES = join(project, 'node_modules');
const OFFICIAL_V1 = join(MODULES, '@modelcontextprotocol/sdk/dist/esm');
const OFFICIAL_V2 = import.meta.resolve('@modelcontextprotocol/client');

interface Seen {
  names: string[];
  texts: [boolean, string][];
  unknown: string | null;
}

describe('MCP clients through the gateway to several servers', function () {
  this.timeout(180_000);
  const { started } = new Peers();
  let platform: TestPlatform;
  let url: string;
  let session: string;
  let names: string[];

  before(async function () {
    await needsInstalled(this, 'the MCP SDK for Python', () => preparePython('mcp'));
    platform = await gatewayPlatform({ ML_TLS: '0' });
    const servers: Record<string, Peer> = {
      everything: await started(startEverything('streamableHttp')),
      sse: await started(startEverything('sse')),
      modern: await started(startModern({ modernOnly: true })),
      fast: await started(startFastMcp()),
    };
    for (const [name, server] of Object.entries(servers)) {
      const body = { name, type: 'PLATFORM', details: { url: server.url } };
      expectStatus(await platform.ml('anna', 'POST', '/mcp_connection', body), 200, name);
    }
    url = `${platform.url}${MOUNT}/mcp`;
    session = await platform.sessionKey('anna');
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const { json } = await platform.call('anna', 'POST', `${MOUNT}/mcp`, message);
    names = json.result.tools.map(({ name }: { name: string }) => name);
    expect(names).to.include.members(['everything__echo', 'fast__add', 'modern__echo', 'sse__echo']);
    expect(names).to.have.length.above(20);
  });
  after(() => platform?.dispose());

  function check(seen: Seen): void {
    expect(seen.names).to.deep.equal(names);
    expect(seen.texts.slice(0, 4)).to.deep.equal([
      [false, 'Echo: hi'],
      [false, '3'],
      [false, 'Echo: hi'],
      [false, 'done'],
    ]);
    expect(seen.texts[4]?.[0]).to.equal(true);
    expect(seen.texts[4]?.[1]).to.match(/^validation_failed: arguments\.a: /);
    expect(seen.unknown).to.match(/Unknown tool: none__none/);
  }
  const ofProgram = async (program: string, args: readonly string[]): Promise<Seen> => {
    const { stdout } = await run(program, args, { maxBuffer: 64 << 20 });
    return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Seen;
  };
  const ofNode = (library: string, target: string, ...mode: string[]) =>
    ofProgram(process.execPath, [NODE_CLIENT, library, target, session, ...mode]);

  for (const mode of ['2026-07-28', 'auto', 'legacy']) {
    it(`the official SDK for TypeScript, second line, ${mode}`, async () => {
      check(await ofNode(OFFICIAL_V2, url, ...(mode === 'legacy' ? [] : [mode])));
    });
  }

  it('the official SDK for TypeScript, first line', async () => {
    check(await ofNode(OFFICIAL_V1, url));
  });

  for (const mode of ['auto', 'legacy']) {
    it(`the official SDK for Python, ${mode}`, async () => {
      check(await ofProgram(pythonOf('mcp'), [join(import.meta.dirname, 'sdk_client.py'), url, session, mode]));
    });
  }

  it('mcp-remote, for clients that start their servers', async () => {
    const header = `Authorization: Splunk ${session}`;
    const program = [
      process.execPath,
      join(MODULES, 'mcp-remote/dist/proxy.js'),
      url,
      '--allow-http',
      '--header',
      header,
    ];
    check(await ofNode(OFFICIAL_V1, `stdio:${JSON.stringify(program)}`));
  });

  it("the Inspector's command line", async () => {
    const program = join(MODULES, '.bin/mcp-inspector');
    const inspect = async (...args: string[]) => {
      const header = `Authorization: Splunk ${session}`;
      const all = [program, '--cli', url, '--transport', 'http', '--header', header, ...args];
      return JSON.parse((await run(process.execPath, all, { maxBuffer: 64 << 20 })).stdout);
    };
    const listed = await inspect('--method', 'tools/list');
    expect(listed.tools.map(({ name }: { name: string }) => name)).to.deep.equal(names);
    const call = ['--method', 'tools/call', '--tool-name', 'fast__add', '--tool-arg', 'a=1', 'b=2'];
    expect((await inspect(...call)).content).to.deep.equal([{ type: 'text', text: '3' }]);
  });

  it('tells a client without a session so', async () => {
    const seen = await ofProgram(process.execPath, [NODE_CLIENT, OFFICIAL_V2, url, 'no-session']).catch(
      (error) => error,
    );
    expect(String(seen.stderr)).to.match(/401|not properly authenticated/);
  });
});

const startFastMcp = (): Promise<Peer> =>
  startProgram(pythonOf('mcp'), (port) => [join(import.meta.dirname, 'fast_server.py'), String(port)]);

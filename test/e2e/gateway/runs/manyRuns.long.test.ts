import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { expectStatus, type Reply, type TestPlatform } from '../../../support/e2e/platform.ts';
import { readBody, sendJson } from '../../../support/peers/listen.ts';
import { rpcResult, startAnswering } from '../../../support/peers/mcp/scripted.ts';
import { Peers } from '../../../support/peers/peers.ts';
import { eventually } from '../../../support/time.ts';
import { completionOf, configure, gatewayPlatform, MOUNT, toolCallsOf } from '../gatewayPlatform.ts';

const RUNS = 100;
const TOOL = { name: 'note', description: 'Writes a note', inputSchema: { type: 'object' } };
const ENDED = ['succeeded', 'failed', 'cancelled'];

interface Listed {
  run_id: string;
  state: string;
  input: string;
  output?: string;
  usage: { requests: number };
}

describe('a hundred runs at once', function () {
  this.timeout(580_000);
  const peers = new Peers();
  let platform: TestPlatform;
  const notes: unknown[] = [];

  before(async () => {
    const url = await peers.serve(async (request, response) => {
      const { messages }: { messages: { role: string; content: unknown }[] } = JSON.parse(await readBody(request));
      const question = messages.find(({ role }) => role === 'user')?.content;
      const isFirst = messages.every(({ role }) => role !== 'assistant');
      const call = toolCallsOf([['Desk__note', { question }]]);
      sendJson(response, 200, isFirst ? call : completionOf(`noted ${question}`));
    });
    const server = await peers.started(
      startAnswering(
        'tools/call',
        (response, message) => {
          notes.push((message.params as { arguments: { question: string } }).arguments.question);
          sendJson(response, 200, rpcResult(message, { content: [{ type: 'text', text: 'noted' }] }));
        },
        [TOOL],
      ),
    );
    platform = await gatewayPlatform();
    await configure(platform, 'up', url);
    const connection = { name: 'Desk', type: 'PLATFORM', details: { url: server.url } };
    expectStatus(await platform.ml('anna', 'POST', '/mcp_connection', connection), 200, 'a connection');
  });
  after(() => platform?.dispose());

  /** The platform asks to come again when all drivers were busy for 10 s, as they are on a slow machine; no driver saw the request. */
  async function runs(method: string, path: string, body?: object): Promise<Reply> {
    for (let tries = 1; ; tries += 1) {
      const reply = await platform.call('anna', method, `${MOUNT}/runs${path}`, body);
      if (reply.status !== 503 || !reply.text.includes('All driver processes were busy') || tries === 10) return reply;
      await sleep(1000);
    }
  }

  async function start(index: number): Promise<string> {
    const definition = { runtime_type: 'BUILT_IN', llm: { model: 'up/m' }, mcps: [{ name: 'Desk' }] };
    const reply = await runs('POST', '', { definition, input: `note ${index}`, wait_s: 0 });
    expectStatus(reply, 200, 'a run');
    return reply.json.run_id;
  }

  async function listed(): Promise<Listed[]> {
    const reply = await runs('GET', `?count=${RUNS}`);
    expectStatus(reply, 200, 'runs');
    return reply.json.result;
  }

  /** Milliseconds that a list of connections and a create take. */
  async function manage(name: string): Promise<number> {
    const from = performance.now();
    expectStatus(await platform.ml('bob', 'GET', '/mcp_connection'), 200, 'a list');
    const body = { name, type: 'PLATFORM', details: { url: 'https://mcp.example.com/mcp' } };
    expectStatus(await platform.ml('bob', 'POST', '/mcp_connection', body), 200, 'a create');
    return performance.now() - from;
  }

  it('all end, each with its own answer and its tool called once, while management answers', async () => {
    const before: number[] = [];
    for (let count = 0; count < 20; count += 1) before.push(await manage(`before-${count}`));
    const ids = await Promise.all(Array.from({ length: RUNS }, (_, index) => start(index)));
    expect(new Set(ids).size).to.equal(RUNS);
    const during: number[] = [];
    await eventually(
      async () => {
        during.push(await manage(`during-${during.length}`));
        const open = (await listed()).filter(({ state }) => !ENDED.includes(state));
        // Whoever reads a run whose worker could not be started starts one.
        for (const { run_id } of open.slice(0, 5)) expectStatus(await runs('GET', `/${run_id}`), 200, 'a run');
        return open.length === 0;
      },
      540_000,
      'the end of all runs',
    );
    const all = await listed();
    expect(all.map(({ run_id }) => run_id)).to.have.members(ids);
    for (const { state, input, output, usage } of all) {
      expect([input, state, output, usage.requests]).to.deep.equal([input, 'succeeded', `noted ${input}`, 2]);
    }
    expect(notes).to.have.members(Array.from({ length: RUNS }, (_, index) => `note ${index}`));
    const ratio = middle(during) / middle(before);
    process.stderr.write(`      management takes ${ratio.toFixed(1)} times as long, of ${during.length} tries\n`);
  });
});

const middle = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0;

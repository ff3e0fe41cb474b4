import { expect } from 'chai';
import type { Json } from '../../../support/memory/app.ts';
import { type RunsApp, runsApp } from '../runsApp.ts';

const ID = 725653563933458433n;
const MINE = '{"text":"x","id":725653563933458433}';

describe('values that a run passes between its model and its tools', () => {
  let runs: RunsApp;
  beforeEach(async () => {
    runs = await runsApp();
  });
  const messages = (): Json[] => runs.asked.at(-1).messages;
  const bodies = (): string[] => runs.app.llm.calls.map(({ body }) => body ?? '');
  const made = () => runs.app.peers.calls.map((call) => call.arguments);

  it('are integers beyond 2^53 with all digits', async () => {
    runs.app.peers.result = () => ({ content: [], structuredContent: { next: ID + 1n } });
    runs.turns.push([{ name: 'Desk__echo', args: MINE }], 'done');
    const run = await runs.work(await runs.start());
    expect(run.state).to.equal('succeeded');
    expect(made()).to.deep.equal([{ text: 'x', id: ID }]);
    expect(messages().at(-2)?.tool_calls).to.deep.include({
      id: 'call_0',
      type: 'function',
      function: { name: 'Desk__echo', arguments: MINE },
    });
    expect(messages().at(-1)).to.include({ content: '{"next":725653563933458434}' });
    expect(run.steps[1].input).to.deep.equal({ text: 'x', id: ID });
  });

  it('are such integers also in a call that people are asked about', async () => {
    runs.turns.push([{ name: 'Desk__delete', args: '{"id":725653563933458433}' }], 'done');
    const id = await runs.start();
    const waiting = await runs.work(id);
    expect([waiting.state, waiting.steps[1].input]).to.deep.equal(['waiting_for_approval', { id: ID }]);
    const decision = '{"step":1,"decision":"approve","arguments":{"id":725653563933458435}}';
    const { status } = await runs.app.call('asker', 'POST', `/ai_gateway/runs/${id}/approve`, decision);
    expect(status).to.equal(200);
    expect((await runs.work(id)).state).to.equal('succeeded');
    expect(made()).to.deep.equal([{ id: ID + 2n }]);
  });

  it('are such integers in the input of a run', async () => {
    const definition = '{"runtime_type":"BUILT_IN","llm":{"model":"up/m1"}}';
    const body = `{"definition":${definition},"worker":"caller","wait_s":0,"input":{"id":725653563933458433}}`;
    const { json } = await runs.app.call('asker', 'POST', '/ai_gateway/runs', body);
    expect(json.config.input).to.deep.equal({ id: ID });
    await runs.work(json.run_id);
    expect(messages()).to.deep.equal([{ role: 'user', content: '{"id":725653563933458433}' }]);
  });

  for (const args of ['', ' ', 'null', '{}', '"{}"']) {
    it(`are no arguments where the model writes ${JSON.stringify(args)}`, async () => {
      const [echo] = runs.app.peers.tools;
      runs.app.peers.tools = [{ name: 'echo', description: '', ...echo, input_schema: { type: 'object' } }];
      await runs.app.call('maker', 'PUT', '/mcp_connection', { name: 'Desk', description: 'x' });
      await runs.app.call('maker', 'POST', '/mcp_connection/accept_tools', { name: 'Desk' });
      runs.turns.push([{ name: 'Desk__echo', args }], 'done');
      const run = await runs.work(await runs.start());
      expect(run.state).to.equal('succeeded');
      expect(made()).to.deep.equal([{}]);
      const [call] = (messages().at(-2)?.tool_calls ?? []) as { function: Json }[];
      expect(JSON.parse(String(call?.function.arguments))).to.deep.equal({});
    });
  }

  it('are no arguments where the model answers null', async () => {
    const [echo] = runs.app.peers.tools;
    runs.app.peers.tools = [{ name: 'echo', description: '', ...echo, input_schema: { type: 'object' } }];
    await runs.app.call('maker', 'POST', '/mcp_connection/accept_tools', { name: 'Desk' });
    const answer = runs.app.llm.answer;
    const tool_calls = [{ id: 'c', type: 'function', function: { name: 'Desk__echo', arguments: null } }];
    const message = { role: 'assistant', content: null, tool_calls };
    runs.app.llm.answer = () => {
      runs.app.llm.answer = answer;
      return { json: { choices: [{ index: 0, message, finish_reason: 'tool_calls' }] } };
    };
    runs.turns.push('done');
    expect((await runs.work(await runs.start())).state).to.equal('succeeded');
    expect(made()).to.deep.equal([{}]);
  });

  it('are well-formed texts', async () => {
    const [echo] = runs.app.peers.tools;
    const description = 'says \ud83d it again';
    runs.app.peers.tools = [{ name: 'echo', ...echo, description }];
    await runs.app.call('maker', 'POST', '/mcp_connection/accept_tools', { name: 'Desk' });
    runs.app.peers.result = () => ({ content: [{ type: 'text', text: 'half \ud83d end' }] });
    runs.turns.push([{ name: 'Desk__echo', args: '{"text":"\\ude80"}' }], 'done');
    const run = await runs.work(await runs.start());
    expect(run.state).to.equal('succeeded');
    expect(messages().at(-1)?.content).to.equal('half \ufffd end');
    for (const body of bodies()) expect(body).to.not.match(/(?<!\\)\\ud/i);
    expect(bodies()[0]).to.include('says \ufffd it again');
  });

  it('are notes in place of pictures', async () => {
    const data = Buffer.alloc(200_000).toString('base64');
    runs.app.peers.result = () => ({
      content: [
        { type: 'image', data, mimeType: 'image/png' },
        { type: 'text', text: 'the words' },
      ],
    });
    runs.turns.push([{ name: 'Desk__echo', args: { text: 'x' } }], 'done');
    await runs.work(await runs.start());
    expect(messages().at(-1)?.content).to.equal('[image, image/png, 200000 bytes, not shown]\nthe words');
  });

  it('are described by schemas that providers take', async () => {
    const input_schema = {
      type: 'object',
      properties: { text: { type: 'string', pattern: '^(?=x)' }, list: { type: 'array' } },
      anyOf: [{ required: ['text'] }, { required: ['list'] }],
    };
    const [echo] = runs.app.peers.tools;
    runs.app.peers.tools = [{ name: 'echo', description: '', ...echo, input_schema }];
    await runs.app.call('maker', 'POST', '/mcp_connection/accept_tools', { name: 'Desk' });
    runs.turns.push([{ name: 'Desk__echo', args: { text: 'no' } }], 'done');
    await runs.work(await runs.start());
    const [tool] = runs.asked[0].tools;
    expect(tool.function.parameters).to.deep.equal({
      type: 'object',
      properties: { text: { type: 'string' }, list: { type: 'array', items: {} } },
    });
    // The tool's own schema judges.
    expect(messages().at(-1)?.content).to.include('arguments.text');
    expect(made()).to.deep.equal([]);
  });

  it('name the tools that exist where the model calls another', async () => {
    runs.turns.push([{ name: 'Desk__ecco' }], 'done');
    await runs.work(await runs.start());
    expect(messages().at(-1)?.content).to.equal(
      'tool_not_found: There is no tool Desk__ecco. The tools are Desk__delete, Desk__echo.',
    );
  });
});

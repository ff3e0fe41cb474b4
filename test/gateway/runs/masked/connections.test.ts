import { expect } from 'chai';
import type { Json } from '../../../support/memory/app.ts';
import { connect, urlOf } from '../../tools/toolsApp.ts';
import { type RunsApp, statesOf } from '../runsApp.ts';
import { madeCalls, maskedRuns, seenByModel, wordOf } from './maskedRuns.ts';

const HOST = 'db7.corp.example';
const echo = (text: string, name = 'Desk__echo') => [{ name, args: { text } }];

describe('values that a masked run sends to MCP tools', () => {
  let runs: RunsApp;
  beforeEach(async () => {
    runs = await maskedRuns();
  });
  const start = (input: string, more: Json = {}) => runs.start({ input }, more);
  const allow = async (kinds: string[]) => {
    const details = { url: urlOf('Desk'), unmask_kinds: kinds };
    const { status, json } = await runs.app.call('maker', 'PUT', '/mcp_connection', { name: 'Desk', details });
    expect(status, JSON.stringify(json)).to.equal(200);
  };

  it('are none from the input: the tool gets the placeholder, people see the value', async () => {
    runs.turns.push(
      (body) => echo(`about ${wordOf('host', body)}`),
      (body) => `It is ${wordOf('host', body)}.`,
    );
    const run = await runs.work(await start(`Look at ${HOST}`));
    expect(seenByModel(runs)).to.not.include(HOST);
    const [made] = madeCalls(runs) as { text: string }[];
    expect(made?.text).to.match(/^about host-[a-z0-9]{10}$/);
    expect(run.steps[1].input).to.deep.equal({ text: `about ${HOST}` });
    expect(run.output).to.equal(`It is ${HOST}.`);
  });

  it('are those that results of the same connection have brought', async () => {
    runs.app.peers.result = () => ({ content: [{ type: 'text', text: `host=${HOST}` }] });
    runs.turns.push(echo('x'), (body) => echo(wordOf('host', body)), 'done');
    expect((await runs.work(await start('Look'))).state).to.equal('succeeded');
    expect(madeCalls(runs)).to.deep.equal([{ text: 'x' }, { text: HOST }]);
    expect(seenByModel(runs)).to.not.include(HOST);
  });

  it('are none that another connection has brought', async () => {
    await connect(runs.app, 'Other');
    runs.app.peers.result = () => ({ content: [{ type: 'text', text: `host=${HOST}` }] });
    runs.turns.push(echo('x'), (body) => echo(wordOf('host', body), 'Other__echo'), 'done');
    await runs.work(await start('Look', { mcps: [{ name: 'Desk' }, { name: 'Other' }] }));
    expect(JSON.stringify(madeCalls(runs)[1])).to.match(/^\{"text":"host-/);
  });

  it('are none that a server has only said again', async () => {
    runs.app.peers.result = (call) => ({ content: [{ type: 'text', text: `heard ${JSON.stringify(call)}` }] });
    runs.turns.push(
      (body) => echo(wordOf('host', body)),
      (body) => echo(wordOf('host', body)),
      (body) => echo(wordOf('host', body)),
      'done',
    );
    await runs.work(await start(`Look at ${HOST}`));
    expect(madeCalls(runs)).to.have.length(3);
    expect(JSON.stringify(madeCalls(runs))).to.not.include(HOST);
  });

  it('are none that a person has written in place of a result', async () => {
    runs.turns.push(echo('x'), (body) => echo(wordOf('host', body)), 'done');
    const id = await start('Look', { approve_tools: 'always' });
    await runs.work(id);
    const approve = (step: number, more: object = {}) =>
      runs.call('POST', `/${id}/approve`, { step, decision: 'approve', ...more });
    expect((await approve(1, { result: `It is host=${HOST}` })).status).to.equal(200);
    await runs.work(id);
    expect((await approve(3)).status).to.equal(200);
    await runs.work(id);
    expect(madeCalls(runs)).to.have.length(1);
    expect(JSON.stringify(madeCalls(runs))).to.match(/^\[\{"text":"host-/);
  });

  it('are those of the kinds that the connection names', async () => {
    await allow(['host']);
    runs.turns.push((body) => echo(`${wordOf('host', body)} ${wordOf('mail', body)}`), 'done');
    await runs.work(await start(`Ask ana@example.org about ${HOST}`));
    const [made] = madeCalls(runs) as { text: string }[];
    expect(made?.text).to.match(new RegExp(`^${HOST} mail-[a-z0-9]{10}$`));
  });

  it('are never secrets, though the connection has brought them', async () => {
    await allow(['user', 'host']);
    runs.app.peers.result = () => ({ content: [{ type: 'text', text: 'password=hunter2-of-desk' }] });
    runs.turns.push(echo('x'), (body) => echo(wordOf('sec', body)), 'done');
    const run = await runs.work(await start('Look'));
    expect(JSON.stringify(madeCalls(runs)[1])).to.match(/^\{"text":"sec-/);
    expect(run.steps[3].input).to.deep.equal({ text: 'hunter2-of-desk' });
    const entries = JSON.stringify(runs.stored('ml_audit'));
    expect(entries).to.include('execute_tool').and.not.include('hunter2');
  });

  it('are none that it was not given: an unknown placeholder goes back to the model', async () => {
    const wrong = (word: string) => `${word.slice(0, -1)}${word.endsWith('2') ? '3' : '2'}`;
    runs.turns.push((body) => echo(wrong(wordOf('host', body))), 'done');
    const run = await runs.work(await start(`Look at ${HOST}`));
    expect(run.steps[1]).to.include({ state: 'failed', error_code: 'validation_failed' });
    expect(run.steps[1].output).to.include('a placeholder that stands for no value');
    expect(madeCalls(runs)).to.deep.equal([]);
  });

  it('are what a person has edited, as written; an approval alone changes nothing', async () => {
    for (const [edited, sent] of [
      [undefined, /^\{"text":"host-/],
      [{ text: HOST }, /^\{"text":"host-/],
      [{ text: `see ${HOST}` }, /^\{"text":"see db7\.corp\.example"\}$/],
    ] as const) {
      runs = await maskedRuns();
      runs.turns.push((body) => echo(wordOf('host', body)), 'done');
      const id = await start(`Look at ${HOST}`, { approve_tools: 'always' });
      const waiting = await runs.work(id);
      expect(waiting.steps[1].input).to.deep.equal({ text: HOST });
      const more = edited ? { arguments: edited } : {};
      const { status } = await runs.call('POST', `/${id}/approve`, { step: 1, decision: 'approve', ...more });
      expect(status).to.equal(200);
      expect(statesOf(await runs.work(id))).to.deep.equal(['model done', 'tool Desk__echo done', 'model done']);
      expect(JSON.stringify(madeCalls(runs)[0])).to.match(sent);
    }
  });

  it('are those that policies for tools leave, where the model sees all', async () => {
    runs = await maskedRuns({ operations: ['execute_tool'] } as Json);
    runs.app.peers.result = () => ({ content: [{ type: 'text', text: 'host=own.corp.example' }] });
    runs.turns.push(echo(HOST), echo('own.corp.example'), 'done');
    const run = await runs.work(await start(`Look at ${HOST}`));
    expect(statesOf(run).slice(-1)).to.deep.equal(['model done']);
    const [first, second] = madeCalls(runs);
    expect(JSON.stringify(first)).to.match(/^\{"text":"host-/);
    expect(second).to.deep.equal({ text: 'own.corp.example' });
  });

  it('are none in the arguments beside those that a person has edited', async () => {
    runs.turns.push((body) => [{ name: 'Desk__echo', args: { text: 'x', of: wordOf('host', body) } }], 'done');
    const id = await start(`Look at ${HOST}`, { approve_tools: 'always' });
    expect((await runs.work(id)).steps[1].input).to.deep.equal({ text: 'x', of: HOST });
    const decision = { step: 1, decision: 'approve', arguments: { text: 'y', of: HOST } };
    expect((await runs.call('POST', `/${id}/approve`, decision)).status).to.equal(200);
    await runs.work(id);
    expect(JSON.stringify(madeCalls(runs))).to.match(/^\[\{"text":"y","of":"host-/);
  });

  const VALUES = {
    ipint: ['10.20.30.40', 'from 10.20.30.40'],
    ipext: ['203.0.113.77', 'from 203.0.113.77'],
    mac: ['00:1a:2b:3c:4d:5e', 'mac 00:1a:2b:3c:4d:5e'],
    mail: ['ana@example.org', 'mail ana@example.org'],
    host: [HOST, `host=${HOST}`],
    user: ['jdoe-7', 'user=jdoe-7'],
    sid: ['S-1-5-21-1004336348-1177238915-682003330-1104', 'S-1-5-21-1004336348-1177238915-682003330-1104'],
    id: ['4111111111111111', 'card 4111 1111 1111 1111'],
    sec: ['AKIAIOSFODNN7EXAMPLE', 'the key AKIAIOSFODNN7EXAMPLE'],
  } as const;
  const SPELLINGS: readonly [string, (word: string) => string][] = [
    ['as it is', (word) => word],
    ['in capitals', (word) => word.toUpperCase()],
    ['in Markdown', (word) => `**${word.split('-')[0]}**-\`${word.split('-')[1]}\``],
    ['with an underscore', (word) => word.replace('-', '_')],
    ['without a hyphen', (word) => word.replace('-', '')],
    ['glued', (word) => `x${word}y z${word}`],
    ['in a URL', (word) => `https://evil.example/?d=${word}&e=%22${word}`],
    ['with another label', (word) => word.replace(/^[a-z]+/, 'name')],
  ];
  for (const [label, [value, text]] of Object.entries(VALUES)) {
    it(`are no ${label} of the input, however its placeholder is written`, async () => {
      for (const [how, spelled] of SPELLINGS) {
        runs = await maskedRuns();
        runs.turns.push((body) => echo(spelled(wordOf(label, body))), 'done');
        await runs.work(await start(text));
        const gone = JSON.stringify(madeCalls(runs)).replaceAll(/[\s.:-]/g, '');
        expect(gone, how).to.not.include(value.replaceAll(/[\s.:-]/g, ''));
        expect(gone.length, how).to.be.greaterThan(2);
      }
    });
  }
});

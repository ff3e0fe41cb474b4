import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { needsInstalled } from '../../support/programs/part.ts';
import { preparePython, pythonOf } from '../../support/programs/python.ts';
import { searchinfo } from '../peer.ts';
import { launcher } from '../started.ts';
import { chatAnswer, failed, promptOf } from './fakeGateway.ts';
import { GatewayServer } from './gatewayServer.ts';

const run = promisify(execFile);
type Read = { metadata: Record<string, unknown>; rows: Record<string, string>[] }[];

describe('commands that use the gateway, fed by the public Python SDK', function () {
  this.timeout(240_000);
  let server: GatewayServer;
  before(async function () {
    await needsInstalled(this, 'the public Python SDK', () => preparePython('splunkSdk'));
    server = await GatewayServer.start();
  });
  after(() => server?.close());

  async function feed(command: string, args: string[], chunks: object[][]): Promise<Read> {
    const hello = searchinfo(args, { splunkd_uri: server.url, session_key: 'session-key', earliest_time: 0, sid: '' });
    const script = join(import.meta.dirname, 'sdk_feeder.py');
    const program = join(dirname(launcher()), `${command}.sh`);
    const parameters = [script, program, JSON.stringify(hello), JSON.stringify(chunks)];
    const { stdout } = await run(pythonOf('splunkSdk'), parameters, {
      env: { PATH: process.env.PATH, PYTHONDONTWRITEBYTECODE: '1' },
      maxBuffer: 64 * 1024 * 1024,
    });
    return JSON.parse(stdout) as Read;
  }

  it('keeps rows, multivalue fields and text of any kind', async () => {
    server.gateway.answer = (item) =>
      promptOf(item) === 'bad'
        ? failed('content_filtered')
        : chatAnswer(JSON.stringify({ tags: ['ä', '$;"'], up: promptOf(item) }));
    const chunks = [
      [{ n: ['one', 't$wo'], raw: 'a\r\nb,"c"' }],
      [],
      [
        { n: 'bad', raw: '' },
        { n: 'ö "x"', raw: 'é' },
      ],
    ];
    const read = await feed('mlchat', ['prompt="{n}"', 'schema="tags:list, up"'], chunks);
    expect(read.map(({ metadata }) => metadata)).to.deep.equal([
      { type: 'stateful', required_fields: ['*'] },
      { finished: false },
      { finished: false },
      { finished: true, inspector: { messages: [['WARN', 'mlchat: 1 row failed: content_filtered 1']] } },
    ]);
    const [first, second, third] = read.flatMap(({ rows }) => rows);
    expect(first).to.include({ n: 'one\nt$wo', __mv_n: '$one$;$t$$wo$', raw: 'a\r\nb,"c"', up: 'one\nt$wo' });
    expect(first).to.include({ tags: 'ä\n$;"', __mv_tags: '$ä$;$$$;"$', answer_error: '' });
    expect(second).to.include({ n: 'bad', answer: '', up: '', answer_error: 'content_filtered' });
    expect(third).to.include({ n: 'ö "x"', raw: 'é', up: 'ö "x"' });
  });

  it('makes one row of all chunks with mode=all', async () => {
    server.gateway.answer = (item) => chatAnswer(promptOf(item));
    const chunks = [[{ a: '1', b: 'x' }], [{ a: '2', b: 'y' }]];
    const read = await feed('mlchat', ['prompt="{rows}"', 'mode=all', 'rows="b,a"'], chunks);
    expect(read[0]?.metadata).to.deep.equal({ type: 'reporting', required_fields: ['*'] });
    expect(read.map(({ rows }) => rows.length)).to.deep.equal([0, 0, 1]);
    expect(read[2]?.rows[0]).to.include({ answer: 'b,a\nx,1\ny,2', answer_tokens: '5' });
  });

  it('embeds 10,000 rows in four chunks in order', async () => {
    server.gateway.answer = (item) => ({
      status: 'done',
      response: { model: 'm', data: [{ embedding: [Number(promptOf(item))] }], usage: { total_tokens: 1 } },
    });
    const chunks = [0, 1, 2, 3].map((part) =>
      Array.from({ length: 2500 }, (_, at) => ({ n: String(part * 2500 + at) })),
    );
    const read = await feed('mlembed', ['text="{n}"'], chunks);
    const rows = read.flatMap((chunk) => chunk.rows);
    expect(rows).to.have.length(10_000);
    expect(rows.every(({ n, embedding }, at) => n === String(at) && embedding === `[${at}]`)).to.equal(true);
  });
});

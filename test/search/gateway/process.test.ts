import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { chunk, rowsOf, searchinfo } from '../peer.ts';
import { launcher, Started, started } from '../started.ts';
import { promptOf } from './fakeGateway.ts';
import { GatewayServer } from './gatewayServer.ts';

const program = join(dirname(launcher()), 'mlchat.sh');
const rows = (count: number, from = 0) =>
  `"n","_chunked_idx","__mv_n"\n${Array.from({ length: count }, (_, at) => `${from + at},${at},\n`).join('')}`;
const execute = (body: string, finished = true) => chunk({ action: 'execute', finished }, body);

describe('mlchat process, as built', () => {
  let server: GatewayServer;
  const info = (...args: string[]) => chunk(searchinfo(args, { splunkd_uri: server.url, session_key: 'canary-key' }));
  beforeEach(async () => {
    server = await GatewayServer.start();
  });
  afterEach(async () => {
    for (const command of started.splice(0)) command.kill();
    await server.close();
  });

  it('declares itself without calling anything', async () => {
    for (const [args, type] of [
      [['prompt="{n}"'], 'stateful'],
      [['prompt="{rows}"', 'mode=all', 'rows="n"'], 'reporting'],
    ] as const) {
      const { chunks, code, stderr } = await new Started(program).write(info(...args)).end();
      expect(chunks).to.deep.equal([{ metadata: { type, required_fields: ['*'] }, body: '' }]);
      expect([code, stderr]).to.deep.equal([0, '']);
    }
    expect(server.calls).to.deep.equal([]);
  });

  it('asks with the session of the search and waits as a refusal says', async () => {
    const busy = { status: 429, body: { error_code: 'too_many_requests', message: 'busy' }, retryAfter: 1 };
    server.gateway.refuse = (count) => (count === 1 ? busy : undefined);
    const command = new Started(program).write(info('prompt="Say {n}"', 'parallel=2'), execute(rows(2), false));
    const begun = Date.now();
    const [, first] = await command.chunks(2);
    expect(Date.now() - begun).to.be.at.least(900);
    expect(rowsOf(first?.body ?? '').map(({ n, _chunked_idx, answer }) => [n, _chunked_idx, answer])).to.deep.equal([
      ['0', '0', 're: Say 0'],
      ['1', '1', 're: Say 1'],
    ]);
    const last = (await command.write(execute(rows(1, 2))).chunks(3))[2];
    expect(last?.metadata).to.deep.equal({ finished: true });
    const { code, stderr } = await command.end();
    expect([code, stderr]).to.deep.equal([0, '']);
    for (const { method, url, headers } of server.calls) {
      expect([method, url]).to.deep.equal([
        'POST',
        '/servicesNS/nobody/ml_extension/ai_gateway/batch?output_mode=json',
      ]);
      expect(headers).to.include({ authorization: 'Splunk canary-key', 'x-ml-via': 'search' });
    }
  });

  it('ends with its input and sends nothing more', async () => {
    server.delayMs = 200;
    const command = new Started(program).write(info('prompt="{n}"', 'max_rows=5000'), execute(rows(5000)));
    while (server.gateway.requests.length < 3) await new Promise((resolve) => setTimeout(resolve, 10));
    const { code, chunks, stderr } = await command.end();
    const calls = server.calls.length;
    expect([code, chunks.length, stderr]).to.deep.equal([0, 1, '']);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(server.calls.length).to.equal(calls);
    const items = server.gateway.requests.map(({ items, begin_within_s }) => [items.length, begin_within_s]);
    expect(items.every(([length = 0, within = 9]) => length <= 32 && within <= 2)).to.equal(true);
  });

  it('fails the search when every row has failed', async () => {
    server.gateway.answer = (item) => ({ status: 'failed', error_code: 'not_found', message: `no ${promptOf(item)}` });
    const command = new Started(program).write(info('prompt="{n}"'), execute(rows(3)));
    const [, reply] = await command.chunks(2);
    expect(reply?.metadata).to.deep.equal({ finished: true, error: 'no 0 (not_found); all 3 rows failed' });
    expect((await command.end()).code).to.equal(0);
  });
});

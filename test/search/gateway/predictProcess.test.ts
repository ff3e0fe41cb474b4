import { appendFileSync, existsSync, truncateSync, unlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { endless } from '../../adapters/onnx/hostileModels.ts';
import { fixture } from '../../support/models/onnx.ts';
import { patience, until } from '../../support/time.ts';
import { chunk, searchinfo } from '../peer.ts';
import { launcher, Started, started } from '../started.ts';
import { PredictServer } from './predictServer.ts';

const program = join(dirname(launcher()), 'mlpredict.sh');
const execute = (body: string, finished = true) => chunk({ action: 'execute', finished }, body);
const FEATURES = ['a', 'b', 'c'];

describe('mlpredict process, as built', function () {
  this.timeout(patience(60_000));
  let server: PredictServer;
  const begin = async (model: Uint8Array) => {
    server = await PredictServer.start(model, FEATURES, ['y']);
    const info = searchinfo(['model=m'], { splunkd_uri: server.url, session_key: 'canary-key' });
    return new Started(program, { SPLUNK_HOME: server.home }).write(chunk(info));
  };
  afterEach(async () => {
    for (const command of started.splice(0)) command.kill();
    await server.close();
  });

  it('applies a model to 100,000 rows in order, with one bad row in each chunk', async () => {
    const command = await begin(fixture('linear'));
    const [CHUNKS, ROWS] = [10, 10_000];
    for (let index = 0; index < CHUNKS; index += 1) {
      const bad = (index * 977) % ROWS;
      const from = index * ROWS;
      // Y = b + 2c
      const lines = Array.from({ length: ROWS }, (_, at) => `${from + at},0,${at === bad ? 'x' : from + at},0.5\n`);
      command.write(execute(`n,a,b,c\n${lines.join('')}`, index === CHUNKS - 1));
      const reply = (await command.chunks(index + 2))[index + 1];
      const [header, ...rows] = (reply?.body ?? '').trimEnd().split('\r\n');
      expect(header).to.equal('n,a,b,c,predicted(y),prediction_error,prediction_error_message');
      expect(rows).to.have.length(ROWS);
      const wrong = rows.filter((row, at) => {
        const n = from + at;
        const cells = row.split(',');
        return at === bad ? cells[5] !== 'unreadable_value' : row !== `${n},0,${n},0.5,${n + 1},,`;
      });
      expect(wrong).to.deep.equal([]);
    }
    const { code, chunks, stderr } = await command.end();
    expect([code, stderr]).to.deep.equal([0, '']);
    expect(chunks.at(-1)?.metadata).to.deep.equal({
      finished: true,
      inspector: { messages: [['WARN', 'mlpredict: 10 rows failed: unreadable_value 10']] },
    });
    expect(server.bodies('/begin')).to.deep.equal([{ model: 'm' }]);
    const [end, ...others] = server.bodies('/end');
    expect(others).to.deep.equal([]);
    expect(end).to.deep.include({ use_id: 'use-1', rows: CHUNKS * ROWS, failed: CHUNKS });
    expect(server.calls.map(({ authorization }) => authorization)).to.deep.equal(Array(3).fill('Splunk canary-key'));
  });

  it('goes on with a model that is deleted meanwhile', async () => {
    const command = (await begin(fixture('linear'))).write(execute('a,b,c\n1,2,3\n', false));
    await command.chunks(2);
    unlinkSync(server.file);
    const [, , last] = await command.write(execute('a,b,c\n0,1,0\n')).chunks(3);
    expect(last?.body).to.contain('0,1,0,1,,');
    expect((await command.end()).code).to.equal(0);
  });

  for (const [what, change, code, error] of [
    ['gone', () => unlinkSync(server.file), 'not_found', 'The file of the model m is not on this member'],
    [
      'replaced',
      () => appendFileSync(server.file, 'more'),
      'version_conflict',
      'The model m was replaced while the search began: run it again',
    ],
    [
      'too large',
      () => {
        server.size = 31_457_281;
        truncateSync(server.file, server.size);
      },
      'model_not_runnable',
      'The file of m has more than 31457280 bytes',
    ],
  ] as const) {
    it(`fails the search where the file is ${what} before its first row`, async () => {
      const command = await begin(fixture('linear'));
      change();
      const [, reply] = await command.write(execute('a,b,c\n1,2,3\n')).chunks(2);
      expect(reply?.metadata).to.deep.equal({ finished: true, error });
      expect((await command.end()).code).to.equal(0);
      expect(server.bodies('/end')).to.deep.equal([
        { use_id: 'use-1', rows: 0, failed: 0, duration_ms: 0, error_code: code },
      ]);
    });
  }

  for (const how of ['the end of its input', 'SIGTERM'] as const) {
    it(`ends with a search that is cancelled by ${how}, also while a model loops, and reports what it did`, async () => {
      const command = (await begin(endless())).write(execute('a,b,c\n1,2,3\n'));
      await until(
        () => server.calls.length,
        (count) => count === 2,
      );
      // The thread computes by now; nothing tells when.
      await new Promise((resolve) => setTimeout(resolve, 500));
      const begun = Date.now();
      const { code, chunks, stderr } = await (how === 'SIGTERM' ? command.signal(how).ended() : command.end());
      expect([code, chunks.length, stderr]).to.deep.equal([0, 1, '']);
      expect(Date.now() - begun).to.be.lessThan(patience(3000));
      expect(server.bodies('/end')).to.have.length(1);
      expect(existsSync(server.file)).to.equal(true);
    });
  }

  it('reports what it did where it is stopped between two chunks, or its reader has gone', async () => {
    for (const how of ['SIGTERM', 'no reader'] as const) {
      const command = (await begin(fixture('linear'))).write(execute('a,b,c\n1,2,3\n', false));
      await command.chunks(2);
      if (how === 'SIGTERM') command.signal(how);
      else command.leave().write(execute(`a,b,c\n${'4,5,6\n'.repeat(100_000)}`));
      const { code, stderr } = await command.ended();
      expect([code, stderr]).to.deep.equal([0, '']);
      expect(server.bodies('/end')).to.have.length(1);
      await server.close();
    }
  });

  it('calls nothing before the first row', async () => {
    const command = await begin(fixture('linear'));
    const { chunks, code, stderr } = await command.end();
    expect(chunks).to.deep.equal([{ metadata: { type: 'stateful', required_fields: ['*'] }, body: '' }]);
    expect([code, stderr, server.calls]).to.deep.equal([0, '', []]);
  });
});

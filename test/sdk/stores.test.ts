import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Platform, startPlatform } from '../../platform/src/platform.ts';

const require = createRequire(import.meta.url);
const PASSWORD = 'changed!!';

/** The parts of the platform's public JavaScript SDK that are used here; it ships no types. */
interface SdkService {
  port: string;
  prefix: string;
  login(): Promise<unknown>;
  request(
    path: string,
    method: string,
    query: unknown,
    post: unknown,
    body: unknown,
    headers: unknown,
  ): Promise<SdkReply>;
  get(path: string, params: unknown): Promise<SdkReply>;
  post(path: string, params: unknown): Promise<SdkReply>;
  del(path: string, params: unknown): Promise<SdkReply>;
}
interface SdkReply {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: replies of many shapes
  data: any;
}

function newService(namespace: object = {}): SdkService {
  const sdk = require('splunk-sdk');
  // It would print every expected refusal.
  sdk.Logger.setLevel('NONE');
  const options = {
    scheme: 'https',
    host: '127.0.0.1',
    port: '1',
    username: 'admin',
    password: PASSWORD,
    version: '10',
  };
  return new sdk.Service({ ...options, ...namespace });
}

async function failure(call: Promise<unknown>): Promise<SdkReply> {
  try {
    await call;
  } catch (error) {
    return error as SdkReply;
  }
  throw new Error('the call did not fail');
}

describe('JavaScript SDK on the stores of the embedded platform', () => {
  let platform: Platform;
  let home: string;
  const service = newService({ owner: 'nobody', app: 'search' });
  const plain = newService();

  before(async () => {
    home = mkdtempSync(join(tmpdir(), 'sdk-stores-'));
    platform = await startPlatform({ home, port: 0, tls: true, adminPassword: PASSWORD });
    for (const each of [service, plain]) {
      each.port = String(platform.port);
      each.prefix = platform.url;
      await each.login();
    }
  });
  after(async () => {
    await platform.close();
    rmSync(home, { recursive: true, force: true });
  });

  it('works with collections and their documents', async () => {
    const config = 'storage/collections/config';
    const data = 'storage/collections/data/fromjs';
    const json = (method: string, path: string, body: unknown) =>
      service.request(path, method, null, null, JSON.stringify(body), { 'Content-Type': 'application/json' });
    const created = await service.post(config, { name: 'fromjs', 'field.n': 'number' });
    expect(created.status).to.equal(201);
    expect(created.data.entry[0].content['field.n']).to.equal('number');
    expect((await failure(service.post(config, { name: 'fromjs' }))).status).to.equal(409);

    expect((await json('POST', data, { _key: 'a b/ü', n: '1' })).status).to.equal(201);
    const taken = await failure(json('POST', data, { _key: 'a b/ü' }));
    expect(taken.status).to.equal(409);
    expect(taken.data.messages[0].text).to.equal('A document with the same key and user already exists.');
    expect(
      (
        await json('POST', `${data}/batch_save`, [
          { _key: 'b', n: 2 },
          { _key: 'c', n: 3 },
        ])
      ).data,
    ).to.deep.equal(['b', 'c']);
    const found = await service.get(data, { query: JSON.stringify({ n: { $lt: 3 } }), sort: 'n:-1', fields: '_key' });
    expect(found.data).to.deep.equal([{ _key: 'b' }, { _key: 'a b/ü' }]);
    const url = `${data}/${encodeURIComponent('a b/ü')}`;
    expect((await service.get(url, {})).data).to.deep.equal({ n: 1, _user: 'nobody', _key: 'a b/ü' });
    expect((await service.del(url, {})).status).to.equal(200);
    expect((await failure(service.get(url, {}))).status).to.equal(404);
    expect(
      (await json('POST', `${data}/batch_find`, [{ query: { n: 3 } }, {}])).data.map((x: []) => x.length),
    ).to.deep.equal([1, 2]);
    expect((await service.del(`${config}/fromjs`, {})).status).to.equal(200);
    expect((await failure(service.get(data, {}))).status).to.equal(404);
  });

  // The unchanged suite of the SDK's package. It parses the command line during its setup.
  const argv = process.argv;
  process.argv = ['node', 'mocha', '--username', 'admin', '--password', PASSWORD];
  try {
    require('splunk-sdk/tests/service_tests/storagepasswords').setup(plain);
  } finally {
    process.argv = argv;
  }
});

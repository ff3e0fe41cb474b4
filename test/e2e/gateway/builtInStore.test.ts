import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type CallOptions, call, type Reply } from '../../../platform/test/support/platform.ts';
import { ADMIN_PASSWORD, startPlatform, type TestPlatform } from '../../support/e2e/platform.ts';
import { type Peer, readBody, sendJson, startHttp } from '../../support/peers/listen.ts';
import { until } from '../../support/time.ts';

const APP = '/servicesNS/nobody/ml_extension';
const REPLICATION_MS = 300;

/** Vectors that say how often each of these words is in a text. */
const WORDS = ['disk', 'login', 'restart', 'network'];
const vectorOf = (text: string) => WORDS.map((word) => text.toLowerCase().split(word).length - 1 + 0.01);

describe('a store in the platform on two members', () => {
  let platform: TestPlatform;
  let urls: string[];
  let model: Peer;
  before(async () => {
    model = await startHttp(async (incoming, response) => {
      const { input } = JSON.parse(await readBody(incoming)) as { input: string | string[] };
      const data = [input].flat().map((text, index) => ({ index, embedding: vectorOf(text) }));
      sendJson(response, 200, { object: 'list', model: 'm', data, usage: { prompt_tokens: 1, total_tokens: 1 } });
    });
    const env = { ML_MEMBERS: '2', ML_REPLICATION_MS: String(REPLICATION_MS), ML_CLOCK_SKEW_MS: '600000' };
    platform = await startPlatform({ env });
    urls = [...platform.output.matchAll(/^member \d+ (\S+)$/gm)].map(([, url]) => url ?? '');
  });
  after(async () => {
    await platform.dispose();
    await model.close();
  });

  const on = (member: number, method: string, path: string, body?: object): Promise<Reply> => {
    const options: CallOptions = { as: `admin:${ADMIN_PASSWORD}` };
    if (body !== undefined) options.body = JSON.stringify(body);
    if (body !== undefined) options.headers = { 'Content-Type': 'application/json' };
    return call(urls[member - 1] ?? '', method, `${APP}${path}`, options);
  };
  const done = async (member: number, method: string, path: string, body?: object) => {
    const reply = await on(member, method, path, body);
    expect(reply.status, reply.text).to.equal(200);
    return reply.json;
  };
  const found = async (member: number, query: string): Promise<[string, string][]> => {
    const body = { store: 'Runbooks', query, number_of_results: 2 };
    const { result } = await done(member, 'POST', '/ai_gateway/retrieve', body);
    return result.map(({ id, text }: { id: string; text: string }) => [id, text]);
  };
  const index = (member: number, documents: object[]) =>
    done(member, 'POST', '/ai_gateway/index', { store: 'Runbooks', documents });
  const make = () =>
    done(1, 'POST', '/ml/vector_stores', {
      ...{ name: 'Runbooks', type: 'BUILT_IN', details: { embedding_model: 'up/m' } },
      acl: { sharing: 'app', perms: { read: ['*'], write: ['*'] } },
    });

  it('each finds at once what the other writes, replaces and deletes, and nothing of a store of before', async () => {
    const servicesettings = { endpoint: { value: `${model.url}/v1` }, access_token: { value: 'sk-of-a-test' } };
    const llm = { service: 'General_Chat', connection_name: 'up', model: 'm', servicesettings };
    await done(1, 'POST', '/ml/aicommander', llm);
    await make();
    // Secrets reach the other member a little later than records.
    await until(
      () => on(2, 'POST', '/ai_gateway/v1/embeddings', { model: 'up/m', input: 'x' }),
      ({ status }) => status === 200,
    );
    const disk = { id: 'disk', text: 'Disk full: error ERR-4003. Clean the disk.', metadata: { team: 'ops' } };
    expect(await index(1, [disk, { id: 'login', text: 'Login fails' }])).to.include({ indexed: 2 });
    expect((await found(2, 'my disk is full'))[0]).to.deep.equal(['disk', disk.text]);
    expect((await found(1, 'ERR-4003'))[0]).to.deep.equal(['disk', disk.text]);
    await index(2, [{ ...disk, text: 'Disk full: ask the team of disks' }]);
    expect((await found(1, 'disk'))[0]).to.deep.equal(['disk', 'Disk full: ask the team of disks']);
    expect(await done(1, 'POST', '/ai_gateway/index/delete', { store: 'Runbooks', ids: ['disk'] })).to.include({
      deleted: 1,
    });
    expect(await found(2, 'disk')).to.deep.equal([['login', 'Login fails']]);
    const list = await done(2, 'GET', '/ai_gateway/index?store=Runbooks');
    expect(list.result.map(({ id }: { id: string }) => id)).to.deep.equal(['login']);
    await done(2, 'DELETE', '/ml/vector_stores/Runbooks');
    await make();
    for (const member of [1, 2]) expect(await found(member, 'login')).to.deep.equal([]);
    await index(1, [{ id: 'new', text: 'Restart the network' }]);
    for (const member of [1, 2]) expect(await found(member, 'login')).to.deep.equal([['new', 'Restart the network']]);
  });

  it('many processes bring one file up to date, and all answer the same', async () => {
    await index(
      2,
      Array.from({ length: 60 }, (_, n) => ({ id: `d${n}`, text: `network ${n} `.repeat(n + 1) })),
    );
    const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => found(1 + (n % 2), 'network 59')));
    expect(new Set(answers.map((each) => JSON.stringify(each))).size).to.equal(1);
  });

  it('files stand below var/lib of each member, for the account alone', () => {
    const homes = readdirSync(platform.home, { recursive: true, encoding: 'utf8' })
      .filter((name) => /var\/lib\/ml_extension\/knowledge\.\d+$/.test(name))
      .map((name) => join(platform.home, name));
    expect(homes).to.have.length(2);
    for (const home of homes) expect(readdirSync(home).filter((name) => name.endsWith('.db'))).to.have.length(1);
    expect(homes.every((home) => existsSync(home))).to.equal(true);
  });
});

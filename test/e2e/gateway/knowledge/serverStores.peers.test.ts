import { expect } from 'chai';
import type { Json } from '../../../../src/contract/basics.ts';
import { readPage } from '../../../docs/markdown.ts';
import { startWorld, type World, worlds } from '../../../families/vector-stores/external/worlds.ts';
import { expectStatus, type Reply, type TestPlatform } from '../../../support/e2e/platform.ts';
import { type Peer, readBody, sendJson, startHttp } from '../../../support/peers/listen.ts';
import { configure, gatewayPlatform, MOUNT } from '../gatewayPlatform.ts';

/** As the guide has it. */
const DIMENSIONS = 768;
const TABLE = 'runbooks';
const STORE = 'Runbooks';
const LOGIN = { username: 'splunk', password: 'Splunk-passw0rd-123' };

/** A vector of the words of a text: texts with the same words are near. */
function vectorOf(text: string): number[] {
  const vector = new Array<number>(DIMENSIONS).fill(0.001);
  for (const word of text.toLowerCase().match(/[a-z]+/g) ?? []) {
    const place = [...word].reduce((hash, letter) => (hash * 31 + letter.charCodeAt(0)) % 1_000_003, 7) % DIMENSIONS;
    vector[place] = 1;
  }
  return vector;
}

/** The statements of the guide for this server. */
function statementsFor({ name }: World): string {
  const parts = readPage('docs/guide/vector-stores.md')
    .blocks.filter(({ language }) => language === 'text')
    .flatMap(({ text }) => text.split('\n\n'));
  const mark = { PostgreSQL: 'CREATE TABLE', openSearch: '(OpenSearch)', elasticsearch: '(Elasticsearch)' }[name] ?? '';
  return parts.find((part) => part.includes(mark)) ?? '';
}

const DISK = {
  id: 'disk.md',
  text: '# Disk\n\nA full disk shows ERR-4003. Delete old logs.',
  metadata: { team: 'storage', severity: 3 },
};
const LOGIN_FAILS = {
  id: 'login.md',
  text: '# Login\n\nReset the password of the user.',
  metadata: { team: 'access', severity: 1.5 },
};
const NETWORK = {
  id: 'network.md',
  text: '# Network\n\nRestart the switch when old logs of it say so.',
  metadata: { team: 'storage', severity: 5 },
};
const THEIRS = { id: 'theirs', text: 'Pump water out of the cellar', metadata: { team: 'house' } };

describe('stores on servers, through the built app', () => {
  let platform: TestPlatform;
  let provider: Peer;
  const embedded: string[] = [];
  before(async function () {
    this.timeout(60_000);
    provider = await startHttp(async (incoming, response) => {
      const { input } = JSON.parse(await readBody(incoming)) as { input: string | string[] };
      const texts = [input].flat();
      embedded.push(...texts);
      const data = texts.map((text, index) => ({ index, embedding: vectorOf(text) }));
      sendJson(response, 200, { object: 'list', model: 'm', data, usage: { prompt_tokens: 1, total_tokens: 1 } });
    });
    platform = await gatewayPlatform();
    await configure(platform, 'Words', provider.url);
  });
  after(async () => {
    await platform?.dispose();
    await provider?.close();
  });

  const done = async (sent: Promise<Reply>): Promise<Reply['json']> => {
    const reply = await sent;
    expectStatus(reply, 200, 'a reply');
    return reply.json;
  };
  const gateway = (method: string, path: string, body?: object) =>
    platform.call('anna', method, `${MOUNT}${path}`, body);
  const index = (...documents: object[]) => done(gateway('POST', '/index', { store: STORE, documents }));
  const remove = (body: object) => done(gateway('POST', '/index/delete', { store: STORE, ...body }));
  const listed = async () => {
    const { result } = await done(gateway('GET', `/index?store=${STORE}`));
    return result.map(({ id, passages, metadata }: Json) => [id, passages, metadata]);
  };
  const found = async (query: string, more: object = {}): Promise<Json[]> =>
    (await done(gateway('POST', '/retrieve', { store: STORE, query, number_of_results: 2, ...more }))).result;
  const idsOf = (passages: Json[]) => passages.map(({ id }) => id);

  for (const world of worlds()) {
    describe(world.name, function () {
      this.timeout(120_000);
      const isTable = world.name === 'PostgreSQL';
      startWorld(world);
      before(async () => {
        if (isTable) await world.define(`CREATE ROLE splunk LOGIN PASSWORD '${LOGIN.password}'`);
        await world.define(statementsFor(world));
        await world.put(TABLE, [{ ...THEIRS, vector: vectorOf(THEIRS.text) }]);
      });
      after(() => platform.ml('anna', 'DELETE', `/vector_stores/${STORE}`));

      it('is made, tested and filled, and answers by meaning, by words and through a filter', async () => {
        const { type, details } = world.target(TABLE, { embedding_model: 'Words/m', ...(isTable ? LOGIN : {}) }).record;
        await done(platform.ml('anna', 'POST', '/vector_stores', { name: STORE, type, details }));
        const tested = await done(platform.ml('anna', 'POST', '/vector_stores/test', { name: STORE, query: 'disk' }));
        expect([tested.success, tested.data.type], JSON.stringify(tested)).to.deep.equal([true, type]);

        const reply = await index(DISK, LOGIN_FAILS, NETWORK, { ...THEIRS, text: 'mine' });
        expect([reply.indexed, reply.passages]).to.deep.equal([3, 3]);
        expect(reply.failed.map(({ id, error_code }: Json) => [id, error_code])).to.deep.equal([
          ['theirs', 'already_exists'],
        ]);
        expect(await listed()).to.deep.equal([
          ['disk.md', 1, DISK.metadata],
          ['login.md', 1, LOGIN_FAILS.metadata],
          ['network.md', 1, NETWORK.metadata],
        ]);
        expect(Object.keys(await world.rows(TABLE)).sort()).to.deep.equal([
          ...['disk.md#0', 'login.md#0', 'network.md#0', 'theirs'],
        ]);

        const [near] = await found('the user has no password', { search_type: 'semantic' });
        expect(near?.score).to.be.a('number');
        expect({ ...near, score: 1 }).to.deep.equal({
          rank: 1,
          id: 'login.md',
          text: LOGIN_FAILS.text,
          score: 1,
          source: { type: isTable ? 'pgvector' : 'opensearch', uri: 'login.md' },
          metadata: LOGIN_FAILS.metadata,
        });
        expect(idsOf(await found('cellar water'))[0]).to.equal('theirs');
        expect(idsOf(await found('ERR-4003', { search_type: 'hybrid' }))[0]).to.equal('disk.md');
        const filter = {
          andAll: [{ equals: { key: 'team', value: 'storage' } }, { greaterThan: { key: 'severity', value: 3 } }],
        };
        expect(idsOf(await found('old logs', { filter }))).to.deep.equal(['network.md']);
        expect(idsOf(await found('old logs', { filter, search_type: 'hybrid' }))).to.deep.equal(['network.md']);
        expect(embedded).to.include('old logs');
      });

      it('replaces and deletes documents, and leaves the rows of others', async () => {
        const long = Array.from({ length: 120 }, (_, at) => `Step ${at}: look at the disk and its logs again.`).join(
          ' ',
        );
        const { passages } = await index({ ...DISK, text: long });
        expect(passages).to.be.greaterThan(1);
        expect(Object.keys(await world.rows(TABLE))).to.have.length(passages + 3);
        await index({ ...DISK, text: 'The disk is new.' });
        expect(await world.rows(TABLE)).to.include({ 'disk.md#0': 'The disk is new.' });
        expect(Object.keys(await world.rows(TABLE))).to.have.length(4);
        expect(await remove({ ids: ['login.md', 'theirs'] })).to.include({ deleted: 1 });
        expect((await listed()).map(([id]: [string]) => id)).to.deep.equal(['disk.md', 'network.md']);
        expect(await remove({ all: true })).to.include({ deleted: 2 });
        expect(await listed()).to.deep.equal([]);
        expect(await world.rows(TABLE)).to.deep.equal({ theirs: THEIRS.text });
        expect(idsOf(await found('disk'))).to.deep.equal(['theirs']);
      });
    });
  }
});

import { expect } from 'chai';
import { MemoryApp } from '../../support/memory/app.ts';
import { FaultPlan } from '../../support/memory/faults.ts';
import { Random } from '../../support/random.ts';

const blob = (model: string, n = 0) => ({
  service: 'General_Chat',
  connection_name: 'one',
  model,
  servicesettings: { endpoint: { value: 'https://llm.example/v1' }, access_token: { value: `token-${n}` }, stamp: n },
  modelsettings: { stamp: n },
});

function start(): MemoryApp {
  const app = new MemoryApp();
  app.user('editor', { capabilities: ['edit_ai_commander_config', 'list_ai_commander_config'] });
  return app;
}

const save = (app: MemoryApp, model: string, n = 0) => app.call('editor', 'POST', '/aicommander', blob(model, n));
const remove = (app: MemoryApp, model: string) =>
  app.call('editor', 'DELETE', `/aicommander/General_Chat/one/${model}`);
const models = async (app: MemoryApp): Promise<string[]> =>
  (await app.call('editor', 'GET', '/aicommander?count=0')).json.result.map(({ model }: { model: string }) => model);

describe('writers of one LLM connection at the same time, each a process of its own', () => {
  it('the last model goes while another comes: the new one and its secret stay', async () => {
    for (let round = 0; round < 60; round++) {
      const app = start();
      await save(app, 'a');
      const work = round % 2 === 0 ? [remove(app, 'a'), save(app, 'b', 1)] : [save(app, 'b', 1), remove(app, 'a')];
      for (const { status, json } of await Promise.all(work)) expect(status, JSON.stringify(json)).to.equal(200);
      expect(await models(app)).to.deep.equal(['b']);
      expect([...app.site.secrets.values.values()]).to.have.length(1);
      expect(app.site.orphans('ml_llm_connections')).to.deep.equal([]);
    }
  });

  it('two delete the two last models: both succeed, nothing stays', async () => {
    for (let round = 0; round < 20; round++) {
      const app = start();
      await save(app, 'a');
      await save(app, 'b');
      const replies = await Promise.all([remove(app, 'a'), remove(app, 'b')]);
      expect(replies.map(({ status }) => status)).to.deep.equal([200, 200]);
      expect(app.site.records.all('ml_llm_connections')).to.deep.equal([]);
      expect([...app.site.secrets.values]).to.deep.equal([]);
    }
  });

  for (const query of ['', '?verify=true']) {
    it(`a deletion at any moment of a save${query}: a save creates a missing record and never answers not_found`, async () => {
      for (let at = 1, isOver = false; !isOver; at++) {
        const app = start();
        app.llm.answer = () => ({ json: { data: [{ id: 'a' }], choices: [{ message: { content: 'pong' } }] } });
        await save(app, 'a');
        let removed: number | undefined;
        const faults = new FaultPlan(at, async () => {
          removed = (await remove(app, 'a')).status;
        });
        const body = Buffer.from(JSON.stringify(blob('a', 1)));
        const params: [string, string][] = query ? [['verify', 'true']] : [];
        const request = { method: 'POST', path: '/ml/aicommander', query: params, body, sessionToken: 'editor' };
        const { status, json } = await app.request(request, faults);
        const what = `before call ${at} (${faults.trace[at - 1]}): ${JSON.stringify(json)}`;
        // A deletion that waits for our own lease takes so long that the save gives up; what was tested may not be there any more.
        const allowed = ['store_unavailable', ...(query ? ['version_conflict'] : [])];
        if (status !== 200) expect(json.error_code, what).to.be.oneOf(allowed);
        isOver = removed === undefined;
      }
    });
  }

  it('anything at once: readers see whole states, and nothing is left over', async () => {
    const random = new Random(3);
    const app = start();
    const torn: string[] = [];
    const read = async () => {
      const { json } = await app.call('editor', 'GET', '/aicommander?count=0');
      const stamps = new Set(json.result.map((one: ReturnType<typeof blob>) => one.servicesettings.stamp));
      if (stamps.size > 1) torn.push(JSON.stringify(json.result));
    };
    for (let round = 0; round < 25; round++) {
      const work = Array.from({ length: 8 }, (_, n) => {
        const model = random.pick(['a', 'b', 'c']);
        if (random.chance(0.3)) return read();
        if (random.chance(0.5)) return remove(app, model).then((reply) => ({ ...reply, allowed: [200, 404] }));
        return save(app, model, round * 10 + n).then((reply) => ({ ...reply, allowed: [200] }));
      });
      for (const reply of await Promise.all(work)) {
        if (reply) expect(reply.status, JSON.stringify(reply.json)).to.be.oneOf(reply.allowed);
      }
      expect(app.site.orphans('ml_llm_connections')).to.deep.equal([]);
      expect(app.site.records.all('ml_llm_connections')).to.have.length((await models(app)).length > 0 ? 1 : 0);
    }
    expect(torn).to.deep.equal([]);
    expect(app.site.records.all('ml_leases')).to.deep.equal([]);
    expect(app.site.records.all('ml_journal')).to.deep.equal([]);
  });
});

describe('a connection that would not fit into a document of the store', () => {
  it('is refused before anything is written', async () => {
    const app = start();
    // Three bytes a character.
    const filler = '€'.repeat(330_000);
    const statuses: number[] = [];
    for (let n = 0; n < 13; n++) {
      const reply = await app.call('editor', 'POST', '/aicommander', { ...blob(`m${n}`), filler });
      statuses.push(reply.status);
      if (reply.status !== 200) expect(reply.json.errors[0].field).to.equal('$body');
    }
    expect(statuses).to.deep.equal([...Array.from({ length: 12 }, () => 200), 400]);
    expect(await models(app)).to.have.length(12);
    expect(app.site.orphans('ml_llm_connections')).to.deep.equal([]);
  });
});

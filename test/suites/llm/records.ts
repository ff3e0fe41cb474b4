import { expect } from 'chai';
import { MASK } from '../../../src/contract/basics.ts';
import { KEY } from '../../support/records/llmBlob.ts';
import { type LlmKit, ROOT, textOf } from './kit.ts';

export function recordTests(kit: LlmKit): void {
  const { world, fresh, save, read, remove } = kit;

  it('stores the blob as submitted, secrets out, and echoes it masked', async () => {
    const blob = {
      ...fresh(),
      $where: 'this.a.b == 1',
      'dotted.name': { $gt: 1, 'x.y': [1, { 'a.b': null }] },
      ui: { theme: 'dark', order: [3, 1, 2] },
    };
    const earliest = world.now();
    const reply = await save(blob);
    expect(reply.status, textOf(reply)).to.equal(200);
    expect(reply.json.message).to.equal('Service settings updated successfully');
    expect(reply.json.status).to.equal('success');
    expect(reply.json).to.not.have.property('warnings');
    const expected = structuredClone(blob) as Record<string, unknown> & typeof blob;
    (expected.servicesettings as unknown as { access_token: unknown }).access_token = { value: MASK };
    const { version, created_at, created_by, last_updated_at, last_updated_by, is_saved, is_model_saved, ...rest } =
      reply.json.updated_config;
    expect(rest).to.deep.equal(expected);
    expect({ version, created_by, last_updated_by, is_saved, is_model_saved }).to.deep.equal({
      version: 1,
      created_by: 'editor',
      last_updated_by: 'editor',
      is_saved: true,
      is_model_saved: true,
    });
    expect(created_at).to.equal(last_updated_at).and.to.be.within(earliest, world.now());
    expect((await read(blob)).json.config).to.deep.equal(reply.json.updated_config);
    expect(await world.leaks(KEY)).to.deep.equal([]);
  });

  it('finds models with /, :, @, spaces, + and unicode; the model is the whole rest of the path', async () => {
    const models = [
      'meta-llama/llama-4-scout:free',
      'arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.anthropic.claude-3-haiku-20240307-v1:0',
      'ns/a/b/c@sha256:0f',
      'a b+c (d) [e] ü 模型',
      "it's.a,b;c=d&e#f?g",
      'test',
    ];
    for (const model of models) {
      const blob = fresh({ model, connection_name: 'Ünïcode (x) #1' });
      expect((await save(blob)).status, model).to.equal(200);
      const found = await read(blob);
      expect(found.json.config?.model, textOf(found)).to.equal(model);
      const encoded = `${ROOT}/General_Chat/${encodeURIComponent('ÜNÏCODE (x) #1')}/${encodeURIComponent(model)}`;
      const again = await world.call('reader', 'GET', encoded);
      expect(again.json.config?.model, textOf(again)).to.equal(model);
      expect(again.json.config.connection_name).to.equal('Ünïcode (x) #1');
    }
    for (const model of models) {
      const blob = fresh({ model, connection_name: 'ünïcode (x) #1' });
      const gone = await remove(blob);
      expect(gone.json, textOf(gone)).to.include({ service: 'General_Chat', connection_name: 'Ünïcode (x) #1', model });
      expect((await read(blob)).status).to.equal(404);
    }
  });

  it('compares connection names without case and models exactly', async () => {
    const blob = fresh({ connection_name: 'Prod Key' });
    await save(blob);
    const other = await save({ ...blob, connection_name: 'PROD key', model: 'GPT-4O-MINI' });
    expect(other.json.updated_config).to.include({ connection_name: 'Prod Key', model: 'GPT-4O-MINI', version: 1 });
    const list = await world.call('reader', 'GET', `${ROOT}?connection_name=prod%20KEY`);
    expect(list.json.result.map(({ model }: { model: string }) => model)).to.have.members([
      'gpt-4o-mini',
      'GPT-4O-MINI',
    ]);
    expect((await read({ ...blob, model: 'Gpt-4o-mini' })).status).to.equal(404);
  });

  it('finds names of any length, and tells long ones apart', async () => {
    const long = 'ü'.repeat(255);
    for (const last of ['a', 'b']) {
      const blob = fresh({ connection_name: long + last, model: 'm'.repeat(256) });
      expect((await save(blob)).status).to.equal(200);
      expect(
        (await read({ ...blob, connection_name: (long + last).toUpperCase() })).json.config.connection_name,
      ).to.equal(long + last);
    }
  });

  it('shares settings and secrets of a connection among its models, and says so', async () => {
    const first = fresh({ connection_name: 'shared' });
    const second = { ...first, model: 'o4-mini' };
    expect((await save(first)).json).to.not.have.property('warnings');
    // The same settings and the same key again: nothing has changed for the first model.
    expect((await save(second)).json).to.not.have.property('warnings');
    expect((await read(first)).json.config.version).to.equal(1);
    expect(await kit.secretCount('shared')).to.equal(1);
    const { servicesettings: _, ...bare } = { ...second, model: 'third' };
    const third = await save(bare);
    expect(third.json.updated_config.servicesettings).to.deep.equal((await read(first)).json.config.servicesettings);
    const changed = structuredClone(second);
    (changed.servicesettings as Record<string, unknown>).request_timeout = { value: 99 };
    const reply = await save(changed);
    expect(reply.json.warnings).to.have.length(1);
    expect(reply.json.warnings[0]).to.contain('gpt-4o-mini').and.to.contain('third');
    const view = (await read(first)).json.config;
    expect(view.servicesettings.request_timeout).to.deep.equal({ value: 99 });
    expect(view.version).to.equal(2);
  });

  it('takes the secret along with the last model, not before', async () => {
    const before = (await world.secretRefs()).length;
    const blob = fresh({ connection_name: 'short-lived' });
    await save(blob);
    await save({ ...blob, model: 'b' });
    expect((await world.secretRefs()).length).to.equal(before + 1);
    await remove(blob);
    expect((await world.secretRefs()).length).to.equal(before + 1);
    expect((await read({ ...blob, model: 'b' })).json.config.servicesettings.access_token).to.deep.equal({
      value: MASK,
    });
    await remove({ ...blob, model: 'b' });
    expect((await world.secretRefs()).length).to.equal(before);
    const docs = await world.records('ml_llm_connections');
    expect(docs.some((doc) => doc.connection_name === 'short-lived')).to.equal(false);
    expect((await remove(blob)).json.error_code).to.equal('not_found');
    // A later connection of this name starts without a key.
    const { access_token: _, ...servicesettings } = blob.servicesettings as Record<string, unknown>;
    const reborn = await save({ ...blob, servicesettings });
    expect(reborn.json.updated_config.servicesettings).to.not.have.property('access_token');
  });

  it('knows drafts', async () => {
    const draft = fresh({ is_saved: false, is_model_saved: false });
    expect((await save(draft)).json.updated_config).to.include({ is_saved: false, is_model_saved: false });
    expect((await read(draft)).json.config).to.include({ is_saved: false, is_model_saved: false });
    expect((await save({ ...draft, is_saved: true })).json.updated_config).to.include({
      is_saved: true,
      is_model_saved: false,
      version: 2,
    });
  });

  it('honours versions, in the body and in If-Match', async () => {
    const blob = fresh();
    expect((await save({ ...blob, version: 1 })).json, 'nothing there').to.include({
      error_code: 'version_conflict',
      current_version: 0,
    });
    await save(blob);
    const { config } = (await read(blob)).json;
    expect((await save(config)).json.updated_config.version).to.equal(2);
    const stale = await save(config);
    expect(stale.status).to.equal(409);
    expect(stale.json).to.include({ error_code: 'version_conflict', current_version: 2 });
    expect((await save(blob, { 'If-Match': '"1"' })).status).to.equal(409);
    expect((await save(blob, { 'If-Match': '2' })).json.updated_config.version).to.equal(3);
    const gone = await remove(blob, '', { 'If-Match': '2' });
    expect(gone.json).to.include({ error_code: 'version_conflict', current_version: 3 });
    expect((await remove(blob, '', { 'If-Match': '3' })).status).to.equal(200);
  });

  it('lets one of many changes win that build on the same version', async () => {
    const blob = fresh();
    await save(blob);
    const { version } = (await read(blob)).json.config;
    const races = await Promise.all(
      Array.from({ length: 15 }, (_, stamp) => save({ ...blob, modelsettings: { stamp }, version })),
    );
    expect(races.filter(({ status }) => status === 200)).to.have.length(1);
    expect(races.filter(({ json }) => json.error_code === 'version_conflict')).to.have.length(14);
  });

  it('is in_use while an agent names it', async () => {
    const blob = fresh({ connection_name: 'Used' });
    await save(blob);
    const acl = { owner: 'editor', sharing: 'user', perms: { read: [], write: [] } };
    const llm = { service: blob.service, connection_name: 'uSED', model: blob.model };
    await world.store('ml_agents', { _key: 'a1', name: 'Ada', acl, llm });
    const refused = await remove(blob);
    expect(refused.json, textOf(refused)).to.deep.include({ error_code: 'in_use', used_by: ['Ada'] });
    expect((await remove(blob, '?force=true')).status).to.equal(200);
  });

  it('survives writers of one connection at the same time: no model lost, one secret, whole records', async () => {
    const writers = Array.from({ length: 18 }, (_, n) =>
      fresh({
        connection_name: 'busy',
        model: `model-${n % 9}`,
        servicesettings: {
          endpoint: { value: 'https://llm.example/v1' },
          access_token: { value: `${KEY}${n}` },
          stamp: n,
        },
        modelsettings: { stamp: n },
      }),
    );
    const replies = await Promise.all(writers.map((blob) => save(blob)));
    expect(replies.map(({ status }) => status)).to.deep.equal(writers.map(() => 200));
    const list = (await world.call('reader', 'GET', `${ROOT}?service=General_Chat&connection_name=busy`)).json.result;
    expect(list.map(({ model }: { model: string }) => model).sort()).to.deep.equal(
      Array.from({ length: 9 }, (_, n) => `model-${n}`),
    );
    const stamps = new Set(list.map((one: { servicesettings: { stamp: number } }) => one.servicesettings.stamp));
    expect(stamps.size, 'one state of the connection').to.equal(1);
    const last = [...stamps][0] as number;
    const latest = list.find(({ model }: { model: string }) => model === `model-${last % 9}`);
    expect(latest.modelsettings.stamp, 'the last write is whole').to.equal(last);
    const before = await world.secretRefs();
    const removed = await Promise.all(list.map((one: Record<string, unknown>) => remove(one)));
    expect(removed.map(({ status }) => status)).to.deep.equal(list.map(() => 200));
    expect((await world.secretRefs()).length).to.equal(before.length - 1);
    expect((await world.records('ml_leases')).length).to.equal(0);
    expect((await world.records('ml_journal')).length).to.equal(0);
  });
}

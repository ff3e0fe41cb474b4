import { expect } from 'chai';
import { startProvider, WELL } from '../../support/peers/llm.ts';
import { blobOf, KEY } from '../../support/records/llmBlob.ts';
import { type LlmKit, METADATA, textOf } from './kit.ts';

/** Tests of a provider that a test server plays, and the models that it offers. */
export function testTests(kit: LlmKit): void {
  const { world, save, read, remove, test } = kit;

  it('tests the saved record by its identity, and writes last_test alone', async () => {
    const provider = await startProvider(WELL.General_Chat);
    try {
      const blob = { ...blobOf('General_Chat', provider.url), connection_name: 'to be tested' };
      await save(blob);
      const { service, connection_name, model } = blob;
      const earliest = world.now();
      const reply = await test({ service, connection_name, model });
      expect(reply.json, textOf(reply)).to.include({ success: true, response_content: 'ok' });
      expect(provider.asked[0]?.headers.authorization).to.equal(`Bearer ${KEY}`);
      const { config } = (await read(blob)).json;
      expect(config.version).to.equal(1);
      expect(config.last_updated_at).to.equal(config.created_at);
      expect(config.last_test).to.include({ status: 'success', error_code: null });
      expect(config.last_test.tested_at).to.be.within(earliest, world.now());
      // A given configuration takes the stored key on the same host, and persists nothing.
      const { access_token: _, ...servicesettings } = blob.servicesettings as Record<string, unknown>;
      await test({ ...blob, servicesettings });
      expect(provider.asked.at(-1)?.headers.authorization).to.equal(`Bearer ${KEY}`);
      expect((await read(blob)).json.config).to.deep.equal(config);
      const unknown = await test({ service, connection_name, model: 'nope' });
      expect(unknown.json.error_code).to.equal('not_found');
      const bare = await test({ service });
      expect(bare.json.errors.map(({ field }: { field: string }) => field)).to.have.members([
        'connection_name',
        'model',
      ]);
    } finally {
      await provider.close();
    }
    const { service, connection_name, model } = { ...blobOf('General_Chat', ''), connection_name: 'to be tested' };
    const failed = await test({ service, connection_name, model });
    expect(failed.json).to.include({ status: 'fail', success: false, error_code: 'connection_refused' });
    const { last_test } = (await read({ service, connection_name, model })).json.config;
    expect(last_test).to.include({ status: 'fail', error_code: 'connection_refused' });
  });

  it('keeps models of a refresh for forms until the connection is gone', async () => {
    const provider = await startProvider(WELL.Fast_Inference);
    try {
      const blob = { ...blobOf('Fast_Inference', provider.url), connection_name: 'refreshed', model: 'own-model' };
      await save(blob);
      const { service, connection_name } = blob;
      const reply = await test({
        service,
        connection_name,
        action: 'refresh_models',
      });
      expect(reply.json, textOf(reply)).to.deep.include({
        success: true,
        service,
        models: ['meta-llama/llama-4-scout-17b-16e-instruct'],
        count: 1,
      });
      const models = async () =>
        (await world.call('reader', 'GET', METADATA)).json.config.services.Fast_Inference.models;
      const mine = { id: 'own-model', source: 'configured' };
      const theirs = { id: 'meta-llama/llama-4-scout-17b-16e-instruct', source: 'provider' };
      expect((await models())[0]).to.deep.equal(theirs);
      expect(await models()).to.deep.include(mine);
      await remove(blob);
      expect(await models())
        .to.not.deep.include(mine)
        .and.not.deep.include(theirs);
    } finally {
      await provider.close();
    }
  });
}

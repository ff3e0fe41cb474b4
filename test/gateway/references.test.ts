import { expect } from 'chai';
import type { MemoryApp } from '../support/memory/app.ts';
import { ask, configure, gatewayApp } from './gatewayApp.ts';

describe('model references', () => {
  let app: MemoryApp;
  const asked = async (model: string) => {
    const { status, json } = await ask(app, { model });
    return status === 200 ? `${json.ml.connection_name}/${json.ml.model}` : json.error_code;
  };
  beforeEach(async () => {
    app = await gatewayApp();
  });

  it('match connections and services without case, and models exactly', async () => {
    expect(await asked('up/m1')).to.equal('up/m1');
    expect(await asked('UP/m1')).to.equal('up/m1');
    expect(await asked('general_chat/Up/m1')).to.equal('up/m1');
    expect(await asked('m2')).to.equal('other/m2');
    expect(await asked('up/M1')).to.equal('not_found');
    expect(await asked('up')).to.equal('not_found');
  });

  it('may hold slashes in the name of the model', async () => {
    await configure(app, 'hub', 'org/big/model');
    expect(await asked('hub/org/big/model')).to.equal('hub/org/big/model');
    expect(await asked('org/big/model')).to.equal('hub/org/big/model');
  });

  it('are refused when they fit two models, with references that fit one', async () => {
    await configure(app, 'second', 'm1');
    await configure(app, 'up', 'm1', {}, { service: 'Fast_Inference' });
    const { status, json } = await ask(app, { model: 'm1' });
    expect([status, json.error_code]).to.deep.equal([400, 'ambiguous_reference']);
    expect(json.candidates).to.have.members(['second/m1', 'General_Chat/up/m1', 'Fast_Inference/up/m1']);
    for (const candidate of json.candidates) expect((await ask(app, { model: candidate })).status).to.equal(200);
    expect(await asked('up/m1')).to.equal('ambiguous_reference');
  });

  it('are listed, and each listed id is a reference', async () => {
    await configure(app, 'up', 'm1', {}, { service: 'Fast_Inference' });
    await configure(app, 'draft', 'm3', {}, { is_saved: false });
    const { json } = await app.call('asker', 'GET', '/ai_gateway/v1/models');
    expect(json.object).to.equal('list');
    const ids = json.data.map(({ id }: { id: string }) => id);
    expect(ids).to.have.members(['other/m2', 'General_Chat/up/m1', 'Fast_Inference/up/m1']);
    for (const id of ids) {
      const one = await app.call('asker', 'GET', `/ai_gateway/v1/models/${id}`);
      expect(one.json).to.deep.equal(json.data.find((model: { id: string }) => model.id === id));
    }
    expect((await app.call('aliases only', 'GET', '/ai_gateway/v1/models')).json.data).to.deep.equal([]);
    expect((await app.call('asker', 'GET', '/ai_gateway/v1/models/none')).json.error.code).to.equal('not_found');
  });

  it('default to the alias `default`', async () => {
    const { status, json } = await ask(app, { model: undefined });
    expect([status, json.error_code]).to.deep.equal([404, 'not_found']);
    expect(json.message).to.include('"default"');
  });
});

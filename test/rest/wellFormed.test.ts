import { expect } from 'chai';
import { illFormed } from '../../src/rest/wellFormed.ts';
import { MemoryApp } from '../support/memory/app.ts';

const MESSAGE = 'must be valid Unicode: it contains half of a surrogate pair';
/** As a client writes it: JSON.stringify escapes what UTF-8 cannot say. */
const HALF = 'x\ud800';
const EXPERIMENT = { title: 'Sales', type: 'smart_forecast' };

describe('texts that are no Unicode', () => {
  let app: MemoryApp;
  beforeEach(() => {
    app = new MemoryApp();
    app.user('registrar', { roles: ['admin'], capabilities: ['admin_all_objects', 'register_ml_models'] });
  });

  it('have a place also in a field without a name', () => {
    expect(illFormed({ '': HALF })).to.deep.equal([{ field: '$body', message: MESSAGE }]);
  });

  it('are refused with their place, wherever they stand', async () => {
    for (const [method, path, body, field] of [
      ['POST', '/experiments', { ...EXPERIMENT, description: HALF }, 'description'],
      ['POST', '/experiments', { ...EXPERIMENT, tags: ['a', HALF] }, 'tags.1'],
      ['POST', '/experiments', { ...EXPERIMENT, acl: { sharing: 'app', perms: { read: [HALF] } } }, 'acl.perms.read.0'],
      ['PUT', '/register_model', { model_name: 'm', acl: { perms: { write: [HALF] } } }, 'acl.perms.write.0'],
    ] as const) {
      const { status, json } = await app.call('registrar', method, path, body);
      expect([status, json.error_code], `${field} ${JSON.stringify(json)}`).to.deep.equal([400, 'validation_failed']);
      expect(json.errors.map((error: { field: string }) => error.field)).to.include(field);
    }
    expect(app.roles.asked).to.deep.equal([]);
    expect(app.site.log.text()).to.not.include('bug');
  });

  it('are named with everything else that is wrong, and each field once', async () => {
    const { json } = await app.call('root', 'POST', '/experiments', { type: 'none', title: HALF });
    expect(json.errors.map((error: { field: string }) => error.field)).to.have.members(['type', 'title']);
  });

  it('whole pairs, and escapes of them, are texts like any other', async () => {
    const body = JSON.stringify({ ...EXPERIMENT, description: 'a 😀' }).replace('😀', '\\ud83d\\ude00');
    const { status, json } = await app.call('root', 'POST', '/experiments', body);
    expect([status, json.config.description]).to.deep.equal([200, 'a 😀']);
  });

  it('are found in keys at any depth, at most 20 of them', () => {
    expect(illFormed({ a: { [HALF]: 1 } })).to.deep.equal([{ field: 'a.x\ufffd', message: MESSAGE }]);
    expect(illFormed(Array(1000).fill(HALF))).to.have.length(20);
    let deep: unknown = HALF;
    for (let level = 0; level < 100_000; level++) deep = [deep];
    expect(illFormed({ ok: 1, n: null })).to.deep.equal([]);
    expect(() => illFormed({ shallow: deep })).to.not.throw();
  });
});

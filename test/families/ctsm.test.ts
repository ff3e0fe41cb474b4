import { expect } from 'chai';
import { ctsmSuite } from '../suites/ctsm.ts';
import { MemoryApp } from '../support/memory/app.ts';
import { inMemory } from '../support/worlds/inMemory.ts';

describe('CTSM', () => {
  ctsmSuite(inMemory);

  it('answers its writes 403 while the flag is off', async () => {
    const app = new MemoryApp();
    app.settings.stanzas = { feature_flags: { ctsm: '0' } };
    for (const path of ['/ctsm_feature', '/ctsm_acknowledge']) {
      expect((await app.call('reader', 'POST', path, '{broken')).json.error_code).to.equal('feature_disabled');
    }
    expect((await app.call('reader', 'GET', '/ctsm_feature')).status).to.equal(200);
  });
});

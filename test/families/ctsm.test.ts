import { expect } from 'chai';
import { MemoryApp } from '../support/memory/app.ts';

describe('CTSM', () => {
  it('keeps opt-out and acknowledgement of each user apart', async () => {
    const app = new MemoryApp();
    const read = async (user: string) => {
      const { json } = await app.call(user, 'GET', '/ctsm_feature');
      return { out: json.ctsm_opt_out, ack: json.ctsm_acknowledge, at: json.acknowledged_at };
    };
    expect(await read('reader')).to.deep.equal({ out: false, ack: false, at: undefined });
    const out = await app.call('reader', 'POST', '/ctsm_feature', { ctsm_opt_out: true });
    expect(out.status).to.equal(200);
    expect(out.json).to.deep.include({ status: 'success', ctsm_opt_out: true, ctsm_acknowledge: false });
    const at = app.site.clock.seconds();
    expect((await app.call('reader', 'POST', '/ctsm_acknowledge')).json).to.include({ acknowledged_at: at });
    expect(await read('reader')).to.deep.equal({ out: true, ack: true, at });
    expect(await read('editor')).to.deep.equal({ out: false, ack: false, at: undefined });

    app.site.clock.advance(5000);
    for (const body of [undefined, {}, { acknowledge: true }]) {
      expect((await app.call('reader', 'POST', '/ctsm_acknowledge', body)).json.acknowledged_at).to.equal(at);
    }
    await app.call('reader', 'POST', '/ctsm_feature', { ctsm_opt_out: false });
    expect(await read('reader')).to.deep.equal({ out: false, ack: true, at });
  });

  it('refuses what is no decision', async () => {
    const app = new MemoryApp();
    for (const body of [{}, { ctsm_opt_out: 'yes' }, { ctsm_opt_out: null }, { ctsm_opt_out: 1 }]) {
      const reply = await app.call('reader', 'POST', '/ctsm_feature', body);
      expect(reply.status, JSON.stringify(body)).to.equal(400);
      expect(reply.json.errors[0].field).to.equal('ctsm_opt_out');
    }
    for (const body of [{ acknowledge: false }, { acknowledge: 'true' }, '[]', 'null']) {
      expect((await app.call('reader', 'POST', '/ctsm_acknowledge', body)).status).to.equal(400);
    }
    expect((await app.call('reader', 'POST', '/ctsm_feature')).json.error_code).to.equal('malformed_json');
    expect(app.site.records.all('ml_ctsm')).to.deep.equal([]);
  });

  it('answers its writes 403 while the flag is off', async () => {
    const app = new MemoryApp();
    app.settings.stanzas = { feature_flags: { ctsm: '0' } };
    for (const path of ['/ctsm_feature', '/ctsm_acknowledge']) {
      expect((await app.call('reader', 'POST', path, '{broken')).json.error_code).to.equal('feature_disabled');
    }
    expect((await app.call('reader', 'GET', '/ctsm_feature')).status).to.equal(200);
  });
});

import { expect } from 'chai';
import type { OpenWorld } from '../support/worlds/world.ts';

/** Users' decisions about curated time series models, in any world. */
export function ctsmSuite(open: OpenWorld): void {
  const world = open({ users: { reader: ['user'], editor: ['user'] }, collections: ['ml_ctsm'] });

  it('keeps opt-out and acknowledgement of each user apart', async () => {
    const read = async (user: string) => {
      const { json } = await world.call(user, 'GET', '/ctsm_feature');
      return { out: json.ctsm_opt_out, ack: json.ctsm_acknowledge, at: json.acknowledged_at };
    };
    expect(await read('reader')).to.deep.equal({ out: false, ack: false, at: undefined });
    const out = await world.call('reader', 'POST', '/ctsm_feature', { ctsm_opt_out: true });
    expect(out.status).to.equal(200);
    expect(out.json).to.deep.include({ status: 'success', ctsm_opt_out: true, ctsm_acknowledge: false });
    const earliest = world.now();
    const { acknowledged_at: at } = (await world.call('reader', 'POST', '/ctsm_acknowledge')).json;
    expect(at).to.be.within(earliest, world.now());
    expect(await read('reader')).to.deep.equal({ out: true, ack: true, at });
    expect(await read('editor')).to.deep.equal({ out: false, ack: false, at: undefined });

    await world.later();
    for (const body of [undefined, {}, { acknowledge: true }]) {
      expect((await world.call('reader', 'POST', '/ctsm_acknowledge', body)).json.acknowledged_at).to.equal(at);
    }
    await world.call('reader', 'POST', '/ctsm_feature', { ctsm_opt_out: false });
    expect(await read('reader')).to.deep.equal({ out: false, ack: true, at });
  });

  it('refuses what is no decision', async () => {
    for (const body of [{}, { ctsm_opt_out: 'yes' }, { ctsm_opt_out: null }, { ctsm_opt_out: 1 }]) {
      const reply = await world.call('reader', 'POST', '/ctsm_feature', body);
      expect(reply.status, JSON.stringify(body)).to.equal(400);
      expect(reply.json.errors[0].field).to.equal('ctsm_opt_out');
    }
    for (const body of [{ acknowledge: false }, { acknowledge: 'true' }, '[]', 'null']) {
      expect((await world.call('reader', 'POST', '/ctsm_acknowledge', body)).status).to.equal(400);
    }
    expect((await world.call('reader', 'POST', '/ctsm_feature')).json.error_code).to.equal('malformed_json');
    expect(await world.records('ml_ctsm')).to.deep.equal([]);
  });
}

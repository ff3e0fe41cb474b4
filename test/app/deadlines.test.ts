import { expect } from 'chai';
import { machineSlots } from '../../src/app/dependencies/slots.ts';
import { RequestSlot, type TimeLimit } from '../../src/metering/requestSlot.ts';
import { MemoryLog } from '../support/memory/log.ts';
import { MemorySettings } from '../support/memory/platform.ts';
import { MemorySlots } from '../support/memory/slots.ts';

describe('the time that a request below /ai_gateway may take', () => {
  const secondsOf = async (limit: TimeLimit, gateway: Record<string, string> = {}) => {
    const settings = new MemorySettings();
    settings.stanzas = { gateway };
    return (await machineSlots(settings, new MemoryLog()).deadlineMs(limit)) / 1000;
  };

  it('is deadline_s, and long_deadline_s for long requests', async () => {
    expect([await secondsOf('usual'), await secondsOf('long')]).to.deep.equal([120, 600]);
    const set = { deadline_s: '30', long_deadline_s: '900' };
    expect([await secondsOf('usual', set), await secondsOf('long', set)]).to.deep.equal([30, 900]);
  });

  it('is what the caller asks for, up to long_deadline_s', async () => {
    expect([await secondsOf(5), await secondsOf(300), await secondsOf(3600)]).to.deep.equal([5, 300, 600]);
    expect(await secondsOf(300, { long_deadline_s: '60' })).to.equal(60);
  });

  it('begins with the slot, as long as the request was limited to before', async () => {
    const slots = new MemorySlots();
    slots.deadlineMs = async (limit) => (limit === 'long' ? 600_000 : 120_000);
    const slot = new RequestSlot(slots);
    slot.limitTo('long');
    const deadline = await slot.enter('anna');
    expect(deadline.remaining()).to.be.above(120_000).and.at.most(600_000);
    slot.leave();
  });
});

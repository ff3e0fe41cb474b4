import { expect } from 'chai';
import type { SplunkdClient } from '../../../src/adapters/splunkd/client.ts';
import { SettingsCache } from '../../../src/adapters/splunkd/stores/settings.ts';
import { ManualClock } from '../../support/memory/clock.ts';

/** A platform that answers with the settings of the moment of the call. */
function platform(clock: ManualClock) {
  const state = { region: 'one', calls: 0, status: 200, pending: [] as (() => void)[], isSlow: false };
  const call = async () => {
    state.calls += 1;
    const { status } = state;
    const text = JSON.stringify({ entry: [{ name: 'aws', content: { region: state.region, 'eai:acl': null } }] });
    if (state.isSlow) await new Promise<void>((resolve) => state.pending.push(resolve));
    return { status, text, headers: {} };
  };
  const cache = new SettingsCache();
  const request = () => cache.for({ call } as unknown as SplunkdClient, 'system', clock);
  return { state, request };
}

describe('settings', () => {
  const regionOf = async (stanzas: Promise<Readonly<Record<string, Readonly<Record<string, string>>>>>) =>
    (await stanzas).aws?.region;
  let clock: ManualClock;
  beforeEach(() => {
    clock = new ManualClock();
  });

  it('are read since the request came, once', async () => {
    const { state, request } = platform(clock);
    const first = request();
    expect(await regionOf(first.read())).to.equal('one');
    state.region = 'two';
    expect(await regionOf(first.read())).to.equal('one');
    expect(state.calls).to.equal(1);
    clock.advance(1);
    const second = request();
    expect(await regionOf(second.read())).to.equal('two');
    await Promise.all([second.read(), second.read()]);
    expect(state.calls).to.equal(2);
  });

  it('may be recent where that is enough, for two seconds', async () => {
    const { state, request } = platform(clock);
    await request().read();
    state.region = 'two';
    clock.advance(1999);
    expect(await regionOf(request().recent())).to.equal('one');
    clock.advance(2);
    expect(await regionOf(request().recent())).to.equal('two');
    expect(state.calls).to.equal(2);
  });

  it('of a long work do not grow old', async () => {
    const { state, request } = platform(clock);
    const worker = request();
    await worker.read();
    state.region = 'two';
    clock.advance(2001);
    expect(await regionOf(worker.read())).to.equal('two');
  });

  it('a reading that began before the request is none for it', async () => {
    const { state, request } = platform(clock);
    state.isSlow = true;
    const early = request().read();
    state.region = 'two';
    clock.advance(1);
    const late = request().read();
    for (const answer of state.pending) answer();
    expect([await regionOf(early), await regionOf(late)]).to.deep.equal(['one', 'two']);
  });

  it('that cannot be read are told to those who wait, and tried again', async () => {
    const { state, request } = platform(clock);
    state.status = 503;
    const settings = request();
    const answers = await Promise.allSettled([settings.read(), settings.read()]);
    expect(answers.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
    expect(state.calls).to.equal(1);
    state.status = 200;
    expect(await regionOf(settings.read())).to.equal('one');
  });
});

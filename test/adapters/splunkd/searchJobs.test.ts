import { expect } from 'chai';
import { type SplunkdCall, type SplunkdClient, unexpectedReply } from '../../../src/adapters/splunkd/client.ts';
import { splunkdSearchJobs } from '../../../src/adapters/splunkd/searchJobs.ts';

describe('searches of the platform', () => {
  const calls: SplunkdCall[] = [];
  const jobsOf = (status: number, body: object = {}) => {
    calls.length = 0;
    const call = async (one: SplunkdCall) => {
      calls.push(one);
      return { status, text: JSON.stringify(body), repeated: false };
    };
    return splunkdSearchJobs({ call } as unknown as SplunkdClient, 'session', 'system');
  };
  const job = (isDone: unknown) => ({ entry: [{ content: { isDone } }] });

  it('begin with the session of the caller', async () => {
    expect(await jobsOf(201, { sid: '1.2' }).dispatch('ann', '| mlagent')).to.equal('1.2');
    expect(calls[0]).to.include({ method: 'POST', token: 'session' });
    expect(calls[0]?.namespace).to.deep.equal({ owner: 'ann', app: 'ml_extension' });
  });

  it('are looked at with the rights of the platform, since a caller may not see those of others', async () => {
    expect(await jobsOf(200, job(false)).isActive('1.2')).to.equal(true);
    expect(calls[0]).to.include({ method: 'GET', token: 'system', namespace: 'services' });
  });

  it('are active, over, gone, or count as active where the platform does not say', async () => {
    const answers = [
      [204, {}, true],
      [200, job('0'), true],
      [200, job(true), false],
      [404, {}, false],
      [429, {}, true],
      [503, {}, true],
    ] as const;
    for (const [status, body, isActive] of answers) {
      expect(await jobsOf(status, body).isActive('1.2'), String(status)).to.equal(isActive);
    }
  });
});

describe('an unexpected reply of the platform', () => {
  it('is passing unless the platform refuses what was sent', () => {
    for (const [status, code] of [
      [400, 'internal_error'],
      [413, 'internal_error'],
      [414, 'internal_error'],
      [431, 'internal_error'],
      [401, 'store_unavailable'],
      [403, 'store_unavailable'],
      [500, 'store_unavailable'],
    ] as const) {
      expect(unexpectedReply('a write', { status }).code, String(status)).to.equal(code);
    }
  });
});

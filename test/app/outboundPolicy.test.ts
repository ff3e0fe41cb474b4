import { expect } from 'chai';
import { outboundPolicy } from '../../src/app/dependencies/outboundPolicy.ts';
import { OutboundError } from '../../src/contract/codes/outbound.ts';

const OPEN = { enter: async () => {}, leave() {} };

const read = (
  outbound: Record<string, string>,
  proxy: () => Promise<Record<string, string> | undefined> = async () => undefined,
) => {
  const now = async () => ({ outbound });
  return outboundPolicy({ read: now, recent: now, proxy: { read: proxy }, admission: OPEN });
};

describe('[outbound] of ml_extension.conf', () => {
  it('allow_private: open unless told, and closed by a value that is no boolean', async () => {
    for (const text of ['1', 'true', ' Yes ', '', ' ']) {
      expect((await read({ allow_private: text })).allowPrivate, text).to.equal(true);
    }
    expect((await read({})).allowPrivate).to.equal(true);
    for (const text of ['0', 'false', 'off', 'flase', '2', 'none']) {
      expect((await read({ allow_private: text })).allowPrivate, text).to.equal(false);
    }
  });

  it('no_proxy is a list, proxy_url one address; without one nobody is asked for credentials', async () => {
    const policy = await read({ proxy_url: ' http://proxy.example:3128 ', no_proxy: ' a.example, ,10.0.0.0/8' });
    expect(policy).to.deep.include({ proxyUrl: 'http://proxy.example:3128', noProxy: ['a.example', '10.0.0.0/8'] });
    expect(await policy.proxyCredentials?.()).to.equal(undefined);
    expect(await read({ proxy_url: ' ' })).not.to.have.any.keys('proxyUrl', 'proxyCredentials');
  });

  it('the credentials of the proxy: both texts, or a refusal; a store that is down is no proxy without credentials', async () => {
    const credentials = async (stored: () => Promise<Record<string, string>>) =>
      (await read({ proxy_url: 'http://proxy.example' }, stored)).proxyCredentials?.();
    const good = { username: 'u', password: 'canary' };
    expect(await credentials(async () => good)).to.deep.equal(good);
    for (const [stored, code] of [
      [async () => ({}), 'configuration_invalid'],
      [async () => ({ password: 'canary' }), 'configuration_invalid'],
      [async () => Promise.reject(new Error('canary')), 'upstream_error'],
    ] as const) {
      const error = await credentials(stored as never).catch((reason) => reason);
      expect(error).to.be.instanceOf(OutboundError).with.property('code', code);
      expect(error.message).not.to.contain('canary');
    }
  });
});

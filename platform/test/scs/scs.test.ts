import { assert } from 'chai';
import type { PlatformOptions } from '../../src/platform.ts';
import { startFixture } from '../support/platform.ts';

const INFO = '/services/server/scs/tenantinfo?output_mode=json';
const TOKENS = '/services/authorization/scs_tokens?output_mode=json&principalId=slim&scope=tenant';

describe("a tenant in Splunk's cloud", () => {
  const withPlatform = async (
    options: Partial<PlatformOptions>,
    run: (call: Awaited<ReturnType<typeof startFixture>>['platform']['call']) => Promise<void>,
  ) => {
    const { platform, stop } = await startFixture(options);
    try {
      await run(platform.call);
    } finally {
      await stop();
    }
  };

  it('is not there on premises', () =>
    withPlatform({}, async (call) => {
      for (const path of [INFO, TOKENS]) {
        const reply = await call('GET', path);
        assert.deepEqual([reply.status, reply.json], [404, { messages: [{ type: 'ERROR', text: 'Not Found' }] }]);
      }
    }));

  it('is told to every user, and gives tokens of an hour to the system alone', () =>
    withPlatform({ scs: { tenant: 'acme', host: 'acme.api.example:8443' } }, async (call) => {
      const info = await call('GET', INFO);
      assert.strictEqual(info.status, 200);
      const { tenant, tenantHostname } = info.json.entry[0].content;
      assert.deepEqual([tenant, tenantHostname], ['acme', 'acme.api.example:8443']);
      assert.strictEqual((await call('GET', TOKENS)).status, 403);
      assert.strictEqual((await call('GET', INFO, { as: null })).status, 401);
      // The fixture's driver shows the system token.
      const system = (await call('GET', '/services/echo')).json.system_authtoken;
      const asSystem = (path: string) =>
        call('GET', path, { as: null, headers: { Authorization: `Splunk ${system}` } });
      const [first, second] = [await asSystem(TOKENS), await asSystem(TOKENS)].map(
        ({ json }) => json.entry[0].content.scs_token as string,
      );
      assert.notStrictEqual(first, second);
      const claims = JSON.parse(Buffer.from(String(first?.split('.')[1]), 'base64url').toString());
      assert.deepInclude(claims, { aud: 'slim', scope: 'tenant', tenant: 'acme' });
      assert.strictEqual(claims.exp - claims.iat, 3600);
      for (const name of ['principalId', 'scope']) {
        const reply = await asSystem(TOKENS.replace(name, 'other'));
        assert.strictEqual(reply.status, 400);
        assert.match(reply.json.messages[0].text, new RegExp(`missing: ${name}\\.`));
      }
    }));
});

import { expect } from 'chai';
import { MASK } from '../../../src/contract/basics.ts';
import { AWS_SECRET, blobOf, KEY } from '../../support/records/llmBlob.ts';
import { type LlmKit, textOf } from './kit.ts';

const UNKNOWN = 'unknown-canary-55e2a87b1f';

export function secretTests(kit: LlmKit): void {
  const { world, fresh, save, read, test } = kit;

  it('masks what looks like a credential at any depth, and nothing else', async () => {
    const secret = (n: number) => `${UNKNOWN}-${n}`;
    const blob = fresh({
      servicesettings: {
        endpoint: { value: 'https://llm.example/v1' },
        access_token: {
          value: KEY,
          label: 'API key',
          type: 'password',
          description: 'Paste the token',
          hint: secret(1),
        },
        custom_api_key: { value: secret(2), label: 'Custom' },
        PASSPHRASE_Secret: secret(3),
        proxy: { auth: { userPassword: secret(4), user: secret(14), retries: 3 } },
        credentials: { a: { b: [secret(5), 7, true, { c: secret(6) }] } },
        key_rotation_days: 30,
        token_enabled: false,
        list: [
          { name: 'x', 'api.key': secret(7) },
          { name: 'y', token: '' },
        ],
      },
      modelsettings: {
        max_tokens: { value: 10, label: 'Max tokens', placeholder: 'up to 4096' },
        stop_token: { value: secret(8) },
      },
      extra: { secret_headers: { 'x-a/b': secret(9) }, note: 'plain' },
    });
    const reply = await save(blob);
    expect(reply.status, textOf(reply)).to.equal(200);
    expect(textOf(reply)).to.not.contain(UNKNOWN);
    const config = reply.json.updated_config;
    expect(config.servicesettings).to.deep.equal({
      endpoint: { value: 'https://llm.example/v1' },
      access_token: {
        value: MASK,
        label: 'API key',
        type: 'password',
        description: 'Paste the token',
        hint: MASK,
      },
      custom_api_key: { value: MASK, label: 'Custom' },
      PASSPHRASE_Secret: MASK,
      proxy: { auth: { userPassword: MASK, user: MASK, retries: 3 } },
      credentials: { a: { b: [MASK, 7, true, { c: MASK }] } },
      key_rotation_days: 30,
      token_enabled: false,
      list: [{ name: 'x', 'api.key': MASK }, { name: 'y' }],
    });
    expect(config.modelsettings).to.deep.equal({
      max_tokens: { value: 10, label: 'Max tokens', placeholder: 'up to 4096' },
      stop_token: { value: MASK },
    });
    expect(config.extra).to.deep.equal({ secret_headers: { 'x-a/b': MASK }, note: 'plain' });
    expect(await world.leaks(UNKNOWN)).to.deep.equal([]);
    // Sending the reply back changes nothing.
    const again = await save(config);
    expect(again.status, textOf(again)).to.equal(200);
    expect({ ...again.json.updated_config, version: 1, last_updated_at: config.last_updated_at }).to.deep.equal(config);
    // Deleting one unknown credential leaves the others.
    const less = structuredClone(config);
    delete less.version;
    less.extra.secret_headers['x-a/b'] = '';
    less.servicesettings.credentials.a.b[0] = null;
    const fewer = (await save(less)).json.updated_config;
    expect(fewer.extra).to.deep.equal({ note: 'plain' });
    expect(fewer.servicesettings.credentials).to.deep.equal({ a: { b: [null, 7, true, { c: MASK }] } });
  });

  it('keeps, sets and deletes secrets by the rules of contract 1.6', async () => {
    const blob = fresh();
    const tokenOf = async () => (await read(blob)).json.config.servicesettings.access_token;
    const withToken = (access_token: unknown) => ({
      ...blob,
      servicesettings: { ...(blob.servicesettings as object), access_token },
    });
    const refused = await save(withToken({ value: MASK }));
    expect(refused.json.error_code, textOf(refused)).to.equal('masked_value_without_stored_secret');
    expect(refused.json.errors[0].field).to.equal('servicesettings.access_token.value');
    expect((await read(blob)).status).to.equal(404);
    await save(withToken({ value: `\r\n${KEY}\n` }));
    expect(await tokenOf()).to.deep.equal({ value: MASK });
    await save(withToken({ value: MASK }));
    await save(withToken({}));
    expect(await tokenOf()).to.deep.equal({ value: MASK });
    await save(withToken({ value: `${MASK}x` }));
    expect(await tokenOf()).to.deep.equal({ value: MASK });
    await save(withToken({ value: '' }));
    expect((await read(blob)).json.config.servicesettings).to.not.have.property('access_token');
    expect((await save(withToken({ value: 'a\nb' }))).json.errors[0].field).to.equal(
      'servicesettings.access_token.value',
    );
    expect((await save(withToken({ value: 'schlüssel-€' }))).status).to.equal(400);
  });

  it('refuses stored secrets for another host', async () => {
    const blob = fresh();
    await save(blob);
    const at = (endpoint: string | undefined, token?: object) => {
      const { endpoint: _, access_token: __, ...rest } = blob.servicesettings as Record<string, unknown>;
      const servicesettings = { ...rest, ...(endpoint ? { endpoint: { value: endpoint } } : {}), ...token };
      return { ...blob, servicesettings };
    };
    const masked = { access_token: { value: MASK } };
    for (const endpoint of [
      'https://evil.example/v1',
      'https://llm.example:8443/v1',
      'http://llm.example/v1',
      undefined,
    ]) {
      for (const token of [masked, {}]) {
        for (const call of [save(at(endpoint, token)), test(at(endpoint, token))]) {
          const reply = await call;
          expect(reply.json.error_code, `${endpoint} ${textOf(reply)}`).to.equal('secret_required_for_new_host');
          expect(reply.json.errors[0].field).to.equal('servicesettings.access_token.value');
        }
        const sibling = await save({ ...at(endpoint, token), model: 'another' });
        expect(sibling.json.error_code, 'through another model').to.equal('secret_required_for_new_host');
      }
    }
    expect((await save(at('https://llm.example/other/path', masked))).status).to.equal(200);
    expect((await save(at('https://evil.example/v1', { access_token: { value: 'another' } }))).status).to.equal(200);
    expect((await save(at('https://third.example/v1', { access_token: { value: '' } }))).status).to.equal(200);
  });

  it('binds keys of the cloud to region, role and endpoint', async () => {
    const blob = { ...blobOf('Cloud_Model_Hub', ''), connection_name: 'cloud' } as Record<string, unknown>;
    const { endpoint: _, ...settings } = blob.servicesettings as Record<string, unknown>;
    const saved = await save({ ...blob, servicesettings: settings });
    expect(saved.status, textOf(saved)).to.equal(200);
    expect(saved.json.updated_config.servicesettings.cloud_access_key_id.value).to.equal('AKIAIOSFODNN7EXAMPLE');
    expect(saved.json.updated_config.servicesettings.cloud_access_token.value).to.equal(MASK);
    const changes = [
      { region: { value: 'eu-west-1' } },
      { endpoint: { value: 'https://evil.example' } },
      { role_arn: { value: 'arn:aws:iam::123456789012:role/other' } },
    ];
    for (const change of changes) {
      const servicesettings = { ...settings, cloud_access_token: { value: MASK }, ...change };
      const reply = await save({ ...blob, servicesettings });
      expect(reply.json.error_code, JSON.stringify(change)).to.equal('secret_required_for_new_host');
    }
    expect(await world.leaks(AWS_SECRET)).to.deep.equal([]);
  });
}

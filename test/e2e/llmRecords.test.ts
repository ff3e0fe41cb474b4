import { expect } from 'chai';
import { PROVIDER_NAMES } from '../../src/families/llm-providers/names.ts';
import { eventually, startPlatform, type TestPlatform } from '../support/e2e/platform.ts';
import { type ScriptedProvider, startProvider, WELL } from '../support/peers/llm.ts';
import { AWS_SECRET, blobOf, KEY } from './llmSupport.ts';

const MASK = '***MASKED***';
const ROOT = '/aicommander';
const METADATA = '/aicommander_metadata';
const UNKNOWN = 'unknown-canary-55e2a87b1f';

describe('LLM configurations over HTTP', () => {
  let platform: TestPlatform;
  let names = 0;

  before(async () => {
    platform = await startPlatform();
    await platform.createUser('editor', ['ml_admin']);
    await platform.createUser('reader', ['ml_user']);
  });
  after(() => platform.dispose());

  const save = (body: object | string, headers?: Record<string, string>) =>
    platform.ml('editor', 'POST', ROOT, body, headers);
  const pathOf = ({ service, connection_name, model }: Record<string, unknown>) =>
    `${ROOT}/${service}/${encodeURIComponent(String(connection_name))}/${String(model).split('/').map(encodeURIComponent).join('/')}`;
  const read = (blob: Record<string, unknown>) => platform.ml('reader', 'GET', pathOf(blob));
  const remove = (blob: Record<string, unknown>, query = '') => platform.ml('editor', 'DELETE', pathOf(blob) + query);
  const fresh = (more: Record<string, unknown> = {}) => {
    names += 1;
    const blob = blobOf('General_Chat', 'https://llm.example');
    return { ...blob, connection_name: `connection ${names}`, ...more };
  };

  it('stores the blob as submitted, secrets out, and echoes it masked', async () => {
    const blob = {
      ...fresh(),
      $where: 'this.a.b == 1',
      'dotted.name': { $gt: 1, 'x.y': [1, { 'a.b': null }] },
      ui: { theme: 'dark', order: [3, 1, 2] },
    };
    const reply = await save(blob);
    expect(reply.status, reply.text).to.equal(200);
    expect(reply.json.message).to.equal('Service settings updated successfully');
    expect(reply.json.status).to.equal('success');
    expect(reply.json).to.not.have.property('warnings');
    const expected = structuredClone(blob) as Record<string, unknown> & typeof blob;
    (expected.servicesettings as unknown as { access_token: unknown }).access_token = { value: MASK };
    const { version, created_at, created_by, last_updated_at, last_updated_by, is_saved, is_model_saved, ...rest } =
      reply.json.updated_config;
    expect(rest).to.deep.equal(expected);
    expect({ version, created_by, last_updated_by, is_saved, is_model_saved }).to.deep.equal({
      version: 1,
      created_by: 'editor',
      last_updated_by: 'editor',
      is_saved: true,
      is_model_saved: true,
    });
    expect(created_at)
      .to.equal(last_updated_at)
      .and.to.be.closeTo(Date.now() / 1000, 60);
    expect((await read(blob)).json.config).to.deep.equal(reply.json.updated_config);
    expect(platform.filesWith([KEY])).to.deep.equal([]);
    expect(platform.log()).to.not.contain(KEY);
  });

  it('finds models with /, :, @, spaces, + and unicode; the model is the whole rest of the path', async () => {
    const models = [
      'meta-llama/llama-4-scout:free',
      'arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.anthropic.claude-3-haiku-20240307-v1:0',
      'ns/a/b/c@sha256:0f',
      'a b+c (d) [e] ü 模型',
      "it's.a,b;c=d&e#f?g",
      'test',
    ];
    for (const model of models) {
      const blob = fresh({ model, connection_name: 'Ünïcode (x) #1' });
      expect((await save(blob)).status, model).to.equal(200);
      const found = await read(blob);
      expect(found.json.config?.model, found.text).to.equal(model);
      const encoded = `${ROOT}/General_Chat/${encodeURIComponent('ÜNÏCODE (x) #1')}/${encodeURIComponent(model)}`;
      const again = await platform.ml('reader', 'GET', encoded);
      expect(again.json.config?.model, again.text).to.equal(model);
      expect(again.json.config.connection_name).to.equal('Ünïcode (x) #1');
    }
    for (const model of models) {
      const blob = fresh({ model, connection_name: 'ünïcode (x) #1' });
      const gone = await remove(blob);
      expect(gone.json, gone.text).to.include({ service: 'General_Chat', connection_name: 'Ünïcode (x) #1', model });
      expect((await read(blob)).status).to.equal(404);
    }
  });

  it('compares connection names without case and models exactly', async () => {
    const blob = fresh({ connection_name: 'Prod Key' });
    await save(blob);
    const other = await save({ ...blob, connection_name: 'PROD key', model: 'GPT-4O-MINI' });
    expect(other.json.updated_config).to.include({ connection_name: 'Prod Key', model: 'GPT-4O-MINI', version: 1 });
    const listed = await platform.ml('reader', 'GET', `${ROOT}?connection_name=prod%20KEY`);
    expect(listed.json.result.map(({ model }: { model: string }) => model)).to.have.members([
      'gpt-4o-mini',
      'GPT-4O-MINI',
    ]);
    expect((await read({ ...blob, model: 'Gpt-4o-mini' })).status).to.equal(404);
  });

  it('shares settings and secrets of a connection among its models, and says so', async () => {
    const first = fresh({ connection_name: 'shared' });
    const second = { ...first, model: 'o4-mini' };
    expect((await save(first)).json).to.not.have.property('warnings');
    // The same settings and the same key again: nothing has changed for the first model.
    expect((await save(second)).json).to.not.have.property('warnings');
    expect((await read(first)).json.config.version).to.equal(1);
    expect(await secretCount('shared')).to.equal(1);
    const { servicesettings: _, ...bare } = { ...second, model: 'third' };
    const third = await save(bare);
    expect(third.json.updated_config.servicesettings).to.deep.equal((await read(first)).json.config.servicesettings);
    const changed = structuredClone(second);
    (changed.servicesettings as Record<string, unknown>).request_timeout = { value: 99 };
    const reply = await save(changed);
    expect(reply.json.warnings).to.have.length(1);
    expect(reply.json.warnings[0]).to.contain('gpt-4o-mini').and.to.contain('third');
    const shown = (await read(first)).json.config;
    expect(shown.servicesettings.request_timeout).to.deep.equal({ value: 99 });
    expect(shown.version).to.equal(2);
  });

  async function secretCount(connection: string): Promise<number> {
    const docs = await platform.documents('ml_llm_connections');
    const refs = docs
      .filter((doc) => doc.connection_name === connection && doc.secret_ref)
      .map((doc) => doc.secret_ref);
    return (await platform.secretRefs()).filter((ref) => refs.some((own) => String(own).startsWith(ref))).length;
  }

  it('takes the secret along with the last model, not before', async () => {
    const before = (await platform.secretRefs()).length;
    const blob = fresh({ connection_name: 'short-lived' });
    await save(blob);
    await save({ ...blob, model: 'b' });
    expect((await platform.secretRefs()).length).to.equal(before + 1);
    await remove(blob);
    expect((await platform.secretRefs()).length).to.equal(before + 1);
    expect((await read({ ...blob, model: 'b' })).json.config.servicesettings.access_token).to.deep.equal({
      value: MASK,
    });
    await remove({ ...blob, model: 'b' });
    expect((await platform.secretRefs()).length).to.equal(before);
    const docs = await platform.documents('ml_llm_connections');
    expect(docs.some((doc) => doc.connection_name === 'short-lived')).to.equal(false);
    expect((await remove(blob)).json.error_code).to.equal('not_found');
    // A later connection of this name starts without a key.
    const { access_token: _, ...servicesettings } = blob.servicesettings as Record<string, unknown>;
    const reborn = await save({ ...blob, servicesettings });
    expect(reborn.json.updated_config.servicesettings).to.not.have.property('access_token');
  });

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
    expect(reply.status, reply.text).to.equal(200);
    expect(reply.text).to.not.contain(UNKNOWN);
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
    expect(platform.filesWith([UNKNOWN])).to.deep.equal([]);
    // What was shown can be sent back: nothing changes.
    const again = await save(config);
    expect(again.status, again.text).to.equal(200);
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
    expect(refused.json.error_code, refused.text).to.equal('masked_value_without_stored_secret');
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
        for (const call of [save(at(endpoint, token)), platform.ml('editor', 'POST', METADATA, at(endpoint, token))]) {
          const reply = await call;
          expect(reply.json.error_code, `${endpoint} ${reply.text}`).to.equal('secret_required_for_new_host');
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
    expect(saved.status, saved.text).to.equal(200);
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
    expect(platform.filesWith([AWS_SECRET])).to.deep.equal([]);
  });

  it('fills in default endpoints and trims pasted ones to their base', async () => {
    const cases: [string, string | undefined, string][] = [
      ['General_Chat', undefined, 'https://api.openai.com/v1'],
      ['General_Chat', 'https://api.openai.com', 'https://api.openai.com/v1'],
      ['General_Chat', 'https://api.openai.com/v1/chat/completions', 'https://api.openai.com/v1'],
      ['General_Chat', 'https://gw.example/llm/v1/models?key=leak#x', 'https://gw.example/llm/v1'],
      ['Fast_Inference', undefined, 'https://api.groq.com/openai/v1'],
      ['Fast_Inference', ' https://API.groq.com/openai/v1/chat/completions/ ', 'https://api.groq.com/openai/v1'],
      ['Assistant_Family', 'https://api.anthropic.com/v1/messages', 'https://api.anthropic.com'],
      ['Search_Vendor_Models', 'https://g.example/v1beta/models/x:generateContent?key=AIza', 'https://g.example'],
      ['Local_Runtime', undefined, 'http://localhost:11434'],
      ['Local_Runtime', 'http://ollama.example:11434/api/chat', 'http://ollama.example:11434'],
      [
        'Enterprise_Cloud_Chat',
        'https://r.openai.azure.com/openai/deployments/d/chat/completions?api-version=2024-10-21',
        'https://r.openai.azure.com',
      ],
    ];
    for (const [service, endpoint, base] of cases) {
      const blob = fresh({ service, servicesettings: endpoint === undefined ? {} : { endpoint: { value: endpoint } } });
      const reply = await save(blob);
      expect(reply.json.updated_config?.servicesettings.endpoint.value, reply.text).to.equal(base);
    }
  });

  it('refuses what is malformed, naming every field', async () => {
    const settings = (servicesettings: object, service = 'General_Chat') => fresh({ service, servicesettings });
    const cases: [object | string, string[]][] = [
      [{}, ['service', 'connection_name', 'model']],
      [fresh({ service: 'Other' }), ['service']],
      [fresh({ connection_name: '' }), ['connection_name']],
      [fresh({ connection_name: 'a/b' }), ['connection_name']],
      [fresh({ connection_name: '..' }), ['connection_name']],
      [fresh({ connection_name: 'x'.repeat(257) }), ['connection_name']],
      [fresh({ model: 'a%2Fb' }), ['model']],
      [fresh({ model: 'a\u0000b' }), ['model']],
      [fresh({ model: '/a' }), ['model']],
      [fresh({ model: 'a//b' }), ['model']],
      [fresh({ model: 'a/../b' }), ['model']],
      [fresh({ model: 7 }), ['model']],
      [fresh({ servicesettings: 'x' }), ['servicesettings']],
      [fresh({ is_saved: 'yes' }), ['is_saved']],
      [settings({ endpoint: { value: 'ftp://x' } }), ['servicesettings.endpoint.value']],
      [settings({ endpoint: { value: 'https://u:p@x.example' } }), ['servicesettings.endpoint.value']],
      [settings({ endpoint: { value: 'https://a.example\\@b.example' } }), ['servicesettings.endpoint.value']],
      [settings({ endpoint: 'https://x.example' }), ['servicesettings.endpoint']],
      [settings({ request_timeout: { value: 0 } }), ['servicesettings.request_timeout.value']],
      [settings({ request_timeout: { value: 601 } }), ['servicesettings.request_timeout.value']],
      [settings({ request_timeout: { value: 1.5 } }), ['servicesettings.request_timeout.value']],
      [settings({ request_timeout: { value: '30' } }), ['servicesettings.request_timeout.value']],
      [settings({ enterprise_api_version: { value: '2024-13-01' } }), ['servicesettings.enterprise_api_version.value']],
      [settings({ ca_certificate: { value: 'no pem' } }), ['servicesettings.ca_certificate.value']],
      [settings({ region: { value: 'us-east-1.evil.example' } }), ['servicesettings.region.value']],
      [settings({ access_token: { value: 'x'.repeat(8193) } }), ['servicesettings.access_token.value']],
      [
        fresh({ modelsettings: { response_variability: { value: 1.01 } } }),
        ['modelsettings.response_variability.value'],
      ],
      [fresh({ modelsettings: { max_tokens: { value: 0 } } }), ['modelsettings.max_tokens.value']],
      [
        fresh({
          service: 'Cloud_Model_Hub',
          model: '',
          modelsettings: { max_tokens: { value: 'x' } },
          servicesettings: { request_timeout: { value: 0 }, endpoint: { value: 'ftp://x' }, role_arn: { value: 'r' } },
        }),
        [
          'model',
          'modelsettings.max_tokens.value',
          'servicesettings.request_timeout.value',
          'servicesettings.endpoint.value',
          'servicesettings.role_arn.value',
          'servicesettings.region.value',
        ],
      ],
      [
        settings({ enterprise_api_version: { value: 'v2' }, access_token: { value: 'a\nb' } }, 'Enterprise_Cloud_Chat'),
        [
          'servicesettings.endpoint.value',
          'servicesettings.enterprise_api_version.value',
          'servicesettings.access_token.value',
        ],
      ],
      [settings({}, 'Enterprise_Cloud_Chat'), ['servicesettings.endpoint.value']],
      [settings({}, 'Cloud_Model_Hub'), ['servicesettings.region.value']],
      [
        settings({ region: { value: 'us-east-1' }, cloud_access_key_id: { value: 'AKIA' } }, 'Cloud_Model_Hub'),
        ['servicesettings.cloud_access_token.value'],
      ],
      [
        settings({ region: { value: 'us-east-1' }, cloud_access_token: { value: 'x' } }, 'Cloud_Model_Hub'),
        ['servicesettings.cloud_access_key_id.value'],
      ],
      [
        `{"service":"General_Chat","connection_name":"a","model":"b","x":${'['.repeat(200_000)}${']'.repeat(200_000)}}`,
        ['$body'],
      ],
      [fresh({ tokens: Array.from({ length: 101 }, (_, i) => `t${i}`) }), ['$body']],
    ];
    for (const [body, fields] of cases) {
      const reply = await save(body);
      const label = JSON.stringify(body).slice(0, 200);
      expect(reply.json.error_code, `${label}: ${reply.text}`).to.equal('validation_failed');
      expect(
        reply.json.errors.map(({ field }: { field: string }) => field),
        label,
      ).to.have.members(fields);
      expect(reply.text).to.not.contain(KEY);
    }
  });

  it('knows drafts', async () => {
    const draft = fresh({ is_saved: false, is_model_saved: false });
    expect((await save(draft)).json.updated_config).to.include({ is_saved: false, is_model_saved: false });
    expect((await read(draft)).json.config).to.include({ is_saved: false, is_model_saved: false });
    expect((await save({ ...draft, is_saved: true })).json.updated_config).to.include({
      is_saved: true,
      is_model_saved: false,
      version: 2,
    });
  });

  it('honours versions, in the body and in If-Match', async () => {
    const blob = fresh();
    expect((await save({ ...blob, version: 1 })).json, 'nothing there').to.include({
      error_code: 'version_conflict',
      current_version: 0,
    });
    await save(blob);
    const { config } = (await read(blob)).json;
    expect((await save(config)).json.updated_config.version).to.equal(2);
    const stale = await save(config);
    expect(stale.status).to.equal(409);
    expect(stale.json).to.include({ error_code: 'version_conflict', current_version: 2 });
    expect((await save(blob, { 'If-Match': '"1"' })).status).to.equal(409);
    expect((await save(blob, { 'If-Match': '2' })).json.updated_config.version).to.equal(3);
    const gone = await platform.ml('editor', 'DELETE', pathOf(blob), undefined, { 'If-Match': '2' });
    expect(gone.json).to.include({ error_code: 'version_conflict', current_version: 3 });
    expect((await platform.ml('editor', 'DELETE', pathOf(blob), undefined, { 'If-Match': '3' })).status).to.equal(200);
  });

  it('lists with filters, search, sort and pages', async () => {
    const own = ['zeta', 'Alpha', 'mid'].map((connection_name) =>
      fresh({ service: 'Local_Runtime', connection_name: `list ${connection_name}`, servicesettings: {} }),
    );
    for (const blob of own) await save(blob);
    const list = async (query: string) => (await platform.ml('reader', 'GET', `${ROOT}?${query}`)).json;
    const connections = ({ result }: { result: { connection_name: string }[] }) =>
      result.map((one) => one.connection_name);
    const sorted = await list('service=Local_Runtime&sort_key=connection_name&search=LIST');
    expect(connections(sorted)).to.deep.equal(['list Alpha', 'list mid', 'list zeta']);
    const page = await list('service=Local_Runtime&sort_key=created_at&sort_dir=desc&count=1&offset=1&search=list%20');
    expect(connections(page)).to.deep.equal(['list Alpha']);
    expect(page.pagination).to.deep.equal({
      offset: 1,
      count: 1,
      total: 3,
      returned: 1,
      has_more: true,
      next_offset: 2,
    });
    expect(sorted.result[0]).to.include.keys(
      'service',
      'model',
      'servicesettings',
      'modelsettings',
      'is_saved',
      'version',
    );
    for (const bad of ['sort_key=endpoint', 'count=-1', 'service=Nope', 'connection_name=%25']) {
      expect((await list(bad)).error_code, bad).to.equal('validation_failed');
    }
    expect((await platform.ml('reader', 'GET', `${ROOT}?search=canary`)).json.result).to.deep.equal([]);
  });

  it('tests the saved record by its identity, and writes last_test alone', async () => {
    const provider = await startProvider(WELL.General_Chat);
    try {
      const blob = { ...blobOf('General_Chat', provider.url), connection_name: 'to be tested' };
      await save(blob);
      const { service, connection_name, model } = blob;
      const reply = await platform.ml('editor', 'POST', METADATA, { service, connection_name, model });
      expect(reply.json, reply.text).to.include({ success: true, response_content: 'ok' });
      expect(provider.asked[0]?.headers.authorization).to.equal(`Bearer ${KEY}`);
      const { config } = (await read(blob)).json;
      expect(config.version).to.equal(1);
      expect(config.last_updated_at).to.equal(config.created_at);
      expect(config.last_test).to.include({ status: 'success', error_code: null });
      expect(config.last_test.tested_at).to.be.closeTo(Date.now() / 1000, 60);
      // A given configuration takes the stored key on the same host, and persists nothing.
      const { access_token: _, ...servicesettings } = blob.servicesettings as Record<string, unknown>;
      await platform.ml('editor', 'POST', METADATA, { ...blob, servicesettings });
      expect(provider.asked.at(-1)?.headers.authorization).to.equal(`Bearer ${KEY}`);
      expect((await read(blob)).json.config).to.deep.equal(config);
      const unknown = await platform.ml('editor', 'POST', METADATA, { service, connection_name, model: 'nope' });
      expect(unknown.json.error_code).to.equal('not_found');
      const bare = await platform.ml('editor', 'POST', METADATA, { service });
      expect(bare.json.errors.map(({ field }: { field: string }) => field)).to.have.members([
        'connection_name',
        'model',
      ]);
    } finally {
      await provider.close();
    }
    const { service, connection_name, model } = { ...blobOf('General_Chat', ''), connection_name: 'to be tested' };
    const failed = await platform.ml('editor', 'POST', METADATA, { service, connection_name, model });
    expect(failed.json).to.include({ status: 'fail', success: false, error_code: 'connection_refused' });
    const { last_test } = (await read({ service, connection_name, model })).json.config;
    expect(last_test).to.include({ status: 'fail', error_code: 'connection_refused' });
  });

  it('keeps models of a refresh for forms until the connection is gone', async () => {
    const provider: ScriptedProvider = await startProvider(WELL.Fast_Inference);
    try {
      const blob = { ...blobOf('Fast_Inference', provider.url), connection_name: 'refreshed', model: 'own-model' };
      await save(blob);
      const { service, connection_name } = blob;
      const reply = await platform.ml('editor', 'POST', METADATA, {
        service,
        connection_name,
        action: 'refresh_models',
      });
      expect(reply.json, reply.text).to.deep.include({
        success: true,
        service,
        models: ['meta-llama/llama-4-scout-17b-16e-instruct'],
        count: 1,
      });
      const models = async () =>
        (await platform.ml('reader', 'GET', METADATA)).json.config.services.Fast_Inference.models;
      const mine = { id: 'own-model', source: 'configured' };
      const theirs = { id: 'meta-llama/llama-4-scout-17b-16e-instruct', source: 'provider' };
      expect((await models())[0]).to.deep.equal(theirs);
      expect(await models()).to.deep.include(mine);
      await remove(blob);
      expect(await models())
        .to.not.deep.include(mine)
        .and.not.deep.include(theirs);
    } finally {
      await provider.close();
    }
  });

  it('takes address and token of the site’s own models from its settings, and sends the token nowhere else', async () => {
    const HOSTED = 'site-token-canary-1b2c3d';
    const site = await startProvider(WELL.Platform_Hosted_Models);
    const other = await startProvider(WELL.Platform_Hosted_Models);
    const conf = '/servicesNS/nobody/ml_extension/configs/conf-ml_extension';
    const name = 'cloud_services:PLATFORM_HOSTED_MODELS';
    const stanza = await platform.admin('POST', conf, { name, endpoint_url: `${site.url}/` });
    expect(stanza.status, stanza.text).to.equal(201);
    const secret = { name: 'PLATFORM_HOSTED_MODELS', realm: 'ml_extension_cloud_services' };
    const password = JSON.stringify({ access_token: HOSTED });
    await platform.admin('POST', '/servicesNS/nobody/ml_extension/storage/passwords', { ...secret, password });
    try {
      const identity = { service: 'Platform_Hosted_Models', connection_name: 'hosted', model: 'hosted-small' };
      expect((await save(identity)).status).to.equal(200);
      const test = (body: object) => platform.ml('editor', 'POST', METADATA, body);
      await eventually(async () => (await test(identity)).json.success === true, 5000, 'the settings to be seen');
      expect(site.asked.at(-1)?.headers.authorization).to.equal(`Bearer ${HOSTED}`);
      const shown = (await platform.ml('reader', 'GET', METADATA)).json.config.services.Platform_Hosted_Models;
      expect(shown.default_endpoint).to.equal(site.url);
      const elsewhere = await test({ ...identity, servicesettings: { endpoint: { value: other.url } } });
      expect(elsewhere.json.error_code, elsewhere.text).to.equal('configuration_invalid');
      // A token of its own is bound to the site's address as it is now.
      await save({ ...identity, connection_name: 'own', servicesettings: { access_token: { value: KEY } } });
      const own = (await read({ ...identity, connection_name: 'own' })).json.config.servicesettings;
      expect(own.endpoint.value).to.equal(site.url);
      await platform.admin('POST', `${conf}/${encodeURIComponent(name)}`, { endpoint_url: other.url });
      await eventually(
        async () => {
          await test(identity);
          return other.asked.length > 0;
        },
        5000,
        'the new address to be seen',
      );
      await test({ ...identity, connection_name: 'own' });
      expect(site.asked.at(-1)?.headers.authorization).to.equal(`Bearer ${KEY}`);
      for (const { headers } of other.asked) expect(headers.authorization).to.equal(`Bearer ${HOSTED}`);
    } finally {
      await site.close();
      await other.close();
    }
  });

  it('finds names of any length, and tells long ones apart', async () => {
    const long = 'ü'.repeat(255);
    for (const last of ['a', 'b']) {
      const blob = fresh({ connection_name: long + last, model: 'm'.repeat(256) });
      expect((await save(blob)).status).to.equal(200);
      expect(
        (await read({ ...blob, connection_name: (long + last).toUpperCase() })).json.config.connection_name,
      ).to.equal(long + last);
    }
  });

  it('tells a form everything it needs, without a network', async () => {
    const { config } = (await platform.ml('reader', 'GET', METADATA)).json;
    expect(Object.keys(config.services)).to.deep.equal([...PROVIDER_NAMES]);
    for (const service of Object.values<Record<string, Record<string, object>>>(config.services)) {
      expect(service).to.have.all.keys(
        'display_name',
        'default_endpoint',
        'fields',
        'model_fields',
        'models',
        'supports',
      );
      for (const field of Object.values({ ...service.fields, ...service.model_fields })) {
        expect(field).to.include.all.keys('label', 'type', 'required', 'secret', 'default', 'description');
      }
    }
    expect(config.services.General_Chat.fields.access_token).to.include({ required: true, secret: true });
    expect(config.services.Enterprise_Cloud_Chat.fields.enterprise_api_version.required).to.equal(true);
    expect(config.services.Local_Runtime.fields.access_token.required).to.equal(false);
    expect(config.limits.request_timeout).to.deep.include({ minimum: 1, maximum: 600 });
  });

  it('asks both capabilities for writes and either for reads', async () => {
    await platform.createRole('only_edit', ['user'], ['edit_ai_commander_config']);
    await platform.createUser('only_edit_user', ['only_edit']);
    await platform.createUser('nobody_special', ['user']);
    const blob = fresh();
    await save(blob);
    const calls: [string, string, object | undefined, boolean][] = [
      ['GET', ROOT, undefined, true],
      ['GET', pathOf(blob), undefined, true],
      ['GET', METADATA, undefined, true],
      ['POST', ROOT, blob, false],
      ['POST', METADATA, blob, false],
      ['DELETE', pathOf(blob), undefined, false],
    ];
    for (const [method, path, body, isRead] of calls) {
      for (const user of ['reader', 'only_edit_user', 'nobody_special']) {
        const reply = await platform.ml(user, method, path, body);
        const isOpen = isRead && user !== 'nobody_special';
        expect(reply.status, `${user} ${method} ${path}`).to.equal(isOpen ? 200 : 403);
        if (!isOpen) {
          const both = ['edit_ai_commander_config', 'list_ai_commander_config'];
          expect(reply.json.required).to.have.members(both);
        }
      }
    }
  });

  it('is in_use while an agent names it', async () => {
    const blob = fresh({ connection_name: 'Used' });
    await save(blob);
    const acl = { owner: 'editor', sharing: 'user', perms: { read: [], write: [] } };
    const llm = { service: blob.service, connection_name: 'uSED', model: blob.model };
    await platform.putDocument('ml_agents', { _key: 'a1', name: 'Ada', acl, llm });
    const refused = await remove(blob);
    expect(refused.json, refused.text).to.deep.include({ error_code: 'in_use', used_by: ['Ada'] });
    expect((await remove(blob, '?force=true')).status).to.equal(200);
    await platform.removeDocument('ml_agents', 'a1');
  });

  it('survives writers of one connection at the same time: no model lost, one secret, whole records', async () => {
    const writers = Array.from({ length: 12 }, (_, n) =>
      fresh({
        connection_name: 'busy',
        model: `model-${n % 6}`,
        servicesettings: {
          endpoint: { value: 'https://llm.example/v1' },
          access_token: { value: `${KEY}${n}` },
          stamp: n,
        },
        modelsettings: { stamp: n },
      }),
    );
    const replies = await Promise.all(writers.map((blob) => save(blob)));
    expect(replies.map(({ status }) => status)).to.deep.equal(writers.map(() => 200));
    const listed = (await platform.ml('reader', 'GET', `${ROOT}?service=General_Chat&connection_name=busy`)).json
      .result;
    expect(listed.map(({ model }: { model: string }) => model).sort()).to.deep.equal(
      Array.from({ length: 6 }, (_, n) => `model-${n}`),
    );
    const stamps = new Set(listed.map((one: { servicesettings: { stamp: number } }) => one.servicesettings.stamp));
    expect(stamps.size, 'one state of the connection').to.equal(1);
    const last = [...stamps][0] as number;
    const latest = listed.find(({ model }: { model: string }) => model === `model-${last % 6}`);
    expect(latest.modelsettings.stamp, 'the last write is whole').to.equal(last);
    const before = await platform.secretRefs();
    const removed = await Promise.all(listed.map((one: Record<string, unknown>) => remove(one)));
    expect(removed.map(({ status }) => status)).to.deep.equal(listed.map(() => 200));
    expect((await platform.secretRefs()).length).to.equal(before.length - 1);
    expect((await platform.documents('ml_leases')).length).to.equal(0);
    expect((await platform.documents('ml_journal')).length).to.equal(0);
  });

  it('keeps everything over a restart', async () => {
    const blob = fresh({ connection_name: 'durable' });
    await save(blob);
    const { config } = (await read(blob)).json;
    await platform.restart();
    expect((await read(blob)).json.config).to.deep.equal(config);
  });
});

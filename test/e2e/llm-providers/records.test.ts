import { expect } from 'chai';
import { llmSuite } from '../../suites/llm/suite.ts';
import { startPlatform, type TestPlatform } from '../../support/e2e/platform.ts';
import { startProvider, WELL } from '../../support/peers/llm.ts';
import { KEY } from '../../support/records/llmBlob.ts';
import { eventually } from '../../support/time.ts';
import { overHttp } from '../../support/worlds/overHttp.ts';

const ROOT = '/aicommander';
const METADATA = '/aicommander_metadata';

describe('LLM configurations over HTTP', () => llmSuite(overHttp));

describe('LLM configurations over HTTP', () => {
  let platform: TestPlatform;

  before(async () => {
    platform = await startPlatform();
    await platform.createUser('editor', ['ml_admin']);
    await platform.createUser('reader', ['ml_user']);
  });
  after(() => platform.dispose());

  const save = (body: object) => platform.ml('editor', 'POST', ROOT, body);
  const test = (body: object) => platform.ml('editor', 'POST', METADATA, body);
  const read = ({ service, connection_name, model }: Record<string, unknown>) =>
    platform.ml('reader', 'GET', `${ROOT}/${service}/${connection_name}/${model}`);

  it('uses address and token of the site’s own models from the settings, and sends the token nowhere else', async () => {
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
});

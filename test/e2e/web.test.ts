import { expect } from 'chai';
import { Browser, type Sent } from '../../platform/test/support/web.ts';
import { ADMIN_PASSWORD, startPlatform, type TestPlatform } from '../support/e2e/platform.ts';

const ML = '/servicesNS/nobody/ml_extension/ml';

/** What pages of the app do goes through Splunk Web's proxy, which passes less than a client of the API sends. */
describe('the app, called as a page calls it', () => {
  let platform: TestPlatform;
  let browser: Browser;

  before(async () => {
    platform = await startPlatform({ env: { ML_WEB_PORT: '0' } });
    browser = new Browser(platform.web);
    await browser.login('admin', ADMIN_PASSWORD);
  });
  after(() => platform.dispose());

  const json = (body: unknown): Sent => ({
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });

  it('creates, reads, edits and deletes, with PUT, JSON and conditions in body and query', async () => {
    const details = { url: 'https://mcp.example/mcp', token: 'first-secret' };
    const made = await browser.raw('POST', `${ML}/mcp_connection`, json({ name: 'docs', type: 'PLATFORM', details }));
    expect([made.status, made.text]).to.deep.include(200);
    const all = `${ML}/mcp_connection`;
    const path = `${all}/docs`;
    const edit = json({ name: 'docs', version: 1, description: 'edited' });
    const edited = await browser.raw('PUT', all, edit);
    expect(edited.status, edited.text).to.equal(200);
    // Not forwarded, or this would be a conflict.
    const again = json({ name: 'docs', description: 'again' });
    const conditional = { ...again, headers: { ...again.headers, 'If-Match': '"1"' } };
    expect((await browser.raw('PUT', all, conditional)).status).to.equal(200);
    expect((await browser.raw('PUT', all, edit)).json.error_code).to.equal('version_conflict');
    const { config } = (await browser.raw('GET', path)).json;
    expect(config).to.include({ description: 'again', version: 3 });
    const refused = await browser.raw('DELETE', `${path}?version=1&_=12345`);
    expect([refused.status, refused.json.error_code]).to.deep.equal([409, 'version_conflict']);
    expect((await browser.raw('DELETE', `${path}?version=3`)).status).to.equal(200);
    expect((await browser.raw('GET', path)).status).to.equal(404);
  });

  it('reads names with a space, a slash and other letters, which Splunk Web quotes again', async () => {
    const names = { service: 'General_Chat', connection_name: 'my team', model: 'org/large: Größe (free)' };
    const servicesettings = { endpoint: { value: 'https://llm.example/v1' }, access_token: { value: 'first-secret' } };
    const made = await browser.raw('POST', `${ML}/aicommander`, json({ ...names, servicesettings }));
    expect(made.status, made.text).to.equal(200);
    const path = `${ML}/aicommander/${Object.values(names).map(encodeURIComponent).join('/')}`;
    const read = await browser.raw('GET', path);
    expect(read.status, read.text).to.equal(200);
    expect(read.json.config).to.include({ connection_name: names.connection_name, model: names.model });
    expect((await browser.raw('DELETE', path)).status).to.equal(200);
    expect((await browser.raw('GET', path)).status).to.equal(404);
  });

  it('reaches every path of the app, and refuses calls without a form key', async () => {
    for (const path of ['', '/health', '/mcp_connection?count=1', '/agents', '/openapi']) {
      expect((await browser.raw('GET', `${ML}${path}`)).status, path).to.not.equal(500);
    }
    expect((await browser.raw('GET', `${ML}/health`)).json.status).to.equal('success');
    const headers = { 'X-Splunk-Form-Key': '' };
    expect((await browser.raw('POST', `${ML}/mcp_connection`, { headers, body: '{}' })).status).to.equal(401);
  });
});

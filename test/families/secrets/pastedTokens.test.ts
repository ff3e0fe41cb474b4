import { expect } from 'chai';
import { MASK } from '../../../src/contract/basics.ts';
import { trimPastedSecret } from '../../../src/domain/net/headerValues.ts';
import { type Json, MemoryApp } from '../../support/memory/app.ts';

const KEY = 'canary-0123456789';
const PASTED = [`Bearer ${KEY}`, `bearer  ${KEY}\n`, ` BEARER\t${KEY}`, KEY];

describe('a token that was pasted with its scheme', () => {
  let app: MemoryApp;
  beforeEach(() => {
    app = new MemoryApp();
    app.user('llm', { capabilities: ['edit_ai_commander_config', 'list_ai_commander_config'] });
    app.user('engineer', { capabilities: ['edit_container_connections'] });
  });

  /** The secrets that are stored for records saved by now. */
  const stored = () =>
    [...app.site.secrets.values.values()].map((text) => JSON.parse(text) as Record<string, string>).at(-1) ?? {};

  for (const [service, header, value] of [
    ['General_Chat', 'authorization', `Bearer ${KEY}`],
    ['Fast_Inference', 'authorization', `Bearer ${KEY}`],
    ['Local_Runtime', 'authorization', `Bearer ${KEY}`],
    ['Platform_Hosted_Models', 'authorization', `Bearer ${KEY}`],
    ['Assistant_Family', 'x-api-key', KEY],
    ['Search_Vendor_Models', 'x-goog-api-key', KEY],
    ['Enterprise_Cloud_Chat', 'api-key', KEY],
  ] as const) {
    it(`reaches ${service} without it`, async () => {
      for (const pasted of PASTED) {
        const identity = { service, connection_name: 'a', model: 'm' };
        const servicesettings = {
          endpoint: { value: 'https://llm.example/v1' },
          access_token: { value: pasted },
          enterprise_api_version: { value: 'v1' },
        };
        const { status, json } = await app.call('llm', 'POST', '/aicommander', { ...identity, servicesettings });
        expect(status, JSON.stringify(json)).to.equal(200);
        expect(stored()).to.deep.equal({ 'servicesettings/access_token/value': KEY });
        await app.call('llm', 'POST', '/aicommander_metadata', { ...identity, probe: 'list' });
        expect(app.llm.calls.at(-1)?.headers[header], pasted).to.equal(value);
        // So in a test of what is not saved.
        await app.call('llm', 'POST', '/aicommander_metadata', { ...identity, servicesettings, probe: 'list' });
        expect(app.llm.calls.at(-1)?.headers[header], pasted).to.equal(value);
      }
    });
  }

  it('reaches MCP servers without it, and other headers as they are', async () => {
    for (const pasted of PASTED) {
      const details: Json = {
        url: 'https://a.example/mcp',
        token: pasted,
        headers: { 'X-Upstream-Token': `Bearer ${KEY}` },
      };
      const name = `m${PASTED.indexOf(pasted)}`;
      const { status } = await app.call('editor', 'POST', '/mcp_connection', { name, type: 'PLATFORM', details });
      expect(status).to.equal(200);
      expect(stored()).to.deep.equal({ 'details/token': KEY, 'details/headers/X-Upstream-Token': `Bearer ${KEY}` });
    }
  });

  it('is kept for containers and clusters without it, and passwords as they are', async () => {
    for (const [index, pasted] of PASTED.entries()) {
      const payload = {
        container_type: 'docker',
        connection_name: `c${index}`,
        docker_url: 'tcp://docker.example:2375',
        api_token: pasted,
        jupyter_passwd: `Bearer ${KEY}`,
      };
      const { status, json } = await app.call('engineer', 'POST', '/container_connection', { payload });
      expect(status, JSON.stringify(json)).to.equal(200);
      expect(stored()).to.deep.equal({ api_token: KEY, jupyter_passwd: `Bearer ${KEY}` });
    }
  });

  it('is no mask, and no token where nothing follows', () => {
    const path = 'details/token';
    expect(trimPastedSecret(`Bearer ${MASK}`, path)).to.equal(`Bearer ${MASK}`);
    expect(trimPastedSecret(MASK, path)).to.equal(MASK);
    expect(trimPastedSecret('Bearer ', path)).to.equal(null);
    expect(trimPastedSecret('Bearers of x', path)).to.equal('Bearers of x');
    expect(trimPastedSecret('Bearer x', 'servicesettings.access_token.value')).to.equal('x');
    for (const other of ['details/client_secret', 'user_password', 'details/headers/token', 'details.headers.x-token'])
      expect(trimPastedSecret('Bearer x', other), other).to.equal('Bearer x');
  });
});

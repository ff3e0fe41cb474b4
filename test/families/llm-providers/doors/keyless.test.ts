import { expect } from 'chai';
import { MemoryApp } from '../../../support/memory/app.ts';

const CHAT = { json: { choices: [{ message: { role: 'assistant', content: 'ok' } }] } };
const DEFAULTS = { General_Chat: 'https://api.openai.com/v1', Fast_Inference: 'https://api.groq.com/openai/v1' };

describe('LLM configurations without a key', () => {
  let app: MemoryApp;
  beforeEach(() => {
    app = new MemoryApp();
    app.user('editor', { capabilities: ['edit_ai_commander_config', 'list_ai_commander_config'] });
    app.llm.answer = () => CHAT;
  });

  const identity = (service: string) => ({ service, connection_name: 'own', model: 'm' });
  async function testWith(service: string, endpoint: string | undefined) {
    const servicesettings = endpoint === undefined ? {} : { endpoint: { value: endpoint } };
    const saved = await app.call('editor', 'POST', '/aicommander', { ...identity(service), servicesettings });
    expect(saved.status, JSON.stringify(saved.json)).to.equal(200);
    return (await app.call('editor', 'POST', '/aicommander_metadata', identity(service))).json;
  }

  for (const [service, usual] of Object.entries(DEFAULTS)) {
    it(`${service} calls a server of one's own, without a header for it`, async () => {
      expect(await testWith(service, 'http://models.example:8000/v1')).to.include({ success: true });
      expect(app.llm.calls.map(({ url }) => url)).to.deep.equal(['http://models.example:8000/v1/chat/completions']);
      expect(app.llm.calls[0]?.headers).to.not.have.property('authorization');
    });

    it(`${service} needs one at its own host, in whatever form that is written`, async () => {
      const { host } = new URL(usual);
      for (const endpoint of [undefined, usual, `https://${host.toUpperCase()}./v2`, `http://${host}`]) {
        const { error_code, message } = await testWith(service, endpoint);
        expect(error_code, endpoint).to.equal('configuration_invalid');
        expect(message).to.equal(
          `The configuration own lacks servicesettings.access_token.value, which ${service} needs`,
        );
      }
      expect(app.llm.calls).to.deep.equal([]);
    });
  }

  it('every other service with a key needs it anywhere', async () => {
    for (const service of ['Assistant_Family', 'Search_Vendor_Models'])
      expect((await testWith(service, 'https://models.example')).error_code, service).to.equal('configuration_invalid');
  });
});

import { expect } from 'chai';
import { MASK } from '../../../src/contract/basics.ts';
import { type Json, MemoryApp } from '../../support/memory/app.ts';
import { CERTIFICATE } from '../../support/records/certificate.ts';

/** Each service with its secret, and what else it cannot be without. */
const PROVIDERS: Record<string, { secret: string; more?: Json }> = {
  General_Chat: { secret: 'access_token' },
  Enterprise_Cloud_Chat: {
    secret: 'access_token',
    more: { endpoint: { value: 'https://azure.example' }, enterprise_api_version: { value: 'v1' } },
  },
  Local_Runtime: { secret: 'access_token', more: { endpoint: { value: 'https://local.example' } } },
  Platform_Hosted_Models: { secret: 'access_token', more: { endpoint: { value: 'https://site.example/v1' } } },
  Cloud_Model_Hub: {
    secret: 'cloud_access_token',
    more: { region: { value: 'us-east-1' }, cloud_access_key_id: { value: 'AKIAEXAMPLE' } },
  },
};

describe('LLM connections: how the provider is verified binds the secrets like its address', () => {
  let app: MemoryApp;
  beforeEach(() => {
    app = new MemoryApp();
    app.user('editor', { capabilities: ['edit_ai_commander_config', 'list_ai_commander_config'] });
  });

  const withEndpoint = Object.entries(PROVIDERS).map(([service, parts]) => [service, service, parts] as const);
  const cases = [
    ...withEndpoint,
    [
      'Cloud_Model_Hub with an endpoint of its own',
      'Cloud_Model_Hub',
      {
        ...PROVIDERS.Cloud_Model_Hub,
        more: { ...PROVIDERS.Cloud_Model_Hub?.more, endpoint: { value: 'https://vpc.example' } },
      },
    ] as const,
  ];
  for (const [title, service, { secret = '', more = {} }] of cases) {
    it(`${title}: no verification, or another authority, needs the secret anew, saved or inline`, async () => {
      const identity = { service, connection_name: 'c', model: 'm' };
      const body = (settings: Json) => ({ ...identity, servicesettings: { ...more, ...settings } });
      const save = (settings: Json) => app.call('editor', 'POST', '/aicommander', body(settings));
      const test = (settings: Json) =>
        app.call('editor', 'POST', '/aicommander_metadata', { ...body(settings), probe: 'list' });
      const calls = () => app.llm.calls.length + app.llm.accesses.length;

      expect((await save({ [secret]: { value: 'first' } })).status).to.equal(200);
      for (const change of [{ verify_tls: { value: false } }, { ca_certificate: { value: CERTIFICATE } }]) {
        for (const input of [{}, { [secret]: { value: MASK } }, { [secret]: {} }]) {
          for (const call of [save, test]) {
            const { status, json } = await call({ ...change, ...input });
            expect([status, json.error_code]).to.deep.equal([400, 'secret_required_for_new_host']);
            expect(json.message).to.contain('servicesettings.verify_tls.value');
            expect(json.errors[0].field).to.equal(`servicesettings.${secret}.value`);
          }
        }
        expect(calls()).to.equal(0);
        expect((await test({ ...change, [secret]: { value: 'anew' } })).status).to.equal(200);
        expect(calls()).to.be.greaterThan(0);
        app.llm.calls.length = 0;
        app.llm.accesses.length = 0;
      }
      // Without the field verification is on: taking it back needs nothing.
      expect((await save({ verify_tls: { value: false }, [secret]: { value: 'second' } })).status).to.equal(200);
      expect((await save({ [secret]: { value: MASK } })).status).to.equal(200);
      expect((await save({ verify_tls: { value: false } })).status).to.equal(400);
    });
  }
});

import { expect } from 'chai';
import { startPlatform, type TestPlatform } from '../../support/e2e/platform.ts';
import type { Peer } from '../../support/peers/listen.ts';
import { MASTER_KEY, prepareLitellm, startLitellm } from '../../support/peers/litellm.ts';
import { needsInstalled } from '../../support/programs/part.ts';

const METADATA = '/aicommander_metadata';

/** Service -> what it takes to speak to one and the same LiteLLM in that service's dialect. */
const DIALECTS = {
  General_Chat: { base: '/v1', lists: true },
  Fast_Inference: { base: '/v1', lists: true },
  Platform_Hosted_Models: { base: '/v1', lists: true },
  Enterprise_Cloud_Chat: { base: '', lists: false },
  Assistant_Family: { base: '', lists: true },
  Search_Vendor_Models: { base: '', lists: false },
} as const;

describe('LLM providers against a real server: LiteLLM', function () {
  this.timeout(600_000);
  let platform: TestPlatform | undefined;
  let litellm: Peer | undefined;

  before(async function () {
    await needsInstalled(this, 'LiteLLM', prepareLitellm);
    litellm = await startLitellm();
    platform = await startPlatform();
  });
  after(async () => {
    await platform?.dispose();
    await litellm?.close();
  });

  const ask = async (service: keyof typeof DIALECTS, model: string, more: object = {}, token = MASTER_KEY) => {
    const servicesettings = {
      endpoint: { value: `${litellm?.url}${DIALECTS[service].base}` },
      access_token: { value: token },
      enterprise_api_version: { value: '2024-10-21' },
    };
    const reply = await platform?.ml('admin', 'POST', METADATA, { service, model, servicesettings, ...more });
    expect(reply?.status, reply?.text).to.equal(200);
    expect(reply?.text).to.not.contain(token);
    return reply?.json;
  };

  for (const service of Object.keys(DIALECTS) as (keyof typeof DIALECTS)[]) {
    it(`${service}: chats`, async () => {
      const reply = await ask(service, 'mock-model');
      expect(reply, JSON.stringify(reply)).to.include({ success: true, response_content: 'ok from litellm' });
      expect(reply.http_status_code).to.equal(200);
    });

    it(`${service}: an unknown model`, async () => {
      expect((await ask(service, 'no-such-model')).error_code).to.equal('model_not_found');
    });

    if (DIALECTS[service].lists) {
      it(`${service}: lists`, async () => {
        const reply = await ask(service, 'mock-model', { action: 'refresh_models' });
        expect(reply.models, JSON.stringify(reply)).to.have.members(['mock-model', 'group/limited:free']);
      });
    }
  }

  it('a throttled model, with / and : in its name', async () => {
    for (const service of ['General_Chat', 'Assistant_Family'] as const) {
      expect((await ask(service, 'group/limited:free')).error_code, service).to.equal('rate_limited');
    }
  });

  it('a wrong key is refused, and is not in the message', async () => {
    const reply = await ask('General_Chat', 'mock-model', {}, 'sk-wrong-canary-9d55e2');
    expect(reply.error_code).to.equal('auth_failed');
    expect(reply.message).to.not.contain('canary');
  });
});

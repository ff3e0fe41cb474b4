import { expect } from 'chai';
import { type CloudSite, startCloudSite } from '../../support/e2e/cloud.ts';
import { MODELS, PROFILE, PROFILED_MODEL } from '../../support/peers/aws/awsAnswers.ts';
import { DENIED_ROLE, KEY_ID, REGION, ROLE, SECRET_KEY } from '../../support/peers/aws/awsGateway.ts';

const METADATA = '/aicommander_metadata';
const value = (item: unknown) => ({ value: item });

describe('Cloud_Model_Hub against a gateway that verifies every signature with botocore', function () {
  this.timeout(240_000);
  let site: CloudSite;

  before(async function () {
    site = await startCloudSite(this);
  });
  after(() => site?.stop());
  beforeEach(() => site.gateway.reset());

  const blob = (model: string, settings: Record<string, unknown> = {}) => ({
    service: 'Cloud_Model_Hub',
    connection_name: 'hub',
    model,
    servicesettings: {
      region: value(REGION),
      cloud_access_key_id: value(KEY_ID),
      cloud_access_token: value(SECRET_KEY),
      ...settings,
    },
  });
  const act = async (body: object) => {
    const reply = await site.platform.ml('anna', 'POST', METADATA, body);
    expect(reply.status, reply.text).to.equal(200);
    expect(reply.text).to.not.contain(SECRET_KEY);
    return reply.json;
  };

  it('chats and lists: signed as botocore would', async () => {
    const said = await act(blob(MODELS[0] as string));
    expect(said, JSON.stringify(said)).to.include({ success: true, http_status_code: 200 });
    expect(site.gateway.operations()).to.deep.equal(['Converse']);
    const { models } = await act({ ...blob('x'), action: 'refresh_models' });
    expect(models).to.have.members([...MODELS, PROFILE]);
    for (const call of site.gateway.calls) {
      expect(call).to.include({ region: REGION, service: 'bedrock', keyId: KEY_ID, httpVersion: '1.1' });
    }
  });

  it('assumes the role first, and uses its credentials', async () => {
    const said = await act(blob(PROFILE, { role_arn: value(ROLE) }));
    expect(said, JSON.stringify(said)).to.include({ success: true });
    expect(site.gateway.operations()).to.deep.equal(['AssumeRole', 'Converse']);
    expect(site.gateway.calls[1]?.keyId).to.not.equal(KEY_ID);
    expect((await act(blob(PROFILE, { role_arn: value(DENIED_ROLE) }))).error_code).to.equal('permission_denied');
  });

  it('distinguishes a wrong key, a wrong secret, an expired one, a model that needs a profile, an unknown model', async () => {
    const codes: [object, string][] = [
      [blob(PROFILE, { cloud_access_key_id: value('AKIAUNKNOWN000000000') }), 'auth_failed'],
      [blob(PROFILE, { cloud_access_token: value('another secret') }), 'auth_failed'],
      [blob(PROFILED_MODEL), 'model_not_invokable'],
      [blob('no.such-model-v1:0'), 'model_not_found'],
    ];
    for (const [body, code] of codes) expect((await act(body)).error_code, JSON.stringify(body)).to.equal(code);
    site.gateway.faults = [{ kind: 'expired' }];
    expect((await act(blob(PROFILE))).error_code).to.equal('auth_failed');
    site.gateway.faults = [{ kind: 'throttle', retryAfter: 9 }];
    const limited = await act(blob(PROFILE));
    expect(limited).to.include({ error_code: 'rate_limited', retry_after: 9 });
    expect(site.gateway.calls.filter(({ operation }) => operation === 'Converse')).to.have.length(6);
  });

  it('without keys and without an instance role: configuration_invalid', async () => {
    const { cloud_access_key_id: _, cloud_access_token: __, ...settings } = blob(PROFILE).servicesettings;
    const reply = await act({ ...blob(PROFILE), servicesettings: settings });
    expect(reply.error_code, JSON.stringify(reply)).to.equal('configuration_invalid');
    expect(site.gateway.calls).to.deep.equal([]);
  });

  it('can be saved, then tested by its identity', async () => {
    const { platform } = site;
    const saved = await platform.ml('anna', 'POST', '/aicommander', blob(PROFILE));
    expect(saved.status, saved.text).to.equal(200);
    const { service, connection_name, model } = blob(PROFILE);
    expect(await act({ service, connection_name, model })).to.include({ success: true });
    expect(platform.filesWith([SECRET_KEY])).to.deep.equal([]);
  });
});

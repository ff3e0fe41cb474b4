import { expect } from 'chai';
import { type CloudSite, cloudEnv, startCloudSite } from '../../support/e2e/cloud.ts';
import { startPlatform } from '../../support/e2e/platform.ts';
import { REGION, ROLE } from '../../support/peers/aws/awsGateway.ts';
import { startInstanceMetadata } from '../../support/peers/aws/instanceMetadata.ts';
import { startHttp } from '../../support/peers/listen.ts';

const CREDENTIALS = { keyId: 'ASIAINSTANCEEXAMPLE1', secret: 'canary+of+the+instance', token: 'canary-session-token' };

describe('credentials of the machine over HTTP', function () {
  this.timeout(240_000);
  let site: CloudSite;

  before(async function () {
    site = await startCloudSite(this);
    site.gateway.trust(CREDENTIALS.keyId, CREDENTIALS.secret, CREDENTIALS.token);
  });
  after(() => site?.stop());
  beforeEach(() => site.gateway.reset());

  /** A machine of its own, whose environment says where credentials are. */
  async function tested(more: Record<string, string>, role_arn?: string) {
    const platform = await startPlatform({ env: cloudEnv(site.gateway, more) });
    try {
      const details = { cloud_region: REGION, kb_id: site.knowledgeBase, ...(role_arn ? { role_arn } : {}) };
      const reply = await platform.ml('admin', 'POST', '/vector_stores/test', { details });
      expect(reply.status, reply.text).to.equal(200);
      expect(platform.filesWith([CREDENTIALS.secret, CREDENTIALS.token])).to.deep.equal([]);
      return reply.json;
    } finally {
      await platform.dispose();
    }
  }

  it('the role of an instance, from its metadata', async () => {
    const metadata = await startInstanceMetadata(CREDENTIALS);
    try {
      const env = { AWS_EC2_METADATA_DISABLED: 'false', AWS_EC2_METADATA_SERVICE_ENDPOINT: metadata.url };
      expect((await tested(env)).success).to.equal(true);
      expect(site.gateway.calls.map(({ keyId }) => keyId)).to.deep.equal([CREDENTIALS.keyId]);
      site.gateway.reset();
      expect((await tested(env, ROLE)).success).to.equal(true);
      expect(site.gateway.operations()).to.deep.equal(['AssumeRole', 'GetKnowledgeBase']);
      expect(site.gateway.calls[0]?.keyId).to.equal(CREDENTIALS.keyId);
    } finally {
      await metadata.close();
    }
  });

  it('the role of a container', async () => {
    const { keyId, secret, token } = CREDENTIALS;
    const container = await startHttp((_request, response) => {
      const Expiration = new Date(Date.now() + 3_600_000).toISOString();
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ AccessKeyId: keyId, SecretAccessKey: secret, Token: token, Expiration }));
    });
    try {
      const answer = await tested({ AWS_CONTAINER_CREDENTIALS_FULL_URI: `${container.url}/role` });
      expect(answer.success, answer.message).to.equal(true);
    } finally {
      await container.close();
    }
  });

  it('reports wrong credentials in the environment', async () => {
    const answer = await tested({
      AWS_ACCESS_KEY_ID: 'AKIANOBODYKNOWSTHIS1',
      AWS_SECRET_ACCESS_KEY: CREDENTIALS.secret,
    });
    expect(answer).to.include({ status: 'fail', error_code: 'auth_failed' });
  });
});

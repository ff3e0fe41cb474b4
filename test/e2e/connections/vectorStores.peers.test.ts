import { expect } from 'chai';
import { type CloudSite, startCloudSite } from '../../support/e2e/cloud.ts';
import type { Body, Reply, TestPlatform } from '../../support/e2e/platform.ts';
import {
  type AwsGateway,
  DENIED_ROLE,
  type FaultKind,
  KEY_ID,
  REGION,
  ROLE,
  SECRET_KEY,
} from '../../support/peers/aws/awsGateway.ts';
import { freePort } from '../../support/peers/listen.ts';
import { refusalsWithout } from '../../support/replies.ts';
import { eventually, patience } from '../../support/time.ts';

describe('vector stores over HTTP', function () {
  this.timeout(240_000);
  let site: CloudSite;
  let platform: TestPlatform;
  let gateway: AwsGateway;

  before(async function () {
    site = await startCloudSite(this);
    ({ platform, gateway } = site);
  });
  after(() => site?.stop());
  beforeEach(() => gateway.reset());

  const details = (more: object = {}) => ({
    cloud_access_key_id: KEY_ID,
    cloud_access_key_token: SECRET_KEY,
    cloud_region: REGION,
    kb_id: site.knowledgeBase,
    ...more,
  });
  const post = (body: Body, user = 'anna') => platform.ml(user, 'POST', '/vector_stores', body);
  const put = (body: Body, user = 'anna', headers: Record<string, string> = {}) =>
    platform.ml(user, 'PUT', '/vector_stores', body, headers);
  const get = (name: string, user = 'anna') => platform.ml(user, 'GET', `/vector_stores/${encodeURIComponent(name)}`);
  const remove = (name: string, user = 'anna', query = '') =>
    platform.ml(user, 'DELETE', `/vector_stores/${encodeURIComponent(name)}${query}`);
  const test = (body: Body, user = 'anna') => platform.ml(user, 'POST', '/vector_stores/test', body);

  let names = 0;
  async function made(more: object = {}, moreDetails: object = {}): Promise<string> {
    names += 1;
    const name = `store ${names}`;
    const reply = await post({ name, type: 'CLOUD_KB', details: details(moreDetails), ...more });
    expect(reply.status, reply.text).to.equal(200);
    return name;
  }

  const { expectCode, expectFields } = refusalsWithout(SECRET_KEY);

  describe('access', () => {
    it('lets a reader with the capability test a saved store, but not reuse its secret', async () => {
      const name = await made({ acl: { sharing: 'app', perms: { read: ['editors'], write: [] } } });
      expect((await test({ name }, 'bert')).json.success).to.equal(true);
      expectCode(await test({ name, details: { kb_id: 'ABCDEFGHIJ' } }, 'bert'), 403, 'acl_denied');
      expectCode(await put({ name, description: 'x' }, 'bert'), 403, 'acl_denied');
      expectCode(await remove(name, 'bert'), 403, 'acl_denied');
    });
  });

  describe('test', () => {
    const steps = (reply: Reply) =>
      reply.json.data.steps.map((one: { step: string; status: string; error_code?: string }) =>
        [one.status, one.error_code].filter(Boolean).join(' '),
      );

    it('assumes the role, gets the base, retrieves when asked', async () => {
      const name = await made({}, { role_arn: ROLE });
      const reply = await test({ name, query: 'what is it?' });
      expect(reply.status, reply.text).to.equal(200);
      const { response_time_ms, steps: told, ...data } = reply.json.data;
      expect(reply.json).to.deep.include({ status: 'success', success: true });
      expect(data).to.deep.equal({
        name,
        type: 'CLOUD_KB',
        kb_id: site.knowledgeBase,
        region: REGION,
        knowledge_base_status: 'ACTIVE',
        knowledge_base_name: 'kb',
        reachable: true,
        authenticated: true,
      });
      expect(told.map((one: { step: string }) => one.step)).to.deep.equal([
        'assume_role',
        'get_knowledge_base',
        'retrieve',
      ]);
      expect(steps(reply)).to.deep.equal(['success', 'success', 'success']);
      for (const { ms } of told) expect(ms).to.be.within(0, response_time_ms);
      expect(gateway.operations()).to.deep.equal(['AssumeRole', 'GetKnowledgeBase', 'Retrieve']);
      expect(gateway.calls.map(({ region }) => region)).to.deep.equal([REGION, REGION, REGION]);
      expect(reply.text).to.not.contain(SECRET_KEY);
    });

    it('skips steps that were not requested', async () => {
      const reply = await test({ type: 'CLOUD_KB', details: details() });
      expect(reply.json.success, reply.text).to.equal(true);
      expect(reply.json.data.name).to.equal(null);
      expect(steps(reply)).to.deep.equal(['skipped', 'success', 'skipped']);
      expect(gateway.operations()).to.deep.equal(['GetKnowledgeBase']);
    });

    it('writes last_test on the saved record and nothing else', async () => {
      const name = await made();
      expect(gateway.calls, 'of a save').to.have.length(0);
      const { last_test: none, ...before } = (await get(name)).json.config;
      expect(none).to.equal(undefined);
      await test({ name });
      const { last_test: passed, ...after } = (await get(name)).json.config;
      expect(after).to.deep.equal(before);
      expect(passed).to.include({ status: 'success', error_code: null });
      gateway.faults = [{ kind: 'expired' }];
      await test({ name });
      const failed = (await get(name)).json.config.last_test;
      expect(failed).to.include({ status: 'fail', error_code: 'auth_failed' });
      gateway.reset();
      await test({ name, details: {} });
      expect((await get(name)).json.config.last_test).to.deep.equal(failed);
    });

    it('stores nothing of an inline test', async () => {
      const [records, refs] = [await platform.documents('ml_vector_stores'), await platform.secretRefs()];
      await test({ details: details({ role_arn: DENIED_ROLE }) });
      await test({ name: 'not saved yet', details: details() });
      expect(await platform.documents('ml_vector_stores')).to.deep.equal(records);
      expect(await platform.secretRefs()).to.deep.equal(refs);
    });

    it('distinguishes an unknown base and one that is not ACTIVE', async () => {
      const absent = await test({ details: details({ kb_id: 'NOSUCHBASE' }), query: 'x' });
      expect(absent.status).to.equal(200);
      expect(absent.json).to.include({ status: 'fail', success: false, error_code: 'kb_not_found' });
      expect(absent.json.data).to.include({ reachable: true, authenticated: true, knowledge_base_status: null });
      expect(steps(absent)).to.deep.equal(['skipped', 'fail kb_not_found', 'skipped']);
      for (const status of ['CREATING', 'FAILED', 'DELETING']) {
        gateway.statuses.set(site.knowledgeBase, status);
        const reply = await test({ details: details(), query: 'x' });
        expect(reply.json).to.include({ status: 'fail', success: false, error_code: 'kb_not_active' });
        expect(reply.json.data.knowledge_base_status).to.equal(status);
        expect(reply.json.message).to.contain(status);
      }
      expect(gateway.operations()).to.not.contain('Retrieve');
    });

    it('distinguishes a wrong key, a wrong secret, and a role that cannot be assumed', async () => {
      const cases: [object, string, string[], boolean][] = [
        [
          { cloud_access_key_id: 'AKIANOBODYKNOWSTHIS1' },
          'auth_failed',
          ['skipped', 'fail auth_failed', 'skipped'],
          false,
        ],
        [{ cloud_access_key_token: 'wrong-canary' }, 'auth_failed', ['skipped', 'fail auth_failed', 'skipped'], false],
        [
          { cloud_access_key_token: 'wrong-canary', role_arn: ROLE },
          'auth_failed',
          ['fail auth_failed', 'skipped', 'skipped'],
          false,
        ],
        [{ role_arn: DENIED_ROLE }, 'permission_denied', ['fail permission_denied', 'skipped', 'skipped'], false],
      ];
      for (const [more, code, outcome, authenticated] of cases) {
        const reply = await test({ details: details(more), query: 'x' });
        expect(reply.status).to.equal(200);
        expect(reply.json, reply.text).to.include({ status: 'fail', success: false, error_code: code });
        expect(steps(reply)).to.deep.equal(outcome);
        expect(reply.json.data).to.include({ reachable: true, authenticated });
        expect(reply.text).to.not.contain('wrong-canary');
      }
    });

    const FAULTS: [FaultKind, string][] = [
      ['throttle', 'rate_limited'],
      ['expired', 'auth_failed'],
      ['reset', 'connection_reset'],
      ['html', 'upstream_error'],
      ['unavailable', 'upstream_error'],
    ];
    for (const [kind, code] of FAULTS) {
      it(`answers 200 with ${code} when AWS plays ${kind}`, async () => {
        gateway.faults = [{ kind, operation: 'GetKnowledgeBase' }];
        const reply = await test({ details: details({ role_arn: ROLE }) });
        expect(reply.status).to.equal(200);
        expect(reply.json, reply.text).to.include({ status: 'fail', success: false, error_code: code });
        expect(steps(reply)).to.deep.equal(['success', `fail ${code}`, 'skipped']);
        expect(reply.json.data.authenticated).to.equal(true);
        expect(reply.json).to.not.have.property('request_id');
      });
    }

    it('gives up after 20 s for all steps together', async () => {
      gateway.faults = [{ kind: 'slow', operation: 'GetKnowledgeBase' }];
      const reply = await test({ details: details({ role_arn: ROLE }) });
      expect(reply.json).to.include({ status: 'fail', error_code: 'timeout' });
      expect(reply.json.data.response_time_ms).to.be.within(19_500, patience(25_000));
    });

    it('answers configuration_invalid without credentials, and makes no call', async () => {
      const reply = await test({ details: { cloud_region: REGION, kb_id: site.knowledgeBase } });
      expect(reply.json).to.include({ status: 'fail', success: false, error_code: 'configuration_invalid' });
      expect(reply.json.data).to.include({ reachable: false, authenticated: false });
      expect(gateway.calls).to.have.length(0);
    });

    it('is malformed without a base', async () => {
      expectFields(await test({}), 'details.cloud_region', 'details.kb_id');
      expectFields(await test({ details: { kb_id: 'x' } }), 'details.kb_id');
      expectFields(await test({ details: details({ cloud_access_key_token: '' }) }), 'details.cloud_access_key_token');
      expectCode(await test({ name: 'nowhere' }), 404, 'not_found');
      expectCode(await test({ name: 'nowhere', details: { kb_id: 'ABCDEFGHIJ' } }), 404, 'not_found');
    });

    it('follows the endpoint overrides of the conf file', async () => {
      const nowhere = `http://127.0.0.1:${await freePort()}`;
      await platform.setConf('aws', { endpoint_url_bedrock_agent: nowhere });
      const code = async () => (await test({ details: details() })).json.error_code;
      await eventually(async () => (await code()) === 'connection_refused', 6000, 'the override to act');
      await platform.setConf('aws', { endpoint_url_bedrock_agent: '' });
      await eventually(async () => (await code()) === undefined, 6000, 'the override to be gone');
    });
  });
});

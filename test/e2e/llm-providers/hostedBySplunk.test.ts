import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { startPlatform, type TestPlatform } from '../../support/e2e/platform.ts';
import { makeCertificate } from '../../support/peers/certificates.ts';
import { SlimServer } from '../../support/peers/slim.ts';
import { until } from '../../support/time.ts';
import { searched } from '../agents/agentSupport.ts';
import { chat, MOUNT } from '../gateway/gatewayPlatform.ts';

const METADATA = '/aicommander_metadata';
const IDENTITY = { service: 'Platform_Hosted_Models', connection_name: 'splunk', model: 'gpt-oss-20b' };
const MODEL = 'splunk/gpt-oss-20b';

describe('models that Splunk hosts, over HTTP', function () {
  this.timeout(180_000);
  const folder = mkdtempSync(join(tmpdir(), 'slim-ca-'));
  const slim = new SlimServer();
  let platform: TestPlatform;

  before(async () => {
    const ca = makeCertificate({ ca: true });
    writeFileSync(join(folder, 'ca.pem'), ca.cert);
    await slim.start(makeCertificate({ issuer: ca }));
    platform = await startPlatform({
      movableClock: true,
      env: { ML_SCS_TENANT: `${slim.tenant}@${slim.host}`, NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') },
    });
    for (const user of ['anna', 'bob']) await platform.createUser(user, ['ml_admin']);
    const saved = await platform.ml('anna', 'POST', '/aicommander', IDENTITY);
    expect(saved.status, saved.text).to.equal(200);
  });
  after(async () => {
    await platform.dispose();
    await slim.close();
    rmSync(folder, { recursive: true });
  });

  const test = (more: object = {}) => platform.ml('anna', 'POST', METADATA, { ...IDENTITY, ...more });
  const renewals = () => platform.log().split('tenant_token_renewed').length - 1;
  const renewed = (times: number) => until(renewals, (count) => count >= times);

  it('are tested and listed, and the reply says who hosts them', async () => {
    const reply = await test();
    expect(reply.json, reply.text).to.include({
      success: true,
      hosting: `Hosted by Splunk (tenant ${slim.tenant})`,
      response_content: 'ok',
    });
    const list = await test({ probe: 'list' });
    expect(list.json.message, list.text).to.equal('The provider answered with 2 models');
    const refreshed = await test({ action: 'refresh_models' });
    expect(refreshed.json.models, refreshed.text).to.deep.equal(['gpt-oss-20b', 'gpt-oss-120b']);
    const { hosting, models } = (await platform.ml('anna', 'GET', METADATA)).json.config.services
      .Platform_Hosted_Models;
    expect(hosting).to.equal(`Hosted by Splunk (tenant ${slim.tenant})`);
    expect(models).to.deep.include({ id: 'gpt-oss-120b', source: 'provider' });
    const unknown = await test({ model: 'gpt-5', servicesettings: {} });
    expect(unknown.json, unknown.text).to.include({ success: false, error_code: 'model_not_found' });
    expect(unknown.json.message).to.contain('gpt-oss-20b, gpt-oss-120b');
    const loose = await test({ servicesettings: { verify_tls: { value: false } } });
    expect(loose.json.error_code, loose.text).to.equal('configuration_invalid');
  });

  it('are used through the gateway, as a stream too, and by searches', async () => {
    const listed = await platform.call('anna', 'GET', `${MOUNT}/v1/models`);
    expect(listed.json.data.map(({ id }: { id: string }) => id)).to.include(MODEL);
    const reply = await chat(platform, 'anna', MODEL);
    expect(reply.json.choices?.[0].message.content, reply.text).to.equal('ok');
    expect(reply.json.usage).to.include({ total_tokens: 9 });
    for (const streams of [false, true]) {
      slim.streams = streams;
      const stream = await chat(platform, 'anna', MODEL, { stream: true });
      expect(stream.text)
        .to.match(/^data: /)
        .and.contain('"content":"ok"')
        .and.contain('data: [DONE]');
    }
    slim.streams = false;
    const { rows } = await searched(
      platform,
      'anna',
      `| makeresults count=2 | streamstats count as n | mlchat prompt="Say {n}" model="${MODEL}" | table n answer answer_tokens answer_error`,
    );
    expect(rows).to.deep.equal(['1', '2'].map((n) => ({ n, answer: 'ok', answer_tokens: '9', answer_error: '' })));
    const embedding = await platform.call('anna', 'POST', `${MOUNT}/v1/embeddings`, { model: MODEL, input: 'text' });
    expect([embedding.status, embedding.json.error_code], embedding.text).to.deep.equal([400, 'not_supported']);
  });

  it('share one token over all processes, and renew it once when it is refused', async () => {
    expect(new Set(slim.tokens).size, 'of drivers of two trees').to.equal(1);
    expect(await renewed(1)).to.equal(1);
    expect(new Set(slim.ids).size).to.equal(slim.ids.length);
    slim.revoked.add(slim.tokens[0] ?? '');
    platform.advance(60_000);
    const users = ['anna', 'bob', 'anna', 'bob', 'anna', 'bob'];
    const replies = await Promise.all([...users.map((user) => chat(platform, user, MODEL)), test()]);
    for (const { status, text } of replies) expect(status, text).to.equal(200);
    expect(replies.at(-1)?.json.success).to.equal(true);
    expect(platform.drivers('ml_gateway').length).to.be.above(1);
    expect(new Set(slim.tokens).size).to.equal(2);
    expect(await renewed(2)).to.equal(2);
  });

  it('say that also a new token is refused, and hammer nobody', async () => {
    slim.refusesAll = true;
    try {
      const before = slim.tokens.length;
      const failed = await test();
      expect(failed.json, failed.text).to.include({ error_code: 'auth_failed', http_status_code: 401 });
      const reply = await chat(platform, 'anna', MODEL);
      expect([reply.status, reply.json.error_code], reply.text).to.deep.equal([502, 'auth_failed']);
      expect(slim.tokens.length - before).to.equal(2);
      expect(renewals()).to.equal(2);
    } finally {
      slim.refusesAll = false;
    }
  });

  it('are not reached where the host is away', async () => {
    const { host } = slim;
    await slim.close();
    const reply = await test();
    expect(reply.json.error_code, reply.text).to.equal('connection_refused');
    expect(reply.json.message).to.contain(host.split(':')[0]);
  });

  it('keep their tokens in the secret store alone', async () => {
    const tokens = [...new Set(slim.tokens)].filter((token) => token !== '');
    expect(tokens).to.have.length(2);
    expect(platform.filesWith(tokens)).to.deep.equal([]);
    for (const token of tokens) expect(platform.output).to.not.contain(token);
    const [document] = await platform.documents('ml_platform_tokens');
    expect(await platform.secret(String(document?.secret_ref))).to.deep.equal({ token: tokens[1] });
    expect((await platform.secretRefs()).length, 'the first one is removed').to.equal(1);
    const audit = await platform.ml('anna', 'GET', '/audit?count=100');
    const configuration = await platform.ml('admin', 'GET', '/configuration');
    for (const { text } of [audit, configuration]) for (const token of tokens) expect(text).to.not.contain(token);
  });
});

describe('models that nobody hosts', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await startPlatform();
  });
  after(() => platform.dispose());

  it('are told apart from a failure', async () => {
    const reply = await platform.ml('admin', 'POST', METADATA, { ...IDENTITY, servicesettings: {} });
    expect(reply.json.error_code, reply.text).to.equal('configuration_invalid');
    expect(reply.json.message).to.match(/the platform has no tenant/);
    expect(reply.json).to.not.have.property('hosting');
  });
});

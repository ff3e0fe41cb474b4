import { expect } from 'chai';
import { type AgentCoreOptions, agentCoreRuntimes } from '../../../src/adapters/aws/agentRuntimes.ts';
import { Fault } from '../../../src/contract/codes/faults.ts';
import { OutboundError } from '../../../src/contract/codes/outbound.ts';
import { startDeadline } from '../../../src/domain/async/deadline.ts';
import { faultOf, rejection } from '../../support/fault.ts';
import { AgentCorePeer } from '../../support/peers/aws/agentCore.ts';
import { freePort } from '../../support/peers/listen.ts';

const ORDER = { name: 'triage', token: '0f0e0d0c-0b0a-4908-8706-050403020100' };
const CONF = {
  region: 'eu-central-1',
  role_arn: 'arn:aws:iam::123456789012:role/runtime',
  container_uri: '123456789012.dkr.ecr.eu-central-1.amazonaws.com/agent:1',
};

describe('AgentCore runtimes', () => {
  let peer: AgentCorePeer;
  let conf: Record<string, string>;
  const service = (more: Partial<AgentCoreOptions> = {}) =>
    agentCoreRuntimes({
      aws: async () => ({ conf: {}, env: {}, policy: { allowPrivate: true, noProxy: [] } }),
      conf: async () => conf,
      keys: async () => ({ accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'canary-secret-key' }),
      region: null,
      ...more,
    });
  const create = async (ms = 30_000) => {
    using deadline = startDeadline(ms);
    return await service().create(ORDER, deadline);
  };
  const failed = async (kind: 'refused' | 'unanswered', ms?: number): Promise<OutboundError> => {
    const made = await create(ms);
    return made.kind === kind ? made.error : expect.fail(made.kind);
  };
  const error = (name: string, status: number) => ({ kind: 'error', name, status, message: 'it says no' }) as const;

  before(async () => {
    peer = await AgentCorePeer.start();
  });
  beforeEach(() => {
    peer.reset();
    conf = { ...CONF, endpoint_url: peer.url };
  });
  after(() => peer.stop());

  it('creates with name, token, role, image and network', async () => {
    const made = await create();
    expect(made).to.deep.equal({
      kind: 'created',
      runtime: {
        id: 'triage-0000000001',
        arn: 'arn:aws:bedrock-agentcore:eu-central-1:123456789012:runtime/triage-0000000001',
        version: '1',
        phase: 'pending',
        status: 'CREATING',
      },
    });
    expect(peer.calls).to.have.length(1);
    expect(peer.calls[0]?.body).to.deep.equal({
      agentRuntimeName: 'triage',
      clientToken: ORDER.token,
      description: `ml_extension ${ORDER.token}`,
      roleArn: CONF.role_arn,
      agentRuntimeArtifact: { containerConfiguration: { containerUri: CONF.container_uri } },
      networkConfiguration: { networkMode: 'PUBLIC' },
    });
    expect(peer.calls[0]?.authorization).to.match(
      /Credential=AKIAEXAMPLE\/\d{8}\/eu-central-1\/bedrock-agentcore\/aws4_request/,
    );
  });

  it('puts a runtime into a VPC', async () => {
    Object.assign(conf, { network_mode: 'vpc', subnets: 'subnet-1, subnet-2', security_groups: 'sg-1' });
    expect((await create()).kind).to.equal('created');
    expect(peer.calls[0]?.body.networkConfiguration).to.deep.equal({
      networkMode: 'VPC',
      networkModeConfig: { subnets: ['subnet-1', 'subnet-2'], securityGroups: ['sg-1'] },
    });
  });

  for (const [setting, change] of [
    ['region', { region: '' }],
    ['region', { region: 'evil.example#' }],
    ['role_arn', { role_arn: ' ' }],
    ['container_uri', { container_uri: '' }],
    ['network_mode', { network_mode: 'NONE' }],
    ['subnets', { network_mode: 'VPC', security_groups: 'sg-1' }],
    ['security_groups', { network_mode: 'VPC', subnets: 'subnet-1' }],
  ] as [string, Record<string, string>][]) {
    it(`refuses without a call, naming ${setting}: ${JSON.stringify(change)}`, async () => {
      Object.assign(conf, change);
      const { code, message } = await failed('refused');
      expect(code).to.equal('configuration_invalid');
      expect(message).to.include(`[cloud_services:CLOUD_AGENT_CORE] ${setting} `);
      expect(peer.calls).to.have.length(0);
    });
  }

  for (const [name, status, code] of [
    ['AccessDeniedException', 403, 'permission_denied'],
    ['ValidationException', 400, 'bad_request'],
    ['ServiceQuotaExceededException', 402, 'quota_exceeded'],
    ['ConflictException', 409, 'upstream_error'],
  ] as const) {
    it(`${name} is a refusal without a retry`, async () => {
      peer.plays.create = [error(name, status)];
      const refusal = await failed('refused');
      expect(refusal.code).to.equal(code);
      expect(refusal.message).to.include('it says no').and.not.include('canary');
      expect(peer.operations()).to.deep.equal(['create']);
    });
  }

  for (const [what, play] of [
    ['throttling', error('ThrottlingException', 429)],
    ['a failing service', error('InternalServerException', 500)],
    ['a reset before', { kind: 'reset' }],
    ['a lost answer', { kind: 'lost' }],
    ['half an answer', { kind: 'cut' }],
    ['an HTML page of a gateway', { kind: 'html' }],
  ] as const) {
    it(`tries again after ${what}; the token makes one runtime of it`, async () => {
      peer.plays.create = [play, play];
      expect((await create()).kind).to.equal('created');
      expect(peer.operations()).to.deep.equal(['create', 'create', 'create']);
      expect(peer.runtimes.size).to.equal(1);
      expect(new Set(peer.calls.map((call) => call.body.clientToken)).size).to.equal(1);
    });

    it(`gives up after three tries of ${what}`, async () => {
      peer.plays.create = [play, play, play, play];
      const made = await create();
      expect(made.kind).to.equal(what === 'throttling' ? 'refused' : 'unanswered');
      expect(peer.operations()).to.have.length(3);
    });
  }

  it('a refusal after an unanswered attempt leaves the outcome open', async () => {
    peer.plays.create = [{ kind: 'lost' }, error('AccessDeniedException', 403)];
    expect((await create()).kind).to.equal('unanswered');
    peer.plays.create = [error('ThrottlingException', 429), error('AccessDeniedException', 403)];
    expect((await create()).kind).to.equal('refused');
  });

  it('silence is no answer, and the deadline holds over all tries', async () => {
    peer.plays.create = [{ kind: 'silent' }, { kind: 'silent' }, { kind: 'silent' }];
    expect((await failed('unanswered', 500)).code).to.equal('timeout');
  });

  it('a refused connection and a metadata address are refusals', async () => {
    conf.endpoint_url = `http://127.0.0.1:${await freePort()}`;
    expect((await failed('refused')).code).to.equal('connection_refused');
    conf.endpoint_url = 'http://169.254.169.254/';
    expect((await failed('refused')).code).to.equal('blocked_by_policy');
  });

  it('a failure of the store is no refusal of the cloud', async () => {
    const down = new Fault('store_unavailable', 'no conf');
    const fails = async () => {
      throw down;
    };
    using deadline = startDeadline(1000);
    expect(await faultOf(service({ conf: fails }).create(ORDER, deadline))).to.equal(down);
  });

  it('reads what a runtime is and why it failed; none is undefined', async () => {
    using deadline = startDeadline(30_000);
    await create();
    peer.becomes = 'CREATE_FAILED';
    peer.failureReason = 'no such image';
    const runtime = await service().get('triage-0000000001', deadline);
    expect(runtime).to.include({ phase: 'failed', status: 'CREATE_FAILED', reason: 'no such image' });
    expect(await service().get('nothing', deadline)).to.equal(undefined);
  });

  it('passes on what a read fails with', async () => {
    using deadline = startDeadline(30_000);
    peer.plays.get = [error('AccessDeniedException', 403)];
    expect((await rejection(service().get('x', deadline), OutboundError)).code).to.equal('permission_denied');
  });

  it('finds the runtime of an order over all pages, and none of somebody else with the same name', async () => {
    using deadline = startDeadline(30_000);
    peer.pageSize = 1;
    const others = ['a', 'b', 'c'].map((name) => ({ name, token: `${name}-3456789-123456789-123456789-123456` }));
    for (const order of others) await service().create(order, deadline);
    expect(await service().find(ORDER, deadline)).to.equal(undefined);
    await create();
    expect(await service().find(ORDER, deadline)).to.include({ id: 'triage-0000000004' });
    expect(await service().find({ ...ORDER, token: 'another' }, deadline)).to.equal(undefined);
  });

  it('removes: accepted, busy while it is being created, gone when there is none', async () => {
    using deadline = startDeadline(30_000);
    await create();
    expect((await service().remove('triage-0000000001', deadline)).kind).to.equal('busy');
    await service().get('triage-0000000001', deadline);
    expect((await service().remove('triage-0000000001', deadline)).kind).to.equal('accepted');
    expect((await service().remove('nothing', deadline)).kind).to.equal('gone');
    peer.plays.delete = [error('AccessDeniedException', 403)];
    expect((await service().remove('triage-0000000001', deadline)).kind).to.equal('refused');
    peer.plays.delete = [{ kind: 'lost' }, { kind: 'lost' }, { kind: 'lost' }];
    expect((await service().remove('triage-0000000001', deadline)).kind).to.equal('unanswered');
  });

  it('needs nothing but the region to read and remove, and goes to the place of the runtime', async () => {
    using deadline = startDeadline(30_000);
    await create();
    conf = { endpoint_url: peer.url, region: 'us-east-1' };
    expect(await service({ region: 'eu-central-1' }).get('triage-0000000001', deadline)).to.include({ phase: 'ready' });
    expect(peer.calls.at(-1)?.authorization).to.include('/eu-central-1/');
    expect((await service({ region: 'eu-central-1' }).remove('triage-0000000001', deadline)).kind).to.equal('accepted');
  });
});

import { expect } from 'chai';
import { agentCoreRuntimes } from '../../../src/adapters/aws/agentRuntimes.ts';
import { OutboundError } from '../../../src/contract/codes/outbound.ts';
import { startDeadline } from '../../../src/domain/async/deadline.ts';
import { rejection } from '../../support/fault.ts';
import { AgentCorePeer, type Play } from '../../support/peers/aws/agentCore.ts';
import { freePort } from '../../support/peers/listen.ts';

const ARN = 'arn:aws:bedrock-agentcore:eu-central-1:123456789012:runtime/triage-0000000001';
const KEY = 'canary-secret-key';
const REQUEST = { body: '{"input":"Łódź"}', session: 'a'.repeat(64) };

describe('calls of agents in AgentCore', () => {
  let peer: AgentCorePeer;
  let address: string;
  const service = () =>
    agentCoreRuntimes({
      aws: async () => ({
        conf: { endpoint_url_bedrock_agentcore: address },
        env: {},
        policy: { allowPrivate: true, noProxy: [] },
      }),
      // The control plane is elsewhere.
      conf: async () => ({ region: 'us-east-1', endpoint_url: `http://127.0.0.1:${nowhere}` }),
      keys: async () => ({ accessKeyId: 'AKIAEXAMPLE', secretAccessKey: KEY }),
      region: 'eu-central-1',
    });
  let nowhere: number;
  const invoke = async (arn = ARN, ms = 20_000) => {
    using deadline = startDeadline(ms);
    return await service().invoke(arn, REQUEST, deadline);
  };
  const failure = (...options: Parameters<typeof invoke>) => rejection(invoke(...options), OutboundError);

  before(async () => {
    peer = await AgentCorePeer.start();
    nowhere = await freePort();
  });
  beforeEach(() => {
    peer.reset();
    address = peer.url;
    const id = 'triage-0000000001';
    peer.runtimes.set(id, { id, name: 'triage', token: '', description: '', body: {}, status: 'READY', reads: 0 });
  });
  after(() => peer.stop());

  it('go to the data plane, signed for the region of the runtime, with the session', async () => {
    expect(await invoke()).to.deep.equal({ contentType: 'application/json', text: '{"output":"heard Łódź"}' });
    expect(peer.calls).to.have.length(1);
    const [call] = peer.calls;
    expect(call).to.include({ method: 'POST', path: `/runtimes/${encodeURIComponent(ARN)}/invocations` });
    expect(call).to.include({ session: REQUEST.session, accept: 'application/json, text/event-stream' });
    expect(call?.authorization).to.match(
      /Credential=AKIAEXAMPLE\/\d{8}\/eu-central-1\/bedrock-agentcore\/aws4_request/,
    );
    expect(call?.body).to.deep.equal({ input: 'Łódź' });
  });

  it('give the whole event stream, however it is cut', async () => {
    const text = 'data: "the Ł"\n\ndata: "ódź"\n\n';
    peer.agent = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const bytes = Buffer.from(text);
      const write = (at: number): void => {
        if (at >= bytes.length) return void response.end();
        response.write(bytes.subarray(at, at + 3), () => setImmediate(write, at + 3));
      };
      write(0);
    };
    expect(await invoke()).to.deep.equal({ contentType: 'text/event-stream', text });
  });

  it('end at a size, whatever the size of the events', async () => {
    peer.agent = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (let at = 0; at < 80; at += 1) response.write(`data: ${'x'.repeat(64 * 1024)}\n\n`);
      response.end();
    };
    expect(await failure()).to.include({ code: 'upstream_error', message: 'The answer is larger than 4 MiB' });
  });

  it('end at the deadline, also in the middle of an answer', async () => {
    peer.plays.invoke = [{ kind: 'silent' }];
    expect((await failure(ARN, 300)).code).to.equal('timeout');
    peer.agent = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: "x"\n\n');
    };
    expect((await failure(ARN, 300)).code).to.equal('timeout');
  });

  const error = (name: string, status: number, message = 'it says no', retryAfter?: number): Play => ({
    ...{ kind: 'error', name, status, message },
    ...(retryAfter === undefined ? {} : { retryAfter }),
  });
  const DENIED = `User: arn:aws:sts::210987654321:assumed-role/x/y is not authorized to perform: bedrock-agentcore:InvokeAgentRuntime on resource: ${ARN}`;
  const FAILURES: [string, Play, { code: string; retryAfter?: number }, RegExp][] = [
    ['a throttle', error('ThrottlingException', 429, 'slow down', 7), { code: 'rate_limited', retryAfter: 7 }, /slow/],
    ['a busy session', error('RetryableConflictException', 409), { code: 'rate_limited' }, /RetryableConflict/],
    [
      "the container's fault",
      error('RuntimeClientError', 424),
      { code: 'upstream_error' },
      /container failed: it says/,
    ],
    ['access denied', error('AccessDeniedException', 403, DENIED), { code: 'permission_denied' }, /not authorized/],
    ['an unknown key', error('UnrecognizedClientException', 403), { code: 'auth_failed' }, /it says no/],
    ['a wrong request', error('ValidationException', 400), { code: 'bad_request' }, /it says no/],
    ['a quota', error('ServiceQuotaExceededException', 402), { code: 'quota_exceeded' }, /it says no/],
    ['trouble inside', error('InternalServerException', 500), { code: 'upstream_error' }, /500/],
    ['a reset', { kind: 'reset' }, { code: 'connection_reset' }, /closed the connection/],
    ['a web page', { kind: 'html' }, { code: 'upstream_error' }, /web page/],
  ];
  for (const [what, play, known, says] of FAILURES) {
    it(`report ${what}, after one call`, async () => {
      peer.plays.invoke = [play];
      const found = await failure();
      expect(found).to.include(known);
      expect(found.message)
        .to.match(says)
        .and.not.match(/210987654321|123456789012|canary/);
      expect(peer.calls).to.have.length(1);
    });
  }

  describe('and the end of their sessions', () => {
    const stop = async (session = REQUEST.session, ms = 20_000) => {
      using deadline = startDeadline(ms);
      await service().stop(ARN, session, deadline);
    };
    const refused = (...options: Parameters<typeof stop>) => rejection(stop(...options), OutboundError);

    it('go to the data plane as well', async () => {
      await invoke();
      await stop();
      const [, call] = peer.calls;
      expect(call).to.include({ method: 'POST', path: `/runtimes/${encodeURIComponent(ARN)}/stopruntimesession` });
      expect(call).to.include({ session: REQUEST.session });
      expect(call?.authorization).to.match(/\/eu-central-1\/bedrock-agentcore\/aws4_request/);
      expect(peer.sessions.size).to.equal(0);
    });

    it('are no failure where the session is gone', async () => {
      await stop();
      expect(peer.operations()).to.deep.equal(['stop']);
    });

    it('are asked for again after a throttle, and report what refuses them, without the account', async () => {
      await invoke();
      peer.plays.stop = [error('ThrottlingException', 429, 'slow down', 0), { kind: 'reset' }];
      await stop();
      expect(peer.operations()).to.deep.equal(['invoke', 'stop', 'stop', 'stop']);
      peer.plays.stop = [error('AccessDeniedException', 403, DENIED)];
      const denied = await refused();
      expect(denied.code).to.equal('permission_denied');
      expect(denied.message).to.not.match(/210987654321|123456789012|canary/);
    });

    it('are not awaited beyond the deadline', async () => {
      peer.plays.stop = [{ kind: 'silent' }];
      expect((await refused(REQUEST.session, 300)).code).to.equal('timeout');
    });
  });

  it('report a runtime that is gone', async () => {
    const found = await failure(ARN.replace('triage', 'other'));
    expect(found.message).to.contain('no such runtime any more');
  });

  it('report an address that nobody listens at', async () => {
    address = `http://127.0.0.1:${nowhere}`;
    expect((await failure()).code).to.equal('connection_refused');
  });
});

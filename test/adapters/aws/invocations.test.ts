import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { expect } from 'chai';
import { awsModelEndpoints } from '../../../src/adapters/aws/modelEndpoints.ts';
import { OutboundError } from '../../../src/contract/codes/outbound.ts';
import { startDeadline } from '../../../src/domain/async/deadline.ts';
import type { Invocation } from '../../../src/ports/cloud/cloudEndpoints.ts';
import { rejection } from '../../support/fault.ts';
import { isSignedWith } from '../../support/peers/keyed.ts';
import { readBody, sendJson, startHttp } from '../../support/peers/listen.ts';

const SECRET = 'canary-secret-key';
const BODY = JSON.stringify({ instances: [{ town: 'Łódź', cpu: 0.5 }] });

interface Call {
  path: string;
  body: string;
  isSigned: boolean;
  headers: IncomingMessage['headers'];
}

describe('calls of SageMaker endpoints', () => {
  let peer: Awaited<ReturnType<typeof startHttp>>;
  let answer: RequestListener;
  let calls: Call[];
  const refuses = (name: string, status: number, body: object): RequestListener => {
    return (_, response) => sendJson(response, status, body, { 'x-amzn-errortype': name });
  };

  before(async () => {
    peer = await startHttp(async (request: IncomingMessage, response: ServerResponse) => {
      const body = await readBody(request);
      const isSigned = await isSignedWith(SECRET, request, body);
      calls.push({ path: request.url ?? '', body, isSigned, headers: request.headers });
      if (!isSigned) return sendJson(response, 403, {}, { 'x-amzn-errortype': 'InvalidSignatureException' });
      answer(request, response);
    });
  });
  after(() => peer.close());
  beforeEach(() => {
    calls = [];
    answer = (_, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"predictions":[1]}');
  });

  async function invoke(
    {
      ms = 10_000,
      secret = SECRET,
      conf = { endpoint_url_sagemaker_runtime: peer.url } as Record<string, string>,
    } = {},
    accept = 'application/json',
    name = 'my-endpoint',
  ): Promise<Invocation> {
    using deadline = startDeadline(ms);
    const options = { conf, env: {}, policy: { allowPrivate: true } };
    const access = {
      region: 'eu-central-1',
      keys: { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: secret },
      attempts: 1,
    };
    const visit = await awsModelEndpoints(options).visit(access, deadline);
    try {
      return await visit.invoke(name, { body: BODY, contentType: 'application/json', accept });
    } finally {
      visit.close();
    }
  }
  const failure = (ms?: number) => rejection(invoke(ms === undefined ? {} : { ms }), OutboundError);

  it('sends the body as it is, signed, and takes the answer as it is', async () => {
    expect(await invoke()).to.deep.equal({
      kind: 'answered',
      contentType: 'application/json',
      body: '{"predictions":[1]}',
    });
    answer = (_, response) => response.writeHead(200, { 'content-type': 'text/csv; charset=utf-8' }).end('ł,1\n');
    expect(await invoke({}, 'text/csv')).to.deep.equal({
      kind: 'answered',
      contentType: 'text/csv; charset=utf-8',
      body: 'ł,1\n',
    });
    answer = (_, response) => response.writeHead(200).end();
    expect(await invoke()).to.deep.equal({ kind: 'answered', contentType: '', body: '' });
    const [first, second] = calls;
    expect(first).to.include({ path: '/endpoints/my-endpoint/invocations', body: BODY, isSigned: true });
    expect(first?.headers).to.include({ 'content-type': 'application/json', accept: 'application/json' });
    expect(second?.headers.accept).to.equal('text/csv');
    expect(first?.headers.authorization).to.match(/Credential=AKIAEXAMPLE\/\d{8}\/eu-central-1\/sagemaker\//);
  });

  it('finds the runtime by its own setting, else by that of all services', async () => {
    const nowhere = 'http://127.0.0.1:1';
    await invoke({ conf: { endpoint_url_sagemaker_runtime: peer.url, endpoint_url: nowhere } });
    await invoke({ conf: { endpoint_url: peer.url } });
    const other = invoke({ conf: { endpoint_url_sagemaker: peer.url, endpoint_url: nowhere } });
    expect((await rejection(other, OutboundError)).code).to.equal('connection_refused');
    expect(calls).to.have.length(2);
  });

  it('hands back what the model itself refuses, with its words and without the key', async () => {
    for (const [status, code] of [
      [400, 'bad_request'],
      [422, 'bad_request'],
      [500, 'upstream_error'],
    ] as const) {
      const body = { Message: 'no', OriginalStatusCode: status, OriginalMessage: `row 3 is odd, ${SECRET}` };
      answer = refuses('ModelError', 424, body);
      const refused = await invoke();
      expect(refused.kind).to.equal('refused');
      const { error } = refused as Extract<Invocation, { kind: 'refused' }>;
      expect([error.code, error.message]).to.deep.equal([
        code,
        `Amazon SageMaker (inference): the model answered ${status}: row 3 is odd, [redacted]`,
      ]);
    }
    answer = refuses('ModelError', 424, { Message: 'worker died' });
    const { error } = (await invoke()) as Extract<Invocation, { kind: 'refused' }>;
    expect(error.message).to.equal('Amazon SageMaker (inference): the model failed: worker died');
    expect(calls).to.have.length(4);
  });

  it('tells a refusal of the body from that of anything else', async () => {
    const texts: [string, number, string | undefined][] = [
      ["1 validation error detected: Value at 'body' failed to satisfy constraint", 400, 'refused'],
      ['Payload size exceeds the limit', 400, 'refused'],
      ['Request too large', 413, 'refused'],
      ['Endpoint my-endpoint of account 123456789012 not found.', 400, 'missing'],
      ['Inference Component Name header is required for this endpoint', 400, undefined],
      ['Variant blue not served', 400, undefined],
    ];
    for (const [message, status, kind] of texts) {
      answer = refuses('ValidationError', status, { Message: message, message });
      if (kind) expect((await invoke()).kind, message).to.equal(kind);
      else expect((await failure()).code, message).to.equal('bad_request');
    }
  });

  it('says that a request is too large for the endpoint', async () => {
    answer = refuses('ValidationError', 413, { Message: `no ${SECRET}`, message: `no ${SECRET}` });
    const { error } = (await invoke()) as Extract<Invocation, { kind: 'refused' }>;
    expect([error.code, error.message]).to.deep.equal([
      'bad_request',
      'Amazon SageMaker (inference): the request is too large for the endpoint: no [redacted]',
    ]);
  });

  it('takes the words of a model for nothing else, and the name of an endpoint for no word', async () => {
    const message = 'endpoint of the feature store not found for row 3';
    answer = refuses('ModelError', 424, { Message: message, OriginalStatusCode: 500, OriginalMessage: message });
    expect((await invoke()).kind).to.equal('refused');
    for (const [name, status] of [
      ['AccessDeniedException', 403],
      ['ServiceUnavailable', 503],
      ['ThrottlingException', 429],
    ] as const) {
      answer = refuses(name, status, { Message: `Endpoint x: ${message}`, message: `Endpoint x: ${message}` });
      expect((await failure()).httpStatus, name).to.equal(status);
    }
    const header = 'Inference Component Name header is required for endpoint';
    for (const name of ['rows', 'body-1', 'my-input', 'instances']) {
      answer = refuses('ValidationError', 400, { Message: `${header} ${name}`, message: `${header} ${name}` });
      const { code } = await rejection(invoke({}, undefined, name), OutboundError);
      expect(code, name).to.equal('bad_request');
    }
  });

  it('describes an endpoint as missing only where SageMaker says that the request is wrong', async () => {
    using deadline = startDeadline(10_000);
    const options = { conf: { endpoint_url_sagemaker: peer.url }, env: {}, policy: { allowPrivate: true } };
    const keys = { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: SECRET };
    const describe = () =>
      awsModelEndpoints(options).describe({ region: 'eu-central-1', keys, attempts: 1 }, 'e', deadline);
    const body = { message: 'Could not find endpoint "arn:aws:sagemaker:eu-central-1:1:endpoint/e".' };
    answer = refuses('ValidationException', 400, body);
    expect(await describe()).to.equal(undefined);
    answer = refuses('AccessDeniedException', 400, body);
    expect((await rejection(describe(), OutboundError)).code).to.equal('permission_denied');
  });

  it('names what AWS refuses, without the key', async () => {
    for (const [name, status, code] of [
      ['AccessDeniedException', 403, 'permission_denied'],
      ['ThrottlingException', 429, 'rate_limited'],
      ['ModelNotReadyException', 429, 'rate_limited'],
      ['InternalFailure', 500, 'upstream_error'],
      ['ServiceUnavailable', 503, 'upstream_error'],
      ['InternalDependencyException', 530, 'upstream_error'],
    ] as const) {
      calls.length = 0;
      answer = refuses(name, status, { Message: `no, ${SECRET}`, message: `no, ${SECRET}` });
      const error = await failure();
      expect([error.code, error.httpStatus, calls.length], error.message).to.deep.equal([code, status, 1]);
      expect(error.message).not.to.include(SECRET);
    }
    const unsigned = await rejection(invoke({ secret: 'another-key' }), OutboundError);
    expect(unsigned.code).to.equal('auth_failed');
  });

  it('survives a runtime that hangs, redirects, sends too much, a page, or breaks off', async () => {
    answer = () => {};
    expect((await failure(300)).code).to.equal('timeout');
    answer = (_, response) => response.writeHead(307, { location: 'http://example.com/x' }).end();
    const redirected = await failure();
    expect([redirected.code, redirected.message.includes('example.com')]).to.deep.equal(['upstream_error', true]);
    answer = (_, response) => response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end();
    expect((await failure()).code).to.equal('blocked_by_policy');
    answer = (_, response) => response.writeHead(200).end('x'.repeat(9 * 1024 * 1024));
    expect((await failure()).code).to.equal('upstream_error');
    answer = (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Sign in</html>');
    expect((await failure()).code).to.equal('upstream_error');
    answer = (request) => request.socket.destroy();
    expect((await failure()).code).to.equal('connection_reset');
    expect(calls).to.have.length(6);
  });
});

import { expect } from 'chai';
import { awsModels } from '../../../src/adapters/aws/models.ts';
import { OutboundError } from '../../../src/contract/codes/outbound.ts';
import { stringifyExact } from '../../../src/contract/exactJson.ts';
import { startDeadline } from '../../../src/domain/async/deadline.ts';
import { unmetered } from '../../../src/domain/async/unmetered.ts';
import { bedrockClient } from '../../../src/families/llm-providers/providers/dialects/bedrock.ts';
import { unmasked } from '../../../src/masking/outgoing.ts';
import { rejection } from '../../support/fault.ts';
import { readBody, startHttp } from '../../support/peers/listen.ts';

describe('models of Bedrock', () => {
  let peer: Awaited<ReturnType<typeof startHttp>>;
  let answer: { status: number; text: string; headers?: Record<string, string> };
  const bodies: string[] = [];
  let headers: Readonly<Record<string, unknown>> = {};

  before(async () => {
    peer = await startHttp(async (request, response) => {
      headers = request.headers;
      bodies.push(String(await readBody(request)));
      response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers }).end(answer.text);
    });
  });
  after(() => peer.close());

  const access = {
    region: 'eu-central-1',
    keys: { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'canary' },
    attempts: 1,
  };
  const opened = (further?: Record<string, string>) => {
    const conf = { endpoint_url_bedrock_runtime: peer.url };
    const cloud = awsModels({ conf, env: {}, policy: { allowPrivate: true } });
    return bedrockClient({ ...access, headers: further }, cloud, []);
  };
  async function chat(
    text: string,
    toolCalls: { id: string; name: string; arguments: string }[] = [],
    further?: Record<string, string>,
  ) {
    using deadline = startDeadline(10_000);
    answer = { status: 200, text };
    const messages = [
      { role: 'user' as const, content: 'x' },
      { role: 'assistant' as const, content: 'y', toolCalls },
    ];
    return await opened(further).chat('m', unmasked({ messages }), unmetered(deadline));
  }
  const calling = (input: string, usage = '{"inputTokens":5,"outputTokens":7,"totalTokens":12}') =>
    `{"output":{"message":{"role":"assistant","content":[{"toolUse":{"toolUseId":"t","name":"get","input":${input}}}]}},"stopReason":"tool_use","usage":${usage}}`;

  it('give arguments with the digits of their integers, and take them back', async () => {
    const { toolCalls } = await chat(calling('{"id":725653563933458432,"n":[1,{"m":18446744073709551615}]}'));
    expect(toolCalls[0]?.arguments).to.equal('{"id":725653563933458432,"n":[1,{"m":18446744073709551615}]}');
    await chat(calling('{}'), toolCalls);
    expect(bodies.at(-1)).to.contain('"input":{"id":725653563933458432,"n":[1,{"m":18446744073709551615}]}');
  });

  it('get further headers, which are not signed and replace none', async () => {
    await chat(calling('{}'), [], { 'X-Team': 'blue', authorization: 'Basic YTpi' });
    expect(headers['x-team']).to.equal('blue');
    expect(headers.authorization)
      .to.match(/^AWS4-HMAC-SHA256 /)
      .and.not.include('x-team');
  });

  it('are called with a bearer token in place of a signature', async () => {
    using deadline = startDeadline(10_000);
    answer = { status: 200, text: calling('{}') };
    const conf = { endpoint_url_bedrock_runtime: peer.url };
    const cloud = awsModels({ conf, env: {}, policy: { allowPrivate: true } });
    const { keys: _, ...keyless } = access;
    const messages = [{ role: 'user' as const, content: 'x' }];
    const client = bedrockClient({ ...keyless, bearer: 'bearer-canary' }, cloud, ['bearer-canary']);
    await client.chat('m', unmasked({ messages }), unmetered(deadline));
    expect(headers.authorization).to.equal('Bearer bearer-canary');
    expect(headers).to.not.have.any.keys('x-amz-date', 'x-amz-security-token');
  });

  it('give fractions as numbers, however many digits they have', async () => {
    const { toolCalls } = await chat(calling('{"a":0.1,"b":0.12345678901234567890,"c":1.50,"d":1e3}'));
    expect(JSON.parse(toolCalls[0]?.arguments ?? '')).to.deep.equal({
      a: 0.1,
      b: 0.12345678901234568,
      c: 1.5,
      d: 1000,
    });
  });

  it('give arguments of nothing as an empty object', async () => {
    for (const none of ['{}', '""', 'null']) {
      expect((await chat(calling(none))).toolCalls[0]?.arguments, none).to.equal('{}');
    }
  });

  it('count nothing with numbers that are no counts', async () => {
    const { usage } = await chat(
      calling('{}', '{"inputTokens":18446744073709551615,"outputTokens":7,"totalTokens":12}'),
    );
    expect([usage.input.total, usage.output.total]).to.deep.equal([undefined, 7]);
    expect(() => stringifyExact(usage)).to.not.throw();
  });

  for (const [status, name, message, code] of [
    [
      400,
      'ValidationException',
      'Input Tokens Exceeded: Number of input tokens exceeds maximum length.',
      'context_length_exceeded',
    ],
    [400, 'ValidationException', 'Input is too long for requested model.', 'context_length_exceeded'],
    [400, 'ValidationException', 'The provided model identifier is invalid.', 'model_not_found'],
    [
      400,
      'ValidationException',
      "Invocation of model ID x with on-demand throughput isn't supported.",
      'model_not_invokable',
    ],
    [400, 'ValidationException', 'Malformed input request', 'bad_request'],
    [404, 'ResourceNotFoundException', 'x', 'model_not_found'],
    [429, 'ThrottlingException', 'Too many requests', 'rate_limited'],
  ] as const) {
    it(`${name} "${message}" is ${code}`, async () => {
      using deadline = startDeadline(10_000);
      const headers = { 'x-amzn-errortype': name, 'retry-after': '1.5' };
      answer = { status, text: JSON.stringify({ message }), headers };
      const asked = opened().chat(
        'm',
        unmasked({ messages: [{ role: 'user' as const, content: 'x' }] }),
        unmetered(deadline),
      );
      const error = await rejection(asked, OutboundError);
      expect([error.code, error.retryAfter]).to.deep.equal([code, 2]);
    });
  }
});

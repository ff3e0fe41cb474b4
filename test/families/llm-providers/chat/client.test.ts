import { expect } from 'chai';
import { OutboundError } from '../../../../src/contract/codes/outbound.ts';
import type { Provider } from '../../../../src/contract/families/llmProviders.ts';
import { startDeadline } from '../../../../src/domain/async/deadline.ts';
import type { ChatRequest } from '../../../../src/families/llm-providers/chat/chat.ts';
import { LLM_PROVIDERS } from '../../../../src/families/llm-providers/providers/registry.ts';
import { unmasked } from '../../../../src/masking/outgoing.ts';
import { FakeLlm } from '../../../support/memory/llm.ts';
import { counted } from '../../../support/upstream.ts';
import { asking, SCHEMA, TURNS } from './turns.ts';

interface Answer {
  status?: number;
  json?: unknown;
}

const target = {
  settings: { endpoint: 'https://llm.example', verify_tls: true, region: 'eu-central-1', enterprise_api_version: 'v1' },
  hidden: [],
};

function peersOf(...answers: Answer[]): FakeLlm {
  const peers = new FakeLlm();
  peers.answer = () => answers[Math.min(peers.calls.length, answers.length) - 1] ?? {};
  return peers;
}

async function chat(service: Provider, peers: FakeLlm, request: ChatRequest, model = 'm') {
  using deadline = startDeadline(5000);
  const client = LLM_PROVIDERS[service].client(target, peers);
  return await counted(deadline, (upstream) => client.chat(model, unmasked(request), upstream));
}

async function failureOf(work: Promise<unknown>): Promise<OutboundError & { attempts: number }> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof OutboundError)) throw new Error('no OutboundError', { cause: error });
  return error as OutboundError & { attempts: number };
}

const bodiesOf = ({ calls }: FakeLlm) => calls.map(({ body = '{}' }) => JSON.parse(body));
const openAi = (message: object, more: object = {}): Answer => ({ json: { choices: [{ message, ...more }] } });
const refusal = (message: string, status = 400): Answer => ({ status, json: { error: { message } } });

describe('repetitions of a chat', () => {
  const warm = asking({ temperature: 0.2, defaulted: ['temperature'] });
  const NO_TEMPERATURE = "Unsupported value: 'temperature' does not support 0.2 with this model.";

  for (const [service, answer] of [
    ['General_Chat', openAi({ content: 'ok' })],
    ['Assistant_Family', { json: { content: [{ type: 'text', text: 'ok' }] } }],
    ['Search_Vendor_Models', { json: { candidates: [{ content: { parts: [{ text: 'ok' }] } }] } }],
    ['Local_Runtime', { json: { message: { content: 'ok' } } }],
  ] as [Provider, Answer][]) {
    it(`${service}: without a default that the model refuses`, async () => {
      const peers = peersOf(refusal(NO_TEMPERATURE), answer);
      const { attempts, message } = await chat(service, peers, warm);
      expect([attempts, message.content]).to.deep.equal([2, 'ok']);
      const [first, second] = bodiesOf(peers).map((body) => JSON.stringify(body).includes('temperature'));
      expect([first, second]).to.deep.equal([true, false]);
    });
  }

  it('Bedrock: likewise', async () => {
    const peers = new FakeLlm();
    peers.converseOutput = ({ inferenceConfig }) => {
      if (inferenceConfig === undefined) return { output: { message: { content: [{ text: 'ok' }] } } };
      throw new OutboundError('bad_request', '`temperature` is deprecated for this model', { httpStatus: 400 });
    };
    expect(await chat('Cloud_Model_Hub', peers, warm)).to.deep.include({ attempts: 2 });
    const error = await failureOf(chat('Cloud_Model_Hub', peers, asking({ temperature: 0.2 })));
    expect([error.code, error.attempts]).to.deep.equal(['bad_request', 1]);
  });

  it('never for a value that the caller sent, and never twice', async () => {
    const sent = peersOf(refusal(NO_TEMPERATURE));
    const error = await failureOf(chat('General_Chat', sent, asking({ temperature: 0.2 })));
    expect([error.code, error.attempts, sent.calls.length]).to.deep.equal(['bad_request', 1, 1]);
    const again = peersOf(refusal(NO_TEMPERATURE));
    const twice = await failureOf(chat('General_Chat', again, { ...warm, maxTokens: 5 }));
    expect([twice.attempts, again.calls.length]).to.deep.equal([2, 2]);
  });

  it('by a forced tool, whose call is the content', async () => {
    const called = { type: 'tool_use', id: 't', name: 'structured_answer', input: { a: 1 } };
    const peers = peersOf(refusal('output_config: Extra inputs are not permitted'), {
      json: { content: [called], stop_reason: 'tool_use' },
    });
    const { attempts, message, toolCalls, finishReason } = await chat('Assistant_Family', peers, SCHEMA);
    expect([attempts, message.content, toolCalls, finishReason]).to.deep.equal([2, '{"a":1}', [], 'stop']);
  });

  it('with the other name of the token limit', async () => {
    const peers = peersOf(
      refusal("'max_tokens' is not supported with this model. Use 'max_completion_tokens'."),
      openAi({ content: 'ok' }),
    );
    const request = asking({ maxTokens: 9, tokenLimitField: 'max_tokens' });
    expect((await chat('General_Chat', peers, request)).attempts).to.equal(2);
    expect(bodiesOf(peers).map((body) => [body.max_tokens, body.max_completion_tokens])).to.deep.equal([
      [9, undefined],
      [undefined, 9],
    ]);
  });

  it('without the signatures of another model', async () => {
    const call = { id: 'c', name: 'weather', arguments: '{}', extra: { google: { thought_signature: 'foreign' } } };
    const request = asking({
      messages: [...asking({}).messages, { role: 'assistant', content: '', toolCalls: [call] }],
    });
    const peers = peersOf(refusal('Invalid signature'), { json: { candidates: [{ finishReason: 'STOP' }] } });
    expect((await chat('Search_Vendor_Models', peers, request)).attempts).to.equal(2);
    expect(JSON.stringify(bodiesOf(peers)[1])).to.not.contain('foreign');
  });

  it('Bedrock: without marks of the cache, which a model without one refuses with 403', async () => {
    const peers = new FakeLlm();
    const inputs: string[] = [];
    peers.converseOutput = (input) => {
      inputs.push(JSON.stringify(input));
      if (inputs.length > 1) return { output: { message: { content: [{ text: 'ok' }] } } };
      throw new OutboundError('auth_failed', 'Your request did not allow prompt caching', { httpStatus: 403 });
    };
    const request = asking({ messages: [{ role: 'user', content: 'Hello?', cache: {} }] });
    expect((await chat('Cloud_Model_Hub', peers, request)).attempts).to.equal(2);
    expect(inputs.map((input) => input.includes('cachePoint'))).to.deep.equal([true, false]);
  });

  it('Gemini: at the other version after 404', async () => {
    const peers = peersOf({ status: 404 }, { json: { candidates: [{ finishReason: 'STOP' }] } });
    expect((await chat('Search_Vendor_Models', peers, asking({}))).attempts).to.equal(2);
    expect(peers.calls.map(({ url }) => new URL(url).pathname)).to.deep.equal([
      '/v1beta/models/m:generateContent',
      '/v1/models/m:generateContent',
    ]);
  });
});

describe('names of tools', () => {
  const long = 'x'.repeat(70);
  const tools = ['files.read', 'files_read', long].map((name) => ({ name, parameters: {} }));

  it('are replaced where the provider is stricter, and restored in the answer', async () => {
    const peers = new FakeLlm();
    peers.answer = ({ body = '' }) => {
      const sent = JSON.parse(body) as { tools: { function: { name: string } }[] };
      return openAi({
        tool_calls: sent.tools.map(({ function: { name } }, id) => ({ id: `${id}`, function: { name } })),
      });
    };
    const messages = [
      ...asking({}).messages,
      { role: 'assistant', content: '', toolCalls: [{ id: 'c', name: 'files.read', arguments: '{}' }] },
    ] as ChatRequest['messages'];
    const { toolCalls } = await chat('General_Chat', peers, { messages, tools, toolChoice: { name: 'files.read' } });
    expect(toolCalls.map(({ name }) => name)).to.deep.equal(['files.read', 'files_read', long]);
    const [body] = bodiesOf(peers);
    const sent = body.tools.map((tool: { function: { name: string } }) => tool.function.name);
    expect(new Set(sent).size).to.equal(3);
    for (const name of sent) expect(name).to.match(/^[A-Za-z0-9_-]{1,64}$/);
    expect([body.tool_choice.function.name, body.messages[1].tool_calls[0].function.name]).to.deep.equal([
      sent[0],
      sent[0],
    ]);
  });

  it('stay as they are at Ollama', async () => {
    const peers = peersOf({ json: { message: { content: 'x' } } });
    await chat('Local_Runtime', peers, asking({ tools }));
    expect(JSON.stringify(bodiesOf(peers)[0].tools)).to.contain('files.read');
  });
});

describe('what a provider does not support', () => {
  it('is refused with its name, or left out with a warning', async () => {
    const peers = peersOf({ json: { content: [] } });
    const refused = await failureOf(chat('Assistant_Family', peers, asking({ seed: 1, logprobs: true })));
    expect(refused).to.include({ code: 'not_supported', param: 'seed', attempts: 0 });
    expect(refused.message).to.equal('The provider does not support seed, logprobs');
    expect(peers.calls).to.have.length(0);
    const { warnings } = await chat('Assistant_Family', peers, asking({ seed: 1, dropUnsupported: true }));
    expect(warnings).to.deep.equal(['left out, since the provider does not support it: seed']);
  });

  it('at Groq: log probabilities, biases, names and files', async () => {
    const named = { messages: [{ role: 'user', content: 'x', name: 'ann' }] } as const;
    for (const [more, param] of [
      [{ logprobs: true }, 'logprobs'],
      [{ topLogprobs: 1 }, 'top_logprobs'],
      [{ logitBias: { 1: 1 } }, 'logit_bias'],
      [named, 'messages[].name'],
    ] as const) {
      expect((await failureOf(chat('Fast_Inference', peersOf({}), asking(more)))).param).to.equal(param);
    }
    const peers = peersOf(openAi({ content: 'ok' }));
    const { warnings } = await chat(
      'Fast_Inference',
      peers,
      asking({ ...named, logprobs: false, dropUnsupported: true }),
    );
    expect(warnings).to.have.length(1);
    expect(bodiesOf(peers)[0]).to.deep.equal({ model: 'm', messages: [{ role: 'user', content: 'x' }] });
  });
});

describe('failures of a chat', () => {
  const CASES: [Provider, Answer, string][] = [
    ['General_Chat', { status: 400, json: { error: { code: 'context_length_exceeded' } } }, 'context_length_exceeded'],
    [
      'Platform_Hosted_Models',
      refusal("This model's maximum context length is 4096 tokens."),
      'context_length_exceeded',
    ],
    ['Assistant_Family', refusal('prompt is too long: 208310 tokens > 200000 maximum'), 'context_length_exceeded'],
    [
      'Search_Vendor_Models',
      refusal('The input token count (9) exceeds the maximum number of tokens allowed (8).'),
      'context_length_exceeded',
    ],
    [
      'Local_Runtime',
      { status: 400, json: { error: 'the input length exceeds the context length' } },
      'context_length_exceeded',
    ],
    ['General_Chat', { status: 400, json: { error: { code: 'content_policy_violation' } } }, 'content_filtered'],
    ['Assistant_Family', refusal('Output blocked by content filtering policy'), 'content_filtered'],
    ['Fast_Inference', { status: 400, json: { error: { code: 'tool_use_failed' } } }, 'upstream_error'],
    ['Assistant_Family', { status: 529, json: {} }, 'rate_limited'],
    ['General_Chat', refusal('Overloaded', 503), 'upstream_error'],
    ['General_Chat', { json: { error: { message: 'inside' } } }, 'upstream_error'],
    ['Search_Vendor_Models', { json: { candidates: [{ finishReason: 'MALFORMED_FUNCTION_CALL' }] } }, 'upstream_error'],
  ];
  for (const [service, answer, code] of CASES) {
    it(`${service} ${JSON.stringify(answer).slice(0, 70)}: ${code}`, async () => {
      const site = { endpoint: 'https://llm.example', token: 't' };
      const peers = Object.assign(peersOf(answer), { site });
      const error = await failureOf(chat(service, peers, asking({})));
      expect([error.code, error.attempts]).to.deep.equal([code, 1]);
      if (answer.status !== undefined) expect(error.httpStatus).to.equal(answer.status);
    });
  }

  it('Azure: the result of the filter is kept, the prompt is not', async () => {
    const innererror = {
      code: 'ResponsibleAIPolicyViolation',
      content_filter_result: { hate: { filtered: true, severity: 'high', text: 'prompt' } },
    };
    const peers = peersOf({ status: 400, json: { error: { code: 'content_filter', message: 'No', innererror } } });
    const error = await failureOf(chat('Enterprise_Cloud_Chat', peers, asking({})));
    expect(error.code).to.equal('content_filtered');
    expect(error.filterResult).to.deep.equal({
      code: 'ResponsibleAIPolicyViolation',
      content_filter_result: { hate: { filtered: true, severity: 'high' } },
    });
  });

  it('an empty answer whose limit went into reasoning is an answer with a warning', async () => {
    const { warnings } = await chat(
      'General_Chat',
      peersOf(openAi({ content: '' }, { finish_reason: 'length' })),
      TURNS,
    );
    expect(warnings).to.deep.equal(['token_limit_spent_on_reasoning']);
  });
});

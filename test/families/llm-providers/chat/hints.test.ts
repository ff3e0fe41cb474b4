import { expect } from 'chai';
import { OutboundError } from '../../../../src/contract/codes/outbound.ts';
import type { Provider } from '../../../../src/contract/families/llmProviders.ts';
import { startDeadline } from '../../../../src/domain/async/deadline.ts';
import { toAnthropicChat } from '../../../../src/families/llm-providers/chat/anthropic/request.ts';
import { toConverse } from '../../../../src/families/llm-providers/chat/bedrock/request.ts';
import type { ChatRequest } from '../../../../src/families/llm-providers/chat/chat.ts';
import { LLM_PROVIDERS } from '../../../../src/families/llm-providers/providers/registry.ts';
import { unmasked } from '../../../../src/masking/outgoing.ts';
import { FakeLlm } from '../../../support/memory/llm.ts';
import { counted } from '../../../support/upstream.ts';
import { asking } from './turns.ts';

type Body = Record<string, unknown>;

const target = {
  settings: { endpoint: 'https://llm.example', verify_tls: true, region: 'eu-central-1', enterprise_api_version: 'v1' },
  hidden: [],
};
const refusal = (message: string, status = 400) => ({ status, json: { error: { message } } });

const ANSWERS = {
  General_Chat: { choices: [{ message: { content: 'ok' } }] },
  Enterprise_Cloud_Chat: { choices: [{ message: { content: 'ok' } }] },
  Fast_Inference: { choices: [{ message: { content: 'ok' } }] },
  Assistant_Family: { content: [{ type: 'text', text: 'ok' }] },
  Search_Vendor_Models: { candidates: [{ content: { parts: [{ text: 'ok' }] } }] },
  Local_Runtime: { message: { content: 'ok' } },
} as const satisfies Partial<Record<Provider, object>>;
type Asked = keyof typeof ANSWERS;

/** Asks a provider that refuses the first `refusals.length` requests. */
async function chat(service: Asked, request: ChatRequest, refusals: object[], model = 'm') {
  const peers = new FakeLlm();
  peers.answer = () => refusals[peers.calls.length - 1] ?? { json: ANSWERS[service] };
  using deadline = startDeadline(5000);
  const client = LLM_PROVIDERS[service].client(target, peers);
  const answer = await counted(deadline, (upstream) => client.chat(model, unmasked(request), upstream));
  return { ...answer, bodies: peers.calls.map(({ body = '{}' }) => JSON.parse(body) as Body) };
}

async function failureOf(work: Promise<unknown>): Promise<OutboundError> {
  const error = await work.then(
    () => new Error('no failure'),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof OutboundError)) throw error;
  return error;
}

describe('an effort that is a hint', () => {
  const hinted = asking({ reasoningEffort: 'high', effortIsHint: true });
  const has = (body: Body | undefined) => /effort|thinking|"think"/i.test(JSON.stringify(body));

  for (const [service, reason, model] of [
    ['General_Chat', "Unsupported parameter: 'reasoning_effort' is not supported with this model.", 'gpt-4o'],
    ['General_Chat', 'Function tools with reasoning_effort are not supported in /v1/chat/completions.', 'gpt-5.4'],
    ['Enterprise_Cloud_Chat', 'Unrecognized request argument supplied: reasoning_effort', 'gpt-4o'],
    ['Fast_Inference', '`reasoning_effort` is not supported with this model', 'llama'],
    ['Assistant_Family', 'This model does not support the effort parameter.', 'claude-3-5-haiku-latest'],
    ['Search_Vendor_Models', 'Thinking level is not supported for this model.', 'gemma-4'],
    [
      'Search_Vendor_Models',
      'Unable to submit request because thinking is not supported by this model.',
      'gemini-2.0-flash',
    ],
    ['Local_Runtime', '"llama3.2" does not support thinking', 'llama3.2'],
  ] as [Asked, string, string][])
    it(`${service} ${model}: is left out of a second request, with a warning`, async () => {
      const { bodies, message, warnings, attempts } = await chat(service, hinted, [refusal(reason)], model);
      expect(bodies.map(has)).to.deep.equal([true, false]);
      expect([message.content, attempts]).to.deep.equal(['ok', 2]);
      expect(warnings).to.deep.equal(['reasoning_effort high was left out: the model refuses it']);
      const demanded = asking({ reasoningEffort: 'low' });
      if (service === 'Search_Vendor_Models') return;
      expect((await failureOf(chat(service, demanded, [refusal(reason)], model))).code).to.equal('bad_request');
    });

  it('stays where nothing refuses it, and where the refusal is about something else', async () => {
    const { warnings, attempts } = await chat('General_Chat', hinted, []);
    expect([warnings, attempts]).to.deep.equal([[], 1]);
    const error = await failureOf(chat('General_Chat', hinted, [refusal('Invalid image')]));
    expect(error.code).to.equal('bad_request');
  });

  it('is left out at Bedrock', () => {
    const { body, variants = [] } = toConverse('meta.llama', hinted);
    const next = variants.find(({ answers }) => answers('output_config.effort: Extra inputs are not permitted'));
    expect([has(body), has(next?.body)]).to.deep.equal([true, false]);
    expect(toConverse('meta.llama', asking({ reasoningEffort: 'high' })).variants).to.deep.equal([]);
  });

  it('becomes a budget at models of Anthropic that think, unless they are within calls without thinking', () => {
    const reason = 'This model does not support the effort parameter.';
    const next = (request: ChatRequest, model = 'claude-sonnet-4-5') =>
      toAnthropicChat(model, request).variants?.find(({ answers }) => answers(reason))?.body;
    const thoughtful = { ...hinted, maxTokens: 32_000 };
    expect(next(thoughtful)?.thinking).to.deep.equal({ type: 'enabled', budget_tokens: 16_384 });
    const call = { id: 'c', name: 'n', arguments: '{}' };
    const within = (carrier?: Body): ChatRequest => ({
      ...thoughtful,
      messages: [
        ...hinted.messages,
        { role: 'assistant', content: '', toolCalls: [call], carrier },
        { role: 'tool', toolCallId: 'c', content: '1' },
      ],
    });
    expect(next(within())).to.not.have.any.keys('thinking', 'output_config');
    const instructed = [...within().messages, { role: 'system' as const, content: 'Be brief.' }];
    expect(next({ ...within(), messages: instructed }, 'a-name-of-a-proxy')).to.not.have.property('thinking');
    const blocks = [{ type: 'thinking', thinking: 't', signature: 's' }];
    expect(next(within({ anthropic: { thinking_blocks: blocks } }))).to.have.property('thinking');
    const forced: ChatRequest = { ...thoughtful, tools: [{ name: 'n', parameters: {} }], toolChoice: 'required' };
    expect(next(forced)).to.not.have.any.keys('thinking', 'output_config');
  });
});

describe('an answer that a request has begun', () => {
  const begun = asking({
    messages: [
      { role: 'user', content: 'JSON please' },
      { role: 'assistant', content: '{' },
    ],
    continues: 'messages.1',
  });

  for (const service of [
    'General_Chat',
    'Enterprise_Cloud_Chat',
    'Fast_Inference',
    'Search_Vendor_Models',
    'Local_Runtime',
  ] as const)
    it(`is refused by ${service}, or left out with a warning`, async () => {
      const error = await failureOf(chat(service, begun, []));
      expect([error.code, error.param]).to.deep.equal(['not_supported', 'messages.1']);
      expect(error.message).to.contain('messages.1');
      const { warnings, bodies } = await chat(service, { ...begun, dropUnsupported: true }, []);
      expect(warnings.join()).to.contain('messages.1');
      expect(JSON.stringify(bodies))
        .to.contain('JSON please')
        .and.not.contain('assistant')
        .and.not.contain('"model","parts"');
    });

  it('is sent as it is to Anthropic and Bedrock', async () => {
    const { bodies } = await chat('Assistant_Family', begun, []);
    expect(bodies[0]?.messages).to.deep.equal(begun.messages);
    const peers = new FakeLlm();
    let sent: unknown;
    peers.converseOutput = ({ messages }) => {
      sent = messages;
      return { output: { message: { content: [{ text: 'ok' }] } } };
    };
    using deadline = startDeadline(5000);
    const client = LLM_PROVIDERS.Cloud_Model_Hub.client(target, peers);
    await counted(deadline, (upstream) => client.chat('m', unmasked(begun), upstream));
    expect(JSON.stringify(sent)).to.contain('{');
    expect(sent).to.have.length(2);
  });

  it('is no longer one once the user has spoken again', async () => {
    const messages = [...begun.messages, { role: 'user', content: 'Answer again' } as const];
    expect((await chat('General_Chat', { ...begun, messages }, [])).attempts).to.equal(1);
  });
});

describe('a token limit that is too low for any answer', () => {
  const TOO_LOW =
    'Could not finish the message because max_tokens or model output limit was reached. Please try again with higher max_tokens.';

  for (const service of ['General_Chat', 'Enterprise_Cloud_Chat', 'Fast_Inference'] as const)
    it(`${service}: is answered with nothing, as a cut answer`, async () => {
      const { message, finishReason, usage, attempts, status } = await chat(service, asking({ maxTokens: 1 }), [
        refusal(TOO_LOW),
      ]);
      expect([message.content, finishReason, usage.output.total, attempts, status]).to.deep.equal([
        '',
        'length',
        1,
        1,
        200,
      ]);
    });

  it('is a refusal with any other status or words', async () => {
    for (const answer of [refusal(TOO_LOW, 500), refusal('max_tokens is too large')])
      expect(await failureOf(chat('General_Chat', asking({ maxTokens: 1 }), [answer, answer]))).to.be.instanceOf(
        OutboundError,
      );
  });
});

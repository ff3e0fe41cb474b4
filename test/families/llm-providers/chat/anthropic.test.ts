import { expect } from 'chai';
import { fromAnthropicChat } from '../../../../src/families/llm-providers/chat/anthropic/answer.ts';
import { toAnthropicChat } from '../../../../src/families/llm-providers/chat/anthropic/request.ts';
import type { ChatRequest } from '../../../../src/families/llm-providers/chat/chat.ts';
import { asking, CALL, DEFAULTS, HINTS, OPENAI_ONLY, parameters, SCHEMA, TURNS, usage, weatherTool } from './turns.ts';

const MODEL = 'claude-sonnet-4-5';
const translate = (more: Partial<ChatRequest>) => toAnthropicChat(MODEL, asking(more));

describe('chat with Anthropic', () => {
  it('keeps system apart, joins turns with results first, and cuts the temperature', () => {
    const { body, unsupported, warnings } = toAnthropicChat(MODEL, TURNS);
    expect(body).to.deep.equal({
      model: MODEL,
      max_tokens: 100,
      system: [
        { type: 'text', text: 'Be brief.' },
        { type: 'text', text: 'No jokes.' },
      ],
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Look' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } },
          ],
        },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'weather', input: { city: 'Ulm' } }] },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'c1', content: 'sunny' },
            { type: 'text', text: 'And now?' },
          ],
        },
      ],
      temperature: 1,
      stop_sequences: ['END'],
      tools: [weatherTool({ input_schema: parameters })],
      tool_choice: { type: 'tool', name: 'weather' },
    });
    expect(unsupported).to.deep.equal([]);
    expect(warnings).to.have.length(1);
  });

  it('begins with the user, asks system texts alone as a question, and has a token limit', () => {
    const { body } = toAnthropicChat(MODEL, { messages: [{ role: 'assistant', content: 'Hi' }] });
    expect(body.messages).to.deep.equal([
      { role: 'user', content: 'Continue.' },
      { role: 'assistant', content: 'Hi' },
    ]);
    expect(toAnthropicChat(MODEL, SCHEMA).body).to.deep.equal({
      model: MODEL,
      max_tokens: 4096,
      messages: [{ role: 'user', content: 'Only system' }],
      output_config: { format: { type: 'json_schema', schema: { type: 'object' } } },
    });
  });

  it('sends pictures by address, documents, errors of tools and strict tools', () => {
    const { body, unsupported } = translate({
      messages: [
        {
          role: 'user',
          content: [
            { type: 'image_url', url: 'https://a.example/b.png' },
            { type: 'file', mediaType: 'application/pdf', data: 'aGk=', name: 'a.pdf' },
            { type: 'file', mediaType: 'text/plain', data: 'aGk=' },
          ],
        },
        { role: 'assistant', content: 'x', toolCalls: [CALL] },
        { role: 'tool', toolCallId: 'c1', content: 'broken', isError: true },
      ],
      tools: [{ name: 'weather', parameters, strict: true }],
    });
    expect(unsupported).to.deep.equal([]);
    expect(body.tools).to.deep.equal([{ name: 'weather', input_schema: parameters, strict: true }]);
    expect((body.messages as unknown[])[0]).to.deep.equal({
      role: 'user',
      content: [
        { type: 'image', source: { type: 'url', url: 'https://a.example/b.png' } },
        {
          type: 'document',
          source: { type: 'base64', media_type: 'application/pdf', data: 'aGk=' },
          title: 'a.pdf',
        },
        { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'hi' } },
      ],
    });
    expect((body.messages as { content: unknown[] }[])[2]?.content[0]).to.include({ is_error: true });
  });

  it('names the tools of earlier calls even where there are none any more', () => {
    const { body } = toAnthropicChat(MODEL, { ...TURNS, tools: undefined, toolChoice: undefined });
    expect(body.tools).to.deep.equal([{ name: 'weather', input_schema: { type: 'object' } }]);
    expect(body.tool_choice).to.deep.equal({ type: 'none' });
  });

  it('has its own words for the choice of tools', () => {
    const tools = [{ name: 't', parameters: {} }];
    const choice = (more: Partial<ChatRequest>) => translate({ tools, ...more }).body.tool_choice;
    expect(choice({})).to.equal(undefined);
    expect(choice({ toolChoice: 'auto' })).to.deep.equal({ type: 'auto' });
    expect(choice({ toolChoice: 'required' })).to.deep.equal({ type: 'any' });
    expect(choice({ toolChoice: 'none', parallelToolCalls: false })).to.deep.equal({ type: 'none' });
    expect(choice({ parallelToolCalls: false })).to.deep.equal({ type: 'auto', disable_parallel_tool_use: true });
    expect(choice({ toolChoice: { name: 't' }, parallelToolCalls: false })).to.deep.equal({
      type: 'tool',
      name: 't',
      disable_parallel_tool_use: true,
    });
  });

  it('takes top_p or a temperature', () => {
    const sampled = (more: Partial<ChatRequest>) => {
      const { body, unsupported } = translate(more);
      return [body.temperature, body.top_p, unsupported];
    };
    expect(sampled({ topP: 0.5 })).to.deep.equal([undefined, 0.5, []]);
    expect(sampled({ topP: 0.5, temperature: 0.2 })).to.deep.equal([0.2, undefined, ['top_p']]);
    expect(sampled({ topP: 1, temperature: 0.2 })).to.deep.equal([0.2, undefined, []]);
    expect(sampled({ topP: 0.5, temperature: 1 })).to.deep.equal([undefined, 0.5, []]);
    expect(sampled({ topP: 0.5, temperature: 0.2, defaulted: ['temperature'] })).to.deep.equal([undefined, 0.5, []]);
  });

  it('refuses what it cannot do, and nothing that is a default', () => {
    const named = (more: Partial<ChatRequest>) => translate(more).unsupported;
    for (const [more, field] of OPENAI_ONLY) expect(named(more)).to.deep.equal([field]);
    expect(named({ seed: 0 })).to.deep.equal(['seed']);
    expect(named({ frequencyPenalty: 1, presencePenalty: 1 })).to.deep.equal(['frequency_penalty', 'presence_penalty']);
    expect(named({ stop: ['a', ' '] })).to.deep.equal(['stop']);
    const zip = { type: 'file', mediaType: 'application/zip', data: '' } as const;
    expect(named({ messages: [{ role: 'user', content: [zip] }] })).to.deep.equal(['file']);
    const { unsupported, warnings, body } = translate(DEFAULTS);
    expect([unsupported, warnings]).to.deep.equal([[], []]);
    expect(Object.keys(body)).to.deep.equal(['model', 'max_tokens', 'messages']);
  });

  it('sends the user as a hash, and leaves other hints out with a warning', () => {
    const { body, warnings } = translate({ hints: HINTS });
    expect((body.metadata as { user_id: string }).user_id).to.match(/^[0-9a-f]{64}$/);
    expect(warnings.map((text) => text.split(' ')[0])).to.deep.equal([
      'metadata',
      'store',
      'prompt_cache_key',
      'service_tier',
    ]);
  });

  it('translates the effort, and knows older models by their refusal', () => {
    const effort = (reasoningEffort: string) => {
      const { body, warnings } = translate({ reasoningEffort });
      return [body.output_config, body.thinking, warnings.length];
    };
    expect(effort('low')).to.deep.equal([{ effort: 'low' }, undefined, 0]);
    expect(effort('xhigh')).to.deep.equal([{ effort: 'xhigh' }, undefined, 0]);
    expect(effort('minimal')).to.deep.equal([{ effort: 'low' }, undefined, 1]);
    expect(effort('none')).to.deep.equal([undefined, { type: 'disabled' }, 0]);
    const [older] = translate({ reasoningEffort: 'medium', maxTokens: 9000 }).variants ?? [];
    expect(older?.answers('output_config.effort: Extra inputs are not permitted')).to.equal(true);
    expect(older?.body.thinking).to.deep.equal({ type: 'enabled', budget_tokens: 4096 });
    expect(older?.body).not.to.have.property('output_config');
    expect(translate({ reasoningEffort: 'medium', maxTokens: 100 }).variants).to.deep.equal([]);
  });

  it('forces a tool where a model has no schemas', () => {
    const [forced] = toAnthropicChat(MODEL, SCHEMA).variants ?? [];
    expect(forced?.answers('output_config: Extra inputs are not permitted')).to.equal(true);
    expect(forced?.body).to.deep.include({ tool_choice: { type: 'tool', name: 'structured_answer' } });
    const older = toAnthropicChat('claude-3-haiku-20240307', SCHEMA).body;
    expect(older).not.to.have.property('output_config');
    expect(older.tools).to.deep.equal([
      { name: 'structured_answer', description: 'Gives the answer (n).', input_schema: { type: 'object' } },
    ]);
    expect(translate({ responseFormat: { type: 'json_object' } }).body.system).to.have.length(1);
  });

  it('reads an answer: the prompt includes the cache, thinking is shown, and travels back as it came', () => {
    const thinking = { type: 'thinking', thinking: 'hm', signature: 's' };
    const answer = fromAnthropicChat({
      content: [
        thinking,
        { type: 'text', text: 'so' },
        { type: 'tool_use', id: 'c1', name: 'weather', input: { city: 'Ulm' } },
      ],
      stop_reason: 'tool_use',
      usage: {
        input_tokens: 2,
        cache_creation_input_tokens: 3,
        cache_read_input_tokens: 4,
        output_tokens: 5,
        output_tokens_details: { thinking_tokens: 1 },
      },
    });
    expect(answer).to.deep.equal({
      message: {
        role: 'assistant',
        content: 'so',
        reasoning: 'hm',
        carrier: { anthropic: { thinking_blocks: [thinking] } },
      },
      toolCalls: [CALL],
      finishReason: 'tool_calls',
      usage: usage([9, 4, 3], [5, 1]),
    });
    const { carrier } = answer?.message ?? {};
    const again = translate({ messages: [{ role: 'assistant', content: 'so', carrier, toolCalls: [CALL] }] });
    const byCall = [{ ...CALL, extra: { ...carrier } }];
    const { body } = translate({ messages: [{ role: 'assistant', content: 'so', toolCalls: byCall }] });
    expect(body).to.deep.equal(again.body);
    const blocksOf = (body: Record<string, unknown> | undefined) =>
      (body?.messages as { content: { type: string }[] }[] | undefined)?.[1]?.content.map(({ type }) => type);
    expect(blocksOf(again.body)).to.deep.equal(['thinking', 'text', 'tool_use']);
    const [stripped] = again.variants ?? [];
    expect(stripped?.answers('messages.1.content.0: Invalid `signature` in `thinking` block')).to.equal(true);
    expect(blocksOf(stripped?.body)).to.deep.equal(['text', 'tool_use']);
  });
});

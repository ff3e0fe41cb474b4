import { expect } from 'chai';
import { fromOpenAiChat } from '../../../../src/families/llm-providers/chat/openai/answer.ts';
import { toOpenAiChat } from '../../../../src/families/llm-providers/chat/openai/request.ts';
import { asking, CALL, HINTS, OPENAI_ONLY, parameters, TURNS, usage, weatherTool } from './turns.ts';

describe('chat in the dialect of OpenAI', () => {
  const bodyOf = (more: Parameters<typeof asking>[0]) => toOpenAiChat('m', asking(more)).body;

  it('sends turns, tools and pictures as they came', () => {
    expect(toOpenAiChat('m', TURNS).body).to.deep.equal({
      model: 'm',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'developer', content: 'No jokes.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Look' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } },
          ],
        },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'weather', arguments: '{"city":"Ulm"}' } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: 'sunny' },
        { role: 'user', content: 'And now?' },
      ],
      tools: [{ type: 'function', function: weatherTool({ parameters }) }],
      tool_choice: { type: 'function', function: { name: 'weather' } },
      temperature: 1.5,
      max_completion_tokens: 100,
      stop: ['END'],
    });
  });

  it('sends every parameter, hint and unknown field', () => {
    const body = bodyOf({
      topP: 0.5,
      seed: 7,
      frequencyPenalty: 0.1,
      presencePenalty: 0.2,
      reasoningEffort: 'minimal',
      verbosity: 'low',
      logprobs: true,
      topLogprobs: 2,
      logitBias: { 5: 1 },
      parallelToolCalls: false,
      toolChoice: 'required',
      hints: HINTS,
      extra: { min_p: 0.5, model: 'another' },
      responseFormat: { type: 'json_schema', name: 'n', description: 'd', schema: {}, strict: true },
      tools: [{ name: 't', parameters: {}, strict: true }],
    });
    expect(body).to.deep.include({
      model: 'm',
      top_p: 0.5,
      seed: 7,
      frequency_penalty: 0.1,
      presence_penalty: 0.2,
      reasoning_effort: 'minimal',
      verbosity: 'low',
      logprobs: true,
      top_logprobs: 2,
      logit_bias: { 5: 1 },
      parallel_tool_calls: false,
      tool_choice: 'required',
      ...HINTS,
      min_p: 0.5,
      response_format: { type: 'json_schema', json_schema: { name: 'n', description: 'd', schema: {}, strict: true } },
      tools: [{ type: 'function', function: { name: 't', parameters: {}, strict: true } }],
    });
  });

  it('sends files, addresses of pictures, names and refusals', () => {
    const { messages } = bodyOf({
      messages: [
        {
          role: 'user',
          name: 'ann',
          content: [
            { type: 'image_url', url: 'https://a.example/b.png', detail: 'low' },
            { type: 'file', mediaType: 'application/pdf', data: 'aGk=', name: 'a.pdf' },
            { type: 'file_id', id: 'file-1' },
          ],
        },
        { role: 'assistant', content: '', refusal: 'No.' },
      ],
    });
    expect(messages).to.deep.equal([
      {
        role: 'user',
        content: [
          { type: 'image_url', image_url: { url: 'https://a.example/b.png', detail: 'low' } },
          { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,aGk=' } },
          { type: 'file', file: { file_id: 'file-1' } },
        ],
        name: 'ann',
      },
      { role: 'assistant', content: '', refusal: 'No.' },
    ]);
  });

  it('supports everything, but for what a service refuses', () => {
    for (const [more] of OPENAI_ONLY) expect(toOpenAiChat('m', asking(more)).unsupported).to.deep.equal([]);
    const traits = { refused: ['logprobs', 'messages[].name'], hints: ['user'] } as const;
    const { body, unsupported, warnings } = toOpenAiChat(
      'm',
      asking({ logprobs: true, hints: HINTS, messages: [{ role: 'user', content: 'x', name: 'ann' }] }),
      { refused: [...traits.refused], hints: [...traits.hints] },
    );
    expect(unsupported).to.deep.equal(['logprobs', 'messages[].name']);
    expect(body).to.deep.equal({ model: 'm', messages: [{ role: 'user', content: 'x' }], user: 'ann' });
    expect(warnings).to.have.length(5);
  });

  it('gives extra content back to servers that gave it', () => {
    const call = { ...CALL, extra: { google: { thought_signature: 's' } } };
    const request = asking({ messages: [{ role: 'assistant', content: '', toolCalls: [call] }] });
    const sent = (takesOthers: boolean) => JSON.stringify(toOpenAiChat('m', request, { takesOthers }).body);
    expect([sent(true).includes('thought_signature'), sent(false).includes('thought_signature')]).to.deep.equal([
      true,
      false,
    ]);
  });

  it('names the token limit as the caller did, then in the other way', () => {
    const { body, variants = [] } = toOpenAiChat('m', asking({ maxTokens: 9, tokenLimitField: 'max_tokens' }));
    expect(body).to.include({ max_tokens: 9 }).and.not.have.property('max_completion_tokens');
    expect(variants.map((one) => one.body)).to.deep.equal([
      { model: 'm', messages: [{ role: 'user', content: 'Hello?' }], max_completion_tokens: 9 },
    ]);
    const probe = toOpenAiChat('m', asking({ maxTokens: 9, isProbe: true }));
    expect(probe.variants).to.have.length(2);
  });

  it('reads an answer', () => {
    const tool = { id: 'c1', type: 'function', function: { name: 'weather', arguments: CALL.arguments } };
    const logprobs = { content: [{ token: 'a', logprob: -0.1 }], refusal: null };
    const answer = fromOpenAiChat({
      choices: [
        { message: { content: null, refusal: null, tool_calls: [tool] }, logprobs, finish_reason: 'tool_calls' },
      ],
      usage: {
        prompt_tokens: 9,
        completion_tokens: 5,
        total_tokens: 14,
        prompt_tokens_details: { cached_tokens: 4, cache_write_tokens: 2 },
        completion_tokens_details: { reasoning_tokens: 3 },
      },
    });
    expect(answer).to.deep.equal({
      message: { role: 'assistant', content: '' },
      toolCalls: [CALL],
      finishReason: 'tool_calls',
      logprobs,
      usage: usage([9, 4, 2], [5, 3]),
    });
    expect(fromOpenAiChat({})).to.equal(undefined);
  });

  it('reads refusals, parts, and what servers do in other ways', () => {
    const read = (message: object, more: object = {}) => fromOpenAiChat({ choices: [{ message, ...more }], ...more });
    expect(read({ content: [{ type: 'refusal', refusal: 'No.' }] })?.message.refusal).to.equal('No.');
    expect(read({ content: null, refusal: 'No.' })?.message).to.deep.equal({
      role: 'assistant',
      content: '',
      refusal: 'No.',
    });
    expect(
      read({
        content: [
          { type: 'text', text: 'o' },
          { type: 'text', text: 'k' },
        ],
      })?.message.content,
    ).to.equal('ok');
    // xAI counts reasoning apart from the completion.
    const apart = {
      prompt_tokens: 10,
      completion_tokens: 5,
      total_tokens: 22,
      completion_tokens_details: { reasoning_tokens: 7 },
    };
    expect(read({ content: 'x' }, { usage: apart })?.usage.output).to.deep.equal({ total: 12, reasoning: 7 });
    const object = read({ tool_calls: [{ function: { name: 'a', arguments: { b: 1 } } }] });
    expect(object?.toolCalls[0]?.arguments).to.equal('{"b":1}');
    expect(object?.finishReason).to.equal('tool_calls');
    expect(() => read({ tool_calls: [{ function: { arguments: '{}' } }] })).to.throw(/malformed/);
    const older = { function_call: { name: 'weather', arguments: CALL.arguments } };
    expect(read(older, { finish_reason: 'function_call' })?.toolCalls[0]).to.include({ arguments: CALL.arguments });
    const reasons = ['stop', 'length', 'content_filter'].map(
      (finish_reason) => read({ content: '' }, { finish_reason })?.finishReason,
    );
    expect(reasons).to.deep.equal(['stop', 'length', 'content_filter']);
  });
});

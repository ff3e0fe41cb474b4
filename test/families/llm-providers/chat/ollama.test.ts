import { expect } from 'chai';
import type { ChatRequest } from '../../../../src/families/llm-providers/chat/chat.ts';
import { fromOllamaChat } from '../../../../src/families/llm-providers/chat/ollama/answer.ts';
import { toOllamaChat } from '../../../../src/families/llm-providers/chat/ollama/request.ts';
import { asking, CALL, DEFAULTS, HINTS, OPENAI_ONLY, parameters, SCHEMA, TURNS, weatherTool } from './turns.ts';

const translate = (more: Partial<ChatRequest>) => toOllamaChat('m', asking(more));

describe('chat with Ollama', () => {
  it('sends arguments as an object and a prompt that is never cut, and cannot force a tool', () => {
    const { body, unsupported } = toOllamaChat('m', TURNS);
    expect(unsupported).to.deep.equal(['tool_choice']);
    expect(body).to.deep.equal({
      model: 'm',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'system', content: 'No jokes.' },
        { role: 'user', content: 'Look', images: ['aGk='] },
        { role: 'assistant', content: '', tool_calls: [{ function: { name: 'weather', arguments: { city: 'Ulm' } } }] },
        { role: 'tool', tool_name: 'weather', content: 'sunny' },
        { role: 'user', content: 'And now?' },
      ],
      stream: false,
      options: { num_predict: 100, temperature: 1.5, stop: ['END'] },
      tools: [{ type: 'function', function: weatherTool({ parameters }) }],
      truncate: false,
      shift: false,
    });
    expect(toOllamaChat('m', { ...TURNS, toolChoice: 'none' }).body).not.to.have.property('tools');
  });

  it('sends every parameter that it knows', () => {
    const { body, unsupported } = translate({ topP: 0.5, seed: 7, frequencyPenalty: 0.1, presencePenalty: 0.2 });
    expect(unsupported).to.deep.equal([]);
    expect(body.options).to.deep.equal({ top_p: 0.5, seed: 7, frequency_penalty: 0.1, presence_penalty: 0.2 });
    expect(
      ['none', 'minimal', 'low', 'high'].map((reasoningEffort) => translate({ reasoningEffort }).body.think),
    ).to.deep.equal([false, 'low', 'low', 'high']);
    expect(toOllamaChat('m', SCHEMA).body.format).to.deep.equal({ type: 'object' });
    expect(translate({ responseFormat: { type: 'json_object' } }).body.format).to.equal('json');
  });

  it('refuses what it cannot do, and nothing that is a default', () => {
    const named = (more: Partial<ChatRequest>) => translate(more).unsupported;
    for (const [more, field] of OPENAI_ONLY) expect(named(more)).to.deep.equal([field.replace('file.file_id', 'file')]);
    expect(named({ toolChoice: 'required' })).to.deep.equal(['tool_choice']);
    expect(named({ tools: [{ name: 't', parameters, strict: true }] })).to.deep.equal(['tools[].function.strict']);
    const { unsupported, warnings } = translate(DEFAULTS);
    expect([unsupported, warnings]).to.deep.equal([[], []]);
    expect(translate({ hints: HINTS, parallelToolCalls: false }).warnings).to.have.length(7);
  });

  it('reads an answer: calls without ids get unique ones', () => {
    const called = { function: { name: 'weather', arguments: { city: 'Ulm' } } };
    const read = () =>
      fromOllamaChat({
        message: { content: '', tool_calls: [called, called] },
        done_reason: 'stop',
        prompt_eval_count: 9,
        eval_count: 5,
      });
    const { toolCalls = [], finishReason, usage } = read() ?? {};
    expect(toolCalls.map(({ name, arguments: text }) => [name, text])).to.deep.equal([
      ['weather', CALL.arguments],
      ['weather', CALL.arguments],
    ]);
    const ids = [...toolCalls, ...(read()?.toolCalls ?? [])].map(({ id }) => id);
    expect(new Set(ids).size).to.equal(4);
    expect(ids.every((id) => /^call_[0-9a-f]+$/.test(id))).to.equal(true);
    expect([finishReason, usage?.input.total, usage?.output.total]).to.deep.equal(['tool_calls', 9, 5]);
    // A prompt that came from the cache is not counted.
    expect(fromOllamaChat({ message: { content: 'x' } })?.usage.input.total).to.equal(undefined);
  });
});

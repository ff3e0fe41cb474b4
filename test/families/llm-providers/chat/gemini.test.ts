import { expect } from 'chai';
import type { ChatRequest } from '../../../../src/families/llm-providers/chat/chat.ts';
import { fromGeminiChat } from '../../../../src/families/llm-providers/chat/gemini/answer.ts';
import { toGeminiChat } from '../../../../src/families/llm-providers/chat/gemini/request.ts';
import { asking, CALL, DEFAULTS, HINTS, OPENAI_ONLY, parameters, SCHEMA, TURNS, usage, weatherTool } from './turns.ts';

const MODEL = 'gemini-3-pro';
const translate = (more: Partial<ChatRequest>) => toGeminiChat(MODEL, asking(more));

describe('chat with Gemini', () => {
  it('gives results by name, and a signature for every turn of calls', () => {
    expect(toGeminiChat(MODEL, TURNS).body).to.deep.equal({
      systemInstruction: { parts: [{ text: 'Be brief.' }, { text: 'No jokes.' }] },
      contents: [
        { role: 'user', parts: [{ text: 'Look' }, { inlineData: { mimeType: 'image/png', data: 'aGk=' } }] },
        {
          role: 'model',
          parts: [
            {
              functionCall: { id: 'c1', name: 'weather', args: { city: 'Ulm' } },
              thoughtSignature: 'skip_thought_signature_validator',
            },
          ],
        },
        {
          role: 'user',
          parts: [
            { functionResponse: { id: 'c1', name: 'weather', response: { output: 'sunny' } } },
            { text: 'And now?' },
          ],
        },
      ],
      generationConfig: { maxOutputTokens: 100, temperature: 1.5, stopSequences: ['END'] },
      tools: [{ functionDeclarations: [weatherTool({ parametersJsonSchema: parameters })] }],
      toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['weather'] } },
    });
  });

  it('sends every parameter that it knows', () => {
    const { body, unsupported } = translate({
      topP: 0.5,
      seed: 7,
      frequencyPenalty: 0.1,
      presencePenalty: 0.2,
      reasoningEffort: 'low',
      responseFormat: { type: 'json_object' },
      messages: [{ role: 'user', content: [{ type: 'file', mediaType: 'application/pdf', data: 'aGk=' }] }],
    });
    expect(unsupported).to.deep.equal([]);
    expect(body).to.deep.equal({
      contents: [{ role: 'user', parts: [{ inlineData: { mimeType: 'application/pdf', data: 'aGk=' } }] }],
      generationConfig: {
        topP: 0.5,
        seed: 7,
        frequencyPenalty: 0.1,
        presencePenalty: 0.2,
        thinkingConfig: { thinkingLevel: 'low', includeThoughts: true },
        responseMimeType: 'application/json',
      },
    });
    expect(toGeminiChat(MODEL, SCHEMA).body.generationConfig).to.deep.equal({
      responseMimeType: 'application/json',
      responseJsonSchema: { type: 'object' },
    });
    const modes = (['auto', 'required', 'none'] as const).map(
      (toolChoice) => translate({ tools: TURNS.tools, toolChoice }).body.toolConfig,
    );
    expect(modes).to.deep.equal(['AUTO', 'ANY', 'NONE'].map((mode) => ({ functionCallingConfig: { mode } })));
  });

  it('counts thinking in tokens at older models', () => {
    const thinking = (model: string, reasoningEffort: string) =>
      (toGeminiChat(model, asking({ reasoningEffort })).body.generationConfig as { thinkingConfig: unknown })
        .thinkingConfig;
    expect(thinking('gemini-2.5-flash', 'medium')).to.deep.equal({ thinkingBudget: 8192, includeThoughts: true });
    expect(thinking(MODEL, 'none')).to.deep.equal({ thinkingBudget: 0 });
    expect(thinking(MODEL, 'xhigh')).to.deep.equal({ thinkingLevel: 'high', includeThoughts: true });
    const [older] = translate({ reasoningEffort: 'low' }).variants ?? [];
    expect(older?.answers('Thinking level is not supported for this model.')).to.equal(true);
    expect(older?.body.generationConfig).to.deep.equal({
      thinkingConfig: { thinkingBudget: 1024, includeThoughts: true },
    });
  });

  it('refuses what it cannot do, and nothing that is a default', () => {
    const named = (more: Partial<ChatRequest>) => translate(more).unsupported;
    for (const [more, field] of OPENAI_ONLY) expect(named(more)).to.deep.equal([field]);
    expect(named({ stop: ['1', '2', '3', '4', '5', '6'] })).to.deep.equal(['stop']);
    expect(named({ tools: [{ name: 't', parameters, strict: true }] })).to.deep.equal(['tools[].function.strict']);
    const parts = [{ type: 'image_url', url: 'https://a.example' } as const];
    expect(named({ messages: [{ role: 'user', content: parts }] })).to.deep.equal(['image_url']);
    const { unsupported, warnings } = translate(DEFAULTS);
    expect([unsupported, warnings]).to.deep.equal([[], []]);
    expect(translate({ hints: HINTS, parallelToolCalls: false }).warnings).to.have.length(7);
  });

  it('reads an answer: thoughts are counted and shown apart, signatures travel with the call and back', () => {
    const answer = fromGeminiChat({
      candidates: [
        {
          content: {
            parts: [
              { text: 'hm', thought: true },
              { text: 'so' },
              { functionCall: { id: 'c1', name: 'weather', args: { city: 'Ulm' } }, thoughtSignature: 'sig' },
            ],
          },
          finishReason: 'STOP',
        },
      ],
      usageMetadata: {
        promptTokenCount: 7,
        toolUsePromptTokenCount: 2,
        cachedContentTokenCount: 4,
        candidatesTokenCount: 2,
        thoughtsTokenCount: 3,
        totalTokenCount: 14,
      },
    });
    const { cacheWritten: _, ...input } = usage([9, 4], [5, 3]).input;
    expect(answer).to.deep.equal({
      message: { role: 'assistant', content: 'so', reasoning: 'hm' },
      toolCalls: [{ ...CALL, extra: { google: { thought_signature: 'sig' } } }],
      finishReason: 'tool_calls',
      usage: { input, output: { total: 5, reasoning: 3 } },
    });
    const again = translate({ messages: [{ role: 'assistant', content: 'so', toolCalls: answer?.toolCalls }] });
    expect(JSON.stringify(again.body)).to.contain('"thoughtSignature":"sig"');
    const [stripped] = again.variants ?? [];
    expect(stripped?.answers('Invalid signature in the function call')).to.equal(true);
    expect(JSON.stringify(stripped?.body)).to.contain('"skip_thought_signature_validator"').and.not.contain('"sig"');
  });

  it('counts no output of a prompt that was blocked', () => {
    const usageMetadata = { promptTokenCount: 3, totalTokenCount: 3 };
    const blocked = fromGeminiChat({ promptFeedback: { blockReason: 'SAFETY' }, usageMetadata });
    expect(blocked?.usage.output.total).to.equal(0);
  });

  it('forces a tool where a model has no schema, or none beside tools', () => {
    const [forced] = translate({ ...SCHEMA, tools: TURNS.tools }).variants ?? [];
    expect(forced?.answers("Function calling with a response mime type: 'application/json' is unsupported")).to.equal(
      true,
    );
    expect(forced?.body.toolConfig).to.deep.equal({ functionCallingConfig: { mode: 'ANY' } });
    expect(JSON.stringify(forced?.body)).to.contain('structured_answer').and.not.contain('responseMimeType');
  });
});

import { BedrockRuntimeClient, ConverseCommand, type ConverseCommandInput } from '@aws-sdk/client-bedrock-runtime';
import { expect } from 'chai';
import { fromConverse } from '../../../../src/families/llm-providers/chat/bedrock/answer.ts';
import { toConverse } from '../../../../src/families/llm-providers/chat/bedrock/request.ts';
import type { ChatRequest } from '../../../../src/families/llm-providers/chat/chat.ts';
import { asking, CALL, DEFAULTS, HINTS, OPENAI_ONLY, parameters, SCHEMA, TURNS, usage, weatherTool } from './turns.ts';

const MODEL = 'anthropic.claude-sonnet-4-5-20250929-v1:0';
const translate = (more: Partial<ChatRequest>) => toConverse(MODEL, asking(more));

/** What the SDK of AWS makes of an input: members that its model does not have are missing. */
async function serialized(input: Record<string, unknown>): Promise<unknown> {
  let sent = '';
  const client = new BedrockRuntimeClient({
    region: 'eu-central-1',
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    maxAttempts: 1,
    requestHandler: {
      handle: async ({ body }: { body: string | Uint8Array }) => {
        sent = Buffer.from(body as string).toString();
        throw new Error('not sent');
      },
    } as never,
  });
  const command = new ConverseCommand({ ...(input as Partial<ConverseCommandInput>), modelId: MODEL });
  await client.send(command).catch(() => {});
  return JSON.parse(sent);
}
const inBase64 = (input: unknown) =>
  JSON.parse(JSON.stringify(input), (_, value) =>
    value?.type === 'Buffer' ? Buffer.from(value.data).toString('base64') : value,
  );

describe('chat with Bedrock', () => {
  it('alternates turns, with results first', () => {
    const { body, unsupported, warnings } = toConverse(MODEL, TURNS);
    expect(body).to.deep.equal({
      system: [{ text: 'Be brief.' }, { text: 'No jokes.' }],
      inferenceConfig: { maxTokens: 100, temperature: 1, stopSequences: ['END'] },
      additionalModelResponseFieldPaths: ['/stop_sequence'],
      messages: [
        {
          role: 'user',
          content: [{ text: 'Look' }, { image: { format: 'png', source: { bytes: Buffer.from('hi') } } }],
        },
        { role: 'assistant', content: [{ toolUse: { toolUseId: 'c1', name: 'weather', input: { city: 'Ulm' } } }] },
        {
          role: 'user',
          content: [
            { toolResult: { toolUseId: 'c1', content: [{ text: 'sunny' }], status: 'success' } },
            { text: 'And now?' },
          ],
        },
      ],
      toolConfig: {
        tools: [{ toolSpec: weatherTool({ inputSchema: { json: parameters } }) }],
        toolChoice: { tool: { name: 'weather' } },
      },
    });
    expect([unsupported, warnings.length]).to.deep.equal([[], 1]);
  });

  it('names the tools of earlier calls even where none may be called', () => {
    const { body } = toConverse(MODEL, { ...TURNS, tools: undefined, toolChoice: 'none' });
    expect(body.toolConfig).to.deep.equal({
      tools: [{ toolSpec: { name: 'weather', inputSchema: { json: { type: 'object' } } } }],
    });
    expect((body.system as unknown[]).at(-1)).to.deep.equal({ text: 'Do not call any tool.' });
    const tools = [{ name: 't', description: '', parameters, strict: true }];
    expect(translate({ tools, toolChoice: 'required' }).body.toolConfig).to.deep.equal({
      tools: [{ toolSpec: { name: 't', inputSchema: { json: parameters }, strict: true } }],
      toolChoice: { any: {} },
    });
    expect(translate({ tools, toolChoice: 'auto' }).body.toolConfig).to.deep.include({ toolChoice: { auto: {} } });
  });

  it('sends no empty text, and documents with a name and a text beside them', () => {
    const { body, unsupported } = translate({
      messages: [
        { role: 'user', content: [{ type: 'file', mediaType: 'application/pdf', data: 'aGk=', name: 'a_b.c.pdf' }] },
        { role: 'assistant', content: ' ', toolCalls: [CALL] },
        { role: 'tool', toolCallId: 'c1', content: '', isError: true },
      ],
    });
    expect(unsupported).to.deep.equal([]);
    expect(body.messages).to.deep.equal([
      {
        role: 'user',
        content: [
          { document: { format: 'pdf', name: 'a b c 1', source: { bytes: Buffer.from('hi') } } },
          { text: 'See the document.' },
        ],
      },
      { role: 'assistant', content: [{ toolUse: { toolUseId: 'c1', name: 'weather', input: { city: 'Ulm' } } }] },
      { role: 'user', content: [{ toolResult: { toolUseId: 'c1', content: [{ json: {} }], status: 'error' } }] },
    ]);
  });

  it('refuses what it cannot do, and nothing that is a default', () => {
    const named = (more: Partial<ChatRequest>) => translate(more).unsupported;
    for (const [more, field] of OPENAI_ONLY) expect(named(more)).to.deep.equal([field]);
    expect(named({ seed: 1, frequencyPenalty: 1, presencePenalty: 1 })).to.deep.equal([
      'seed',
      'frequency_penalty',
      'presence_penalty',
    ]);
    const parts = [{ type: 'image_url', url: 'https://a.example' } as const];
    expect(named({ messages: [{ role: 'user', content: parts }] })).to.deep.equal(['image_url']);
    const tiff = { type: 'image', mediaType: 'image/tiff', data: '' } as const;
    expect(named({ messages: [{ role: 'user', content: [tiff] }] })).to.deep.equal(['image_url']);
    const { unsupported, warnings } = translate(DEFAULTS);
    expect([unsupported, warnings]).to.deep.equal([[], []]);
  });

  it('leaves out hints and parallel_tool_calls: false with a warning, but for the metadata', () => {
    const { body, warnings } = translate({
      parallelToolCalls: false,
      hints: { ...HINTS, metadata: { a: 'b', ü: 'x' } },
    });
    expect(body.requestMetadata).to.deep.equal({ a: 'b', user: 'ann', safety_identifier: 's' });
    expect(warnings.map((text) => text.split(' ')[0])).to.deep.equal([
      'parallel_tool_calls',
      'store',
      'prompt_cache_key',
      'service_tier',
      'some',
    ]);
  });

  it('asks for a schema natively, then by a forced tool', () => {
    const { body, variants = [] } = toConverse(MODEL, { ...SCHEMA, reasoningEffort: 'high' });
    const jsonSchema = { name: 'n', schema: '{"type":"object"}' };
    expect(body.outputConfig).to.deep.equal({
      effort: 'high',
      textFormat: { type: 'json_schema', structure: { jsonSchema } },
    });
    expect(variants[0]?.answers('This model does not support outputConfig.textFormat')).to.equal(true);
    expect(variants[0]?.body.toolConfig).to.deep.include({ toolChoice: { tool: { name: 'structured_answer' } } });
    expect(toConverse('amazon.nova-lite-v1:0', SCHEMA).body).not.to.have.property('outputConfig');
  });

  it('sends bodies that AWS’s own model knows in every field', async () => {
    const pdf = { type: 'file', mediaType: 'application/pdf', data: 'aGk=' } as const;
    const extra = {
      bedrock: { reasoning_content: [{ reasoningText: { text: 'hm', signature: 's' } }, { redactedContent: 'aGk=' }] },
    };
    const requests: ChatRequest[] = [
      { ...TURNS, topP: 0.5 },
      { ...SCHEMA, reasoningEffort: 'high', hints: HINTS },
      asking({ messages: [{ role: 'user', content: [pdf] }], tools: [{ name: 't', parameters, strict: true }] }),
      asking({ tools: TURNS.tools, toolChoice: 'required' }),
      asking({ messages: [{ role: 'assistant', content: 'x', toolCalls: [{ ...CALL, extra }] }] }),
    ];
    for (const request of requests) {
      const { body, variants = [] } = toConverse(MODEL, request);
      for (const one of [body, ...variants.map((variant) => variant.body)]) {
        expect(await serialized(one)).to.deep.equal(inBase64(one));
      }
    }
    // A field that is not in the model would be missed.
    expect(await serialized({ messages: [], surplus: 1 })).to.deep.equal({ messages: [] });
  });

  it('reads an answer: reasoning is shown, and travels back as it came', () => {
    const content = [
      { reasoningContent: { reasoningText: { text: 'hm', signature: 's' } } },
      { reasoningContent: { redactedContent: new Uint8Array([104, 105]) } },
      { text: 'so' },
      { toolUse: { toolUseId: 'c1', name: 'weather', input: { city: 'Ulm' } } },
    ];
    const answer = fromConverse({
      output: { message: { content } },
      stopReason: 'tool_use',
      usage: { inputTokens: 2, cacheReadInputTokens: 4, cacheWriteInputTokens: 3, outputTokens: 5, totalTokens: 14 },
    });
    const reasoning_content = [{ reasoningText: { text: 'hm', signature: 's' } }, { redactedContent: 'aGk=' }];
    expect(answer).to.deep.equal({
      message: { role: 'assistant', content: 'so', reasoning: 'hm', carrier: { bedrock: { reasoning_content } } },
      toolCalls: [CALL],
      finishReason: 'tool_calls',
      usage: usage([9, 4, 3], [5]),
    });
    const { carrier } = answer?.message ?? {};
    const again = translate({ messages: [{ role: 'assistant', content: 'so', carrier, toolCalls: [CALL] }] });
    const byCall = [{ ...CALL, extra: { ...carrier } }];
    const { body } = translate({ messages: [{ role: 'assistant', content: 'so', toolCalls: byCall }] });
    expect(body).to.deep.equal(again.body);
    const blocks = (again.body.messages as { content: Record<string, unknown>[] }[])[1]?.content ?? [];
    expect(blocks.map((block) => Object.keys(block)[0])).to.deep.equal([
      'reasoningContent',
      'reasoningContent',
      'text',
      'toolUse',
    ]);
    expect(again.variants?.[0]?.answers('Invalid signature in thinking block')).to.equal(true);
  });
});

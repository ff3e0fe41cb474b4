import { expect } from 'chai';
import { toAnthropicChat } from '../../../../src/families/llm-providers/chat/anthropic/request.ts';
import { toConverse } from '../../../../src/families/llm-providers/chat/bedrock/request.ts';
import type { ChatPart, ChatRequest, Translation } from '../../../../src/families/llm-providers/chat/chat.ts';
import { toGeminiChat } from '../../../../src/families/llm-providers/chat/gemini/request.ts';
import { toOllamaChat } from '../../../../src/families/llm-providers/chat/ollama/request.ts';
import { toOpenAiChat } from '../../../../src/families/llm-providers/chat/openai/request.ts';
import { RESULT_NOTES } from '../../../../src/families/llm-providers/chat/ownTexts.ts';
import { asking, CALL } from './turns.ts';

type Json = Record<string, unknown>;

const CLAUDE = 'eu.anthropic.claude-sonnet-4-5-20250929-v1:0';
const anthropic = (request: ChatRequest) => toAnthropicChat('claude-sonnet-4-5', request);
const bedrock = (request: ChatRequest) => toConverse(CLAUDE, request);
const gemini = (request: ChatRequest) => toGeminiChat('gemini-3-pro-preview', request);
const ollama = (request: ChatRequest) => toOllamaChat('m', request);
const openAi = (request: ChatRequest) => toOpenAiChat('m', request);
const server = (request: ChatRequest) => toOpenAiChat('m', request, { takesOthers: true });
const ALL = { anthropic, bedrock, gemini, ollama, openAi, server };

const image = { type: 'image', mediaType: 'image/png', data: 'aGk=' } as const;
const pdf = { type: 'file', mediaType: 'application/pdf', data: 'aGk=', name: 'a.pdf' } as const;
const url = { type: 'image_url', url: 'https://a.example/b.png' } as const;
const zip = { type: 'file', mediaType: 'application/zip', data: 'aGk=' } as const;
const seen = { type: 'text', text: 'seen' } as const;

const withResult = (...parts: ChatPart[]): ChatRequest => ({
  messages: [
    { role: 'user', content: 'Look' },
    { role: 'assistant', content: '', toolCalls: [CALL] },
    { role: 'tool', toolCallId: 'c1', content: 'seen', parts },
  ],
});
const lastOf = ({ body }: Translation): Json => (body.messages as Json[] | undefined)?.at(-1) ?? {};
const [bytes] = [Buffer.from('hi')];

describe('results of tools with images and documents', () => {
  it('hold them at Anthropic, but for what it does not have', () => {
    const translation = anthropic(withResult(seen, image, url, pdf));
    expect(translation).to.deep.include({ unsupported: [], warnings: [] });
    const [{ content } = {}] = lastOf(translation).content as Json[];
    expect(content).to.deep.equal([
      { type: 'text', text: 'seen' },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } },
      { type: 'image', source: { type: 'url', url: url.url } },
      { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'aGk=' }, title: 'a.pdf' },
    ]);
    const noted = anthropic(withResult(zip, { type: 'file_id', id: 'f' }, image));
    expect([noted.unsupported, noted.warnings.length]).to.deep.equal([[], 1]);
    const [{ content: left } = {}] = lastOf(noted).content as { content: Json[] }[];
    expect(left?.map(({ type, text }) => text ?? type)).to.deep.equal([RESULT_NOTES.file, RESULT_NOTES.file, 'image']);
  });

  it('hold them at Bedrock, with names of documents that no other result has', () => {
    const { messages } = withResult(seen, image, pdf);
    const more = [
      {
        role: 'assistant',
        content: '',
        toolCalls: [
          { ...CALL, id: 'c2' },
          { ...CALL, id: 'c3' },
        ],
      },
      { role: 'tool', toolCallId: 'c2', content: '', parts: [pdf] },
      { role: 'tool', toolCallId: 'c3', content: '', parts: [pdf, url] },
    ] as const;
    const translation = bedrock({ messages: [...messages, ...more] });
    expect([translation.unsupported, translation.warnings.length]).to.deep.equal([[], 1]);
    const resultsIn = ({ content }: Json) =>
      (content as { toolResult: { content: Json[] } }[]).map(({ toolResult }) => toolResult.content);
    const [, , first] = translation.body.messages as Json[];
    expect(resultsIn(first ?? {})).to.deep.equal([
      [
        { text: 'seen' },
        { image: { format: 'png', source: { bytes } } },
        { document: { format: 'pdf', name: 'a 3-3', source: { bytes } } },
      ],
    ]);
    const last = resultsIn(lastOf(translation)).flat();
    const names = last.flatMap(({ document }) => (document ? [(document as Json).name] : []));
    expect(names).to.deep.equal(['a 5-1', 'a 6-1']);
    expect(last.map(({ text }) => text)).to.include(RESULT_NOTES.image);
  });

  it('hold them beside the output at Gemini since its third generation', () => {
    const functionResponse = { id: 'c1', name: 'weather', response: { output: 'seen' } };
    const sent = (translation: Translation) => (translation.body.contents as { parts: Json[] }[]).at(-1)?.parts;
    const parts = [image, pdf].map(({ mediaType: mimeType, data }) => ({ inlineData: { mimeType, data } }));
    expect(sent(gemini(withResult(seen, image, pdf)))).to.deep.equal([
      { functionResponse: { ...functionResponse, parts } },
    ]);
    const older = toGeminiChat('gemini-2.5-flash', withResult(seen, image));
    const output = `seen\n${RESULT_NOTES.image}`;
    expect(sent(older)).to.deep.equal([{ functionResponse: { ...functionResponse, response: { output } } }]);
    expect(older.warnings).to.have.length(1);
    expect(JSON.stringify(sent(gemini(withResult(zip))))).to.contain(RESULT_NOTES.file);
  });

  it('keep the fields of texts beside a note', () => {
    const labelled = { ...seen, others: { label: 'x' } };
    expect(lastOf(server(withResult(labelled, image))).content).to.deep.equal([
      { type: 'text', text: 'seen', label: 'x' },
      { type: 'text', text: RESULT_NOTES.image },
    ]);
  });

  for (const [name, translate] of Object.entries({ ollama, openAi, server })) {
    it(`have a note in their text in the dialect of ${name}`, () => {
      const translation = translate(withResult(seen, image, pdf, { ...url, detail: 'high' }));
      expect([translation.unsupported, translation.warnings.length]).to.deep.equal([[], 1]);
      const { image: picture, file } = RESULT_NOTES;
      expect(lastOf(translation).content).to.equal(['seen', picture, file, picture].join('\n'));
    });
  }
});

describe('marks of the cache', () => {
  const cache = { ttl: '1h' } as const;
  const MARKED: ChatRequest = {
    messages: [
      {
        role: 'system',
        content: 'ab',
        parts: [
          { type: 'text', text: 'a', cache },
          { type: 'text', text: 'b' },
        ],
      },
      {
        role: 'user',
        content: [
          { ...image, cache: {} },
          { type: 'text', text: 'Look' },
        ],
      },
      { role: 'assistant', content: 'so', toolCalls: [CALL], cache },
      { role: 'tool', toolCallId: 'c1', content: 'done', cache: {} },
      { role: 'user', content: 'And now?' },
      { role: 'assistant', content: 'It is ', cache: {} },
    ],
    tools: [{ name: 'weather', parameters: { type: 'object' }, cache }],
  };

  it('stand at blocks, tools and system texts of Anthropic, with their time to live', () => {
    const { body, warnings } = anthropic(MARKED);
    expect(warnings).to.deep.equal([]);
    const long = { type: 'ephemeral', ttl: '1h' };
    expect(body.system).to.deep.equal([
      { type: 'text', text: 'a', cache_control: long },
      { type: 'text', text: 'b' },
    ]);
    const marks = (body.messages as { content: Json[] }[]).map(({ content }) =>
      content.map(({ type, cache_control: mark }) => [type, mark]),
    );
    expect(marks).to.deep.equal([
      [
        ['image', { type: 'ephemeral' }],
        ['text', undefined],
      ],
      [
        ['text', undefined],
        ['tool_use', long],
      ],
      [
        ['tool_result', { type: 'ephemeral' }],
        ['text', undefined],
      ],
      [['text', { type: 'ephemeral' }]],
    ]);
    expect((body.tools as Json[])[0]?.cache_control).to.deep.equal(long);
  });

  it('are blocks behind what they cover at Bedrock, and left out where a model refuses them', () => {
    const cachePoint = { type: 'default' };
    const translation = bedrock(MARKED);
    const { body, variants = [] } = translation;
    expect(body.system).to.deep.equal([{ text: 'a' }, { cachePoint }, { text: 'b' }]);
    const kinds = (messages: unknown) =>
      (messages as { content: Json[] }[]).map(({ content }) => content.map((block) => Object.keys(block).join()));
    expect(kinds(body.messages)).to.deep.equal([
      ['image', 'cachePoint', 'text'],
      ['text', 'toolUse', 'cachePoint'],
      ['toolResult', 'cachePoint', 'text'],
      ['text', 'cachePoint'],
    ]);
    expect(lastOf(translation).content).to.deep.equal([{ text: 'It is' }, { cachePoint }]);
    expect(((body.toolConfig as Json).tools as Json[])[1]).to.deep.equal({ cachePoint });
    const plain = variants.find(({ answers }) => answers('your request did not allow prompt caching'));
    expect(JSON.stringify(plain?.body)).not.to.contain('cachePoint');
    expect(plain?.body.system).to.deep.equal([{ text: 'a' }, { text: 'b' }]);
    expect(kinds(plain?.body.messages).flat()).to.have.length(7);
    expect(bedrock(asking({})).variants).to.deep.equal([]);
  });

  it('are of the part before those of its message, and hold for a note in place of it', () => {
    const part = { type: 'text', text: 'a', cache } as const;
    const { body } = anthropic({
      messages: [
        { role: 'system', content: 'a', parts: [part], cache: {} },
        { role: 'user', content: [part], cache: {} },
      ],
    });
    const long = { type: 'ephemeral', ttl: '1h' };
    expect(body.system).to.deep.equal([{ type: 'text', text: 'a', cache_control: long }]);
    expect(body.messages).to.deep.equal([
      { role: 'user', content: [{ type: 'text', text: 'a', cache_control: long }] },
    ]);
    for (const translate of [anthropic, server]) {
      expect(JSON.stringify(lastOf(translate(withResult({ ...zip, cache }))))).to.contain(JSON.stringify(long));
    }
  });

  it('of parts of a result are behind the result at Bedrock', () => {
    const [{ toolResult } = {}, ...more] = lastOf(bedrock(withResult({ ...seen, cache }, image))).content as Json[];
    expect(JSON.stringify(toolResult)).not.to.contain('cachePoint');
    expect(more).to.deep.equal([{ cachePoint: { type: 'default' } }]);
  });

  it('go through to servers that may know them, and are left out in silence elsewhere', () => {
    expect(JSON.stringify(server(MARKED).body).match(/"cache_control"/g)).to.have.length(6);
    for (const translate of [gemini, ollama, openAi]) {
      const { body, unsupported, warnings } = translate(MARKED);
      expect(JSON.stringify(body)).not.to.match(/cache/i);
      expect([unsupported, warnings]).to.deep.equal([[], []]);
    }
  });
});

describe('top_k', () => {
  it('has a place at each provider, or is refused', () => {
    const fields = (translate: (request: ChatRequest) => Translation, topK = 40) => {
      const { body, unsupported } = translate(asking({ topK }));
      return [
        body.top_k ??
          (body.additionalModelRequestFields as Json | undefined)?.top_k ??
          (body.generationConfig as Json | undefined)?.topK ??
          (body.options as Json | undefined)?.top_k,
        unsupported,
      ];
    };
    for (const translate of [anthropic, bedrock, gemini, ollama, server]) {
      expect(fields(translate)).to.deep.equal([40, []]);
    }
    expect(fields(openAi)).to.deep.equal([undefined, ['top_k']]);
    const nova = toConverse('eu.amazon.nova-pro-v1:0', asking({ topK: 40 }));
    expect(nova.body.additionalModelRequestFields).to.deep.equal({ inferenceConfig: { topK: 40 } });
    expect(toConverse('meta.llama3-1-8b-instruct-v1:0', asking({ topK: 40 })).unsupported).to.deep.equal(['top_k']);
  });

  it('of all tokens asks for nothing', () => {
    for (const [name, translate] of Object.entries(ALL)) {
      for (const topK of [0, -1]) {
        const { body, unsupported } = translate(asking({ topK }));
        expect(unsupported, name).to.deep.equal([]);
        expect(/top_?k/i.test(JSON.stringify(body)), name).to.equal(name === 'server');
      }
    }
  });
});

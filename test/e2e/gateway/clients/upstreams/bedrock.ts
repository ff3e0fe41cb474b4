import type { Asked } from '../../../../support/peers/llm.ts';
import type { Schema } from './question.ts';
import { type Block, isToolName, problemsOf, turnProblems } from './turns.ts';
import { vectorOf, type WireFormat } from './wireFormat.ts';

interface Converse {
  messages: { role: string; content: WireBlock[] }[];
  system?: { text?: string }[];
  toolConfig?: {
    tools: { toolSpec: { name: string; description?: string; inputSchema: { json: Schema } } }[];
    toolChoice?: { auto?: object; any?: object; tool?: { name: string } };
  };
  outputConfig?: { textFormat?: { structure: { jsonSchema: { schema: string } } } };
  inferenceConfig?: { temperature?: number; maxTokens?: number };
}
interface WireBlock {
  text?: string;
  toolUse?: { toolUseId: string; input: unknown };
  toolResult?: { toolUseId: string; content: object[] };
  image?: object;
  document?: { name: string };
  reasoningContent?: object;
  cachePoint?: object;
}

/** Bedrock's Converse, and InvokeModel for embeddings. */
export const bedrock: WireFormat = {
  service: 'Cloud_Model_Hub',
  model: 'anthropic.claude-sonnet-4-6',
  embedder: 'amazon.titan-embed-text-v2:0',
  settings: { region: 'us-east-1', cloud_access_key_id: 'AKIAOFATEST', cloud_access_token: 'of-a-test' },
  question(body) {
    const { toolConfig, outputConfig } = body as unknown as Converse;
    const { tool, any, auto } = toolConfig?.toolChoice ?? {};
    const schema = outputConfig?.textFormat?.structure.jsonSchema.schema;
    return {
      tools: toolConfig?.tools.map(({ toolSpec: { name, inputSchema } }) => ({ name, schema: inputSchema.json })) ?? [],
      choice: tool?.name ?? (any ? 'any' : auto && 'auto'),
      format: schema === undefined ? undefined : JSON.parse(schema),
    };
  },
  problems,
  overloaded: {
    status: 503,
    body: { message: 'Bedrock is unable to process your request.' },
    headers: { 'x-amzn-errortype': 'ServiceUnavailableException:http://internal.amazon.com/coral/com.amazon.bedrock/' },
  },
  filtered: 'content_filtered',
  refusal: (message) => ({
    status: 400,
    body: { message },
    headers: { 'x-amzn-errortype': 'ValidationException:http://internal.amazon.com/coral/com.amazon.bedrock/' },
  }),
  embeddings({ path, body }) {
    if (!path.endsWith('/invoke')) return undefined;
    const { inputText, dimensions, normalize, ...unknown } = body;
    const size = Number(dimensions ?? 1024);
    const problems = problemsOf({
      [`unknown fields ${Object.keys(unknown)}`]: Object.keys(unknown).length > 0,
      'no inputText': typeof inputText !== 'string' || inputText === '',
      'dimensions that the model lacks': ![256, 512, 1024].includes(size),
      'normalize is no boolean': typeof (normalize ?? true) !== 'boolean',
    });
    const embedding = vectorOf(String(inputText), size);
    const inputTextTokenCount = 5;
    return { problems, vectors: { status: 200, body: { embedding, inputTextTokenCount, embeddingsByType: {} } } };
  },
};

function problems({ headers, body }: Asked): string[] {
  const { messages, system = [], toolConfig, inferenceConfig = {} } = body as unknown as Converse;
  const tools = toolConfig?.tools.map(({ toolSpec }) => toolSpec) ?? [];
  const blocks = messages.flatMap(({ content }) => content);
  const ids = blocks
    .map(({ toolUse, toolResult }) => (toolUse ?? toolResult)?.toolUseId)
    .filter((id) => id !== undefined);
  const temperature = inferenceConfig.temperature ?? 0;
  return [
    ...turnProblems(
      messages.map(({ role, content }) => ({
        role: role === 'assistant' ? 'model' : 'user',
        blocks: content.filter(isSaid).map(toBlock),
      })),
    ),
    ...problemsOf({
      'unknown role': !messages.every(({ role }) => role === 'user' || role === 'assistant'),
      'not signed': !headers.authorization?.startsWith('AWS4-HMAC-SHA256 Credential=AKIAOFATEST/'),
      'blank system text': system.some(({ text }) => text?.trim() === ''),
      'id of a call': !ids.every((id) => /^[a-zA-Z0-9_-]{1,64}$/.test(id)),
      'name of a tool': !tools.every(({ name }) => isToolName(name)),
      'tools of one name': new Set(tools.map(({ name }) => name)).size < tools.length,
      'empty description': tools.some(({ description }) => description === ''),
      'schema is no object': tools.some(({ inputSchema }) => inputSchema.json.type !== 'object'),
      'toolConfig without tools': toolConfig !== undefined && tools.length === 0,
      'calls without toolConfig': ids.length > 0 && toolConfig === undefined,
      'empty result': blocks.some(({ toolResult }) => toolResult?.content.length === 0),
      'temperature beyond its range': temperature < 0 || temperature > 1,
      'document without a text': messages.some(
        ({ content }) => content.some(({ document }) => document) && !content.some(({ text }) => text !== undefined),
      ),
    }),
  ];
}

/** Reasoning that comes back, and marks of the cache, are no part of a conversation. */
const isSaid = ({ reasoningContent, cachePoint }: WireBlock): boolean =>
  reasoningContent === undefined && cachePoint === undefined;

function toBlock(block: WireBlock): Block {
  const { text, toolUse, toolResult } = block;
  if (text !== undefined) return { text };
  if (toolUse) return { call: toolUse.toolUseId };
  if (toolResult) return { result: toolResult.toolUseId };
  const [kind = 'nothing'] = Object.keys(block);
  return kind === 'image' || kind === 'document' ? { media: kind } : { unknown: kind };
}

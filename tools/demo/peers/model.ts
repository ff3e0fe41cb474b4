import type { IncomingMessage, ServerResponse } from 'node:http';
import { vectorOf } from './embedding.ts';
import { readJson, sendJson } from './http.ts';
import { adviceOn, valueFor } from './topics.ts';

/** The key that the model takes; any other is refused, so that one can see what a wrong key looks like. */
export const MODEL_KEY = 'demo-key';
export const MODELS = { small: 'scripted-small', large: 'scripted-large', embedding: 'scripted-embedding' } as const;

interface ToolCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}
interface Message {
  role: string;
  content?: string | { type: string; text?: string }[] | null;
  tool_calls?: ToolCall[];
}
interface ChatRequest {
  model?: string;
  messages?: Message[];
  tools?: { function: { name: string } }[];
  response_format?: { type: string; json_schema?: { schema: object } };
}

/** Tools that the model calls one after another for a question, and what it gives them. */
const PLANS: readonly { pattern: RegExp; calls: readonly { tool: string; arguments: object }[] }[] = [
  {
    pattern: /restart/i,
    calls: [
      { tool: 'host_load', arguments: { host: 'web-1' } },
      { tool: 'search_incidents', arguments: { query: 'checkout' } },
      { tool: 'retrieve__Runbooks', arguments: { query: 'a service answers slowly or hangs' } },
      { tool: 'restart_service', arguments: { service: 'checkout' } },
    ],
  },
  {
    pattern: /disk/i,
    calls: [
      { tool: 'disk_usage', arguments: {} },
      { tool: 'host_load', arguments: { host: 'db-3' } },
      { tool: 'retrieve__Runbooks', arguments: { query: 'disk full' } },
    ],
  },
  { pattern: /incident/i, calls: [{ tool: 'search_incidents', arguments: { query: '' } }] },
];

const textOf = ({ content }: Message): string =>
  typeof content === 'string' ? content : (content ?? []).map(({ text = '' }) => text).join('\n');
const tokensOf = (text: string): number => Math.ceil(text.length / 4);

/** A server in OpenAI's dialect below `/v1`: chat with tools and JSON schemas, embeddings and the list of models. */
export async function answerModel(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await readJson(request);
  const refuse = (status: number, code: string, message: string) =>
    sendJson(response, status, { error: { message, type: code, param: null, code } });
  if (request.headers.authorization !== `Bearer ${MODEL_KEY}`) {
    return refuse(401, 'invalid_api_key', `Incorrect API key provided. The key of the demo is ${MODEL_KEY}.`);
  }
  const path = `${request.method} ${request.url}`;
  if (path === 'GET /v1/models') {
    const data = Object.values(MODELS).map((id) => ({ id, object: 'model', created: 1_700_000_000, owned_by: 'demo' }));
    return sendJson(response, 200, { object: 'list', data });
  }
  if (body.model === MODELS.large) {
    return refuse(
      429,
      'insufficient_quota',
      'You exceeded your current quota, please check your plan and billing details.',
    );
  }
  if (path === 'POST /v1/chat/completions') return sendJson(response, 200, completion(body as ChatRequest));
  if (path === 'POST /v1/embeddings') return sendJson(response, 200, embeddings(body));
  return refuse(404, 'unknown_url', `There is no ${path}`);
}

function completion({ model = MODELS.small, messages = [], tools = [], response_format: format }: ChatRequest) {
  const question = messages.findLast(({ role }) => role === 'user');
  const asked = question ? textOf(question) : '';
  const call = nextCall(asked, messages, tools);
  const schema = format?.json_schema?.schema;
  const content = call ? null : schema ? JSON.stringify(valueFor(schema, asked)) : reply(asked, messages);
  const prompt = messages.map((message) => tokensOf(textOf(message))).reduce((a, b) => a + b, 0);
  const output = tokensOf(content ?? JSON.stringify(call));
  return {
    id: `chatcmpl-${Date.now()}`,
    object: 'chat.completion',
    created: Math.floor(Date.now() / 1000),
    model,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content, ...(call ? { tool_calls: [call] } : {}) },
        finish_reason: call ? 'tool_calls' : 'stop',
      },
    ],
    usage: { prompt_tokens: prompt, completion_tokens: output, total_tokens: prompt + output },
  };
}

/** The first call of the question's plan that can be made and was not made yet. */
function nextCall(
  asked: string,
  messages: readonly Message[],
  tools: NonNullable<ChatRequest['tools']>,
): ToolCall | undefined {
  const since = messages.slice(messages.findLastIndex(({ role }) => role === 'user') + 1);
  const made = new Set(since.flatMap(({ tool_calls: calls = [] }) => calls.map((call) => call.function.name)));
  const names = tools.map((tool) => tool.function.name);
  for (const { tool, arguments: args } of PLANS.find(({ pattern }) => pattern.test(asked))?.calls ?? []) {
    const name = names.find((offered) => offered === tool || offered.endsWith(`__${tool}`));
    if (name === undefined || made.has(name)) continue;
    return { id: `call_${made.size + 1}`, type: 'function', function: { name, arguments: JSON.stringify(args) } };
  }
  return undefined;
}

/** Without results of tools advice, else what they said. */
function reply(asked: string, messages: readonly Message[]): string {
  const since = messages.slice(messages.findLastIndex(({ role }) => role === 'user') + 1);
  const results = since.filter(({ role }) => role === 'tool').map(textOf);
  if (results.length === 0) return adviceOn(asked);
  return ['This is what I found:', ...results.map((result) => `- ${proseOf(result)}`)].join('\n');
}

/** The passages of a retrieval, the rows of a search, or what another tool said. */
function proseOf(result: string): string {
  try {
    const { result: passages } = JSON.parse(result) as { result: { text: string }[] };
    return passages.map(({ text }) => text).join(' ');
  } catch {
    const [names = [], ...rows] = result
      .trim()
      .split('\n')
      .map((line) => line.split(','));
    if (rows.length === 0) return result.trim();
    return rows.map((row) => row.map((cell, index) => `${names[index]} ${cell}`).join(', ')).join('; ');
  }
}

function embeddings({ input, dimensions, model }: Record<string, unknown>) {
  const texts = [input].flat().map(String);
  const size = typeof dimensions === 'number' ? dimensions : undefined;
  const data = texts.map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text, size) }));
  const tokens = texts.map(tokensOf).reduce((a, b) => a + b, 0);
  return { object: 'list', data, model, usage: { prompt_tokens: tokens, total_tokens: tokens } };
}

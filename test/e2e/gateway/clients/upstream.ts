import { type Asked, type Scripted, type ScriptedProvider, startProvider } from '../../../support/peers/llm.ts';
import { completionOf } from '../gatewayPlatform.ts';

export interface OpenAiUpstream extends ScriptedProvider {
  /** Requests since the last call of this. */
  count(): number;
}

/** What the model `fail-<name>` answers. */
const FAILURES: Record<string, Scripted> = {
  key: { status: 401, body: { error: { message: 'Incorrect API key provided', code: 'invalid_api_key' } } },
  model: { status: 404, body: { error: { message: 'The model does not exist', code: 'model_not_found' } } },
  request: { status: 400, body: { error: { message: 'Not like this', type: 'invalid_request_error' } } },
  length: { status: 400, body: { error: { message: 'Too long', code: 'context_length_exceeded' } } },
  filter: { status: 400, body: { error: { message: 'Refused', code: 'content_filter' } } },
  limit: { status: 429, body: { error: { message: 'Slow down', code: 'rate_limit_exceeded' } } },
  quota: { status: 429, body: { error: { message: 'No credit', code: 'insufficient_quota' } } },
  error: { status: 500, body: { error: { message: 'Oops' } } },
  overload: { status: 503, body: { error: { message: 'Overloaded' } } },
};

/** An upstream in OpenAI's dialect that answers by what it is asked. */
export async function startOpenAiUpstream(): Promise<OpenAiUpstream> {
  let seen = 0;
  const provider = await startProvider(({ path, body }) => {
    const failure = FAILURES[String(body.model).replace(/^fail-/, '')];
    if (failure) return failure;
    return { status: 200, body: path.endsWith('/embeddings') ? embeddingsOf(body) : answerOf(body) };
  });
  return {
    ...provider,
    count() {
      const before = seen;
      seen = provider.asked.length;
      return seen - before;
    },
  };
}

type Body = Asked['body'];
interface Message {
  role: string;
  content: string | { type: string; text?: string; image_url?: { url: string } }[];
}

function answerOf(body: Body) {
  const messages = body.messages as Message[];
  const last = messages.at(-1) as Message;
  const text = typeof last.content === 'string' ? last.content : last.content.map(partText).join(' ');
  const tools = (body.tools ?? []) as { function: { name: string; parameters: Schema } }[];
  const mayCall = tools.length > 0 && last.role !== 'tool' && body.tool_choice !== 'none';
  if (!mayCall) return { ...completionOf(contentOf(body, messages, text)), ...logprobsOf(body) };
  const named = (body.tool_choice as { function?: { name: string } } | undefined)?.function?.name;
  const calls = tools
    .filter(({ function: { name } }) => named === undefined || name === named)
    .map(({ function: { name, parameters } }, index) => ({
      id: `call_${index + 1}`,
      type: 'function',
      function: { name, arguments: JSON.stringify(exampleOf(parameters, text)) },
    }));
  const message = { role: 'assistant', content: null, tool_calls: calls };
  return { ...completionOf(''), choices: [{ index: 0, message, finish_reason: 'tool_calls' }] };
}

function contentOf({ response_format: format }: Body, messages: Message[], text: string): string {
  const { type, json_schema: named } = (format ?? {}) as { type?: string; json_schema?: { schema: Schema } };
  if (type === 'json_object') return '{"setup":"a","punchline":"b"}';
  if (type !== 'json_schema') return `${messages.map(({ role }) => role).join(',')}: ${text}`;
  const isWrong = JSON.stringify(messages).includes('wrong');
  return isWrong ? '{"n":"one"}' : JSON.stringify(exampleOf(named?.schema ?? {}, text));
}

interface Schema {
  type?: string;
  properties?: Record<string, Schema>;
  anyOf?: Schema[];
}

/** A value of a schema; texts are what the prompt quotes. */
function exampleOf({ type, properties, anyOf }: Schema, prompt: string): unknown {
  if (anyOf) return exampleOf(anyOf[0] ?? {}, prompt);
  if (type === 'integer' || type === 'number') return 3;
  if (type === 'string') return /'(.+?)'/.exec(prompt)?.[1] ?? 'Zürich';
  return Object.fromEntries(Object.entries(properties ?? {}).map(([name, one]) => [name, exampleOf(one, prompt)]));
}

const partText = ({ text, image_url: image }: Exclude<Message['content'], string>[number]): string =>
  text ?? `image ${image?.url}`;

function logprobsOf({ logprobs }: Body) {
  if (logprobs !== true) return {};
  const message = { role: 'assistant', content: 'ok' };
  const content = [{ token: 'ok', logprob: -0.5, bytes: [111, 107], top_logprobs: [] }];
  return { choices: [{ index: 0, message, finish_reason: 'stop', logprobs: { content, refusal: null } }] };
}

function embeddingsOf({ input, dimensions = 3, encoding_format: format }: Body) {
  const isTokens = Array.isArray(input) && input.every(Number.isInteger);
  const inputs = isTokens ? [input] : [input].flat();
  const data = inputs.map((one, index) => {
    const vector = Array.from({ length: Number(dimensions) }, (_, at) => String(one).length + at / 4);
    const bytes = Buffer.from(new Float32Array(vector).buffer);
    return { object: 'embedding', index, embedding: format === 'base64' ? bytes.toString('base64') : vector };
  });
  return { object: 'list', model: 'm', data, usage: { prompt_tokens: 5, total_tokens: 5 } };
}

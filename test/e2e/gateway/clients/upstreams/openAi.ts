import { type Asked, type Scripted, type ScriptedProvider, startProvider } from '../../../../support/peers/llm.ts';
import { completionOf } from '../../gatewayPlatform.ts';
import { answerTo } from './answers.ts';
import type { Question, Schema } from './question.ts';
import { PROMPTS } from './session.ts';

export interface OpenAiUpstream extends ScriptedProvider {
  /** Requests since the last call of this. */
  count(): number;
}

const failure = (status: number, message: string, code?: string, type = 'invalid_request_error'): Scripted => ({
  status,
  body: { error: { message, type, param: null, code: code ?? null } },
});

const OVERLOADED = failure(503, 'The engine is currently overloaded', undefined, 'server_error');

/** What the model `fail-<name>` answers, in OpenAI's words, which LiteLLM looks for. */
const FAILURES: Record<string, Scripted> = {
  key: failure(401, 'Incorrect API key provided', 'invalid_api_key'),
  model: failure(404, 'The model does not exist', 'model_not_found'),
  request: failure(400, 'Not like this'),
  length: failure(400, "This model's maximum context length is 8192 tokens.", 'context_length_exceeded'),
  filter: failure(400, 'Your request was rejected as a result of our safety system.', 'content_policy_violation'),
  limit: failure(429, 'Rate limit reached for requests', 'rate_limit_exceeded', 'requests'),
  quota: failure(429, 'You exceeded your current quota.', 'insufficient_quota', 'insufficient_quota'),
  error: failure(500, 'The server had an error', undefined, 'server_error'),
  overload: OVERLOADED,
};
export const FAILING = Object.keys(FAILURES).map((name) => `fail-${name}`);

/** An upstream in OpenAI's dialect that answers by what it is asked. */
export async function startOpenAiUpstream(): Promise<OpenAiUpstream> {
  let seen = 0;
  const provider = await startProvider(({ path, body }) => {
    const failure = FAILURES[String(body.model).replace(/^fail-/, '')];
    if (failure) return failure;
    if (JSON.stringify(body).includes(PROMPTS.overload)) return OVERLOADED;
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
interface Tool {
  function: { name: string; parameters: Schema };
}

function answerOf(body: Body) {
  const answer = answerTo(questionOf(body));
  if ('text' in answer && answer.finish === 'content_filter') return saying({ content: null, refusal: answer.text });
  if ('text' in answer && answer.finish === 'length') return saying({ content: answer.text }, 'length');
  if ('text' in answer) return { ...completionOf(answer.text), ...logprobsOf(body) };
  // Some clients refuse an id for a second call.
  const before = (body.messages as Message[]).filter(({ role }) => role === 'tool').length;
  const calls = answer.calls.map(({ name, arguments: values }, index) => ({
    id: `call_${before + index + 1}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(values) },
  }));
  return saying({ content: null, tool_calls: calls }, 'tool_calls');
}

const saying = (message: object, reason = 'stop') => ({
  ...completionOf(''),
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: reason }],
});

function questionOf({ messages, tools, tool_choice: choice, response_format: format }: Body): Question {
  const { type, json_schema: named } = (format ?? {}) as { type?: string; json_schema?: { schema: Schema } };
  const chosen = choice as string | { function: { name: string } } | undefined;
  return {
    messages: (messages as Message[]).map(({ role, content }) => ({
      role,
      text: typeof content === 'string' || !content ? (content ?? '') : content.map(partText).join(' '),
    })),
    tools: ((tools ?? []) as Tool[]).map(({ function: { name, parameters: schema } }) => ({ name, schema })),
    choice: typeof chosen === 'object' ? chosen.function.name : chosen,
    format: type === 'json_object' ? 'json' : named?.schema,
  };
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

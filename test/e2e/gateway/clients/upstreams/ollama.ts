import type { Asked } from '../../../../support/peers/llm.ts';
import type { Schema } from './question.ts';
import { isToolName, problemsOf } from './turns.ts';
import { vectorOf, type WireFormat } from './wireFormat.ts';

interface Chat {
  messages: Message[];
  tools?: { type: string; function: { name: string; parameters: Schema } }[];
  format?: Schema | 'json';
  stream: boolean;
  truncate: boolean;
  shift: boolean;
}
interface Message {
  role: string;
  content: string;
  images?: string[];
  tool_name?: string;
  tool_calls?: { function: { name: string; arguments: unknown } }[];
}

const FIELDS = [
  'model',
  'messages',
  'stream',
  'options',
  'tools',
  'format',
  'think',
  'truncate',
  'shift',
  'keep_alive',
];
const OPTIONS = ['num_predict', 'temperature', 'top_p', 'stop', 'seed', 'frequency_penalty', 'presence_penalty'];
const MESSAGE = ['role', 'content', 'images', 'tool_name', 'tool_calls'];

/** Ollama's own API, which ignores fields that it does not know. */
export const ollama: WireFormat = {
  service: 'Local_Runtime',
  model: 'qwen3:4b',
  embedder: 'nomic-embed-text',
  settings: {},
  question(body) {
    const { tools = [], format } = body as unknown as Chat;
    return {
      tools: tools.map(({ function: { name, parameters: schema } }) => ({ name, schema })),
      choice: undefined,
      format,
    };
  },
  problems,
  overloaded: { status: 503, body: { error: 'server busy, please try again.' } },
  cut: (body) => ({ ...body, done_reason: 'length' }),
  refusal: (error) => ({ status: 400, body: { error } }),
  embeddings({ path, body }) {
    if (path !== '/api/embed') return undefined;
    const { model, input, truncate, dimensions, ...unknown } = body;
    const texts = input as string[];
    const problems = problemsOf({
      [`unknown fields ${Object.keys(unknown)}`]: Object.keys(unknown).length > 0,
      'texts may be cut': truncate !== false,
      'blank text': texts.some((text) => text === ''),
    });
    const embeddings = texts.map((text) => vectorOf(text, Number(dimensions ?? 3)));
    return { problems, vectors: { status: 200, body: { model, embeddings, prompt_eval_count: 5 } } };
  },
};

const beyond = (known: readonly string[], value: object = {}): boolean =>
  !Object.keys(value).every((field) => known.includes(field));

function problems({ body }: Asked): string[] {
  const { messages, tools = [], stream, truncate, shift } = body as unknown as Chat;
  const calls = messages.flatMap(({ tool_calls = [] }) => tool_calls);
  return problemsOf({
    'unknown fields': beyond(FIELDS, body),
    'unknown options': beyond(OPTIONS, body.options as object),
    'unknown fields of a message': messages.some((message) => beyond(MESSAGE, message)),
    'unknown role': !messages.every(({ role }) => ['system', 'user', 'assistant', 'tool'].includes(role)),
    'content is no text': !messages.every(({ content }) => typeof content === 'string'),
    'image with its type': messages.some(({ images = [] }) =>
      images.some((image) => !/^[A-Za-z0-9+/]+=*$/.test(image)),
    ),
    'arguments are no object': calls.some(({ function: { arguments: values } }) => typeof values !== 'object'),
    'result of a tool that was not called': messages.some(
      ({ role, tool_name: name }) => role === 'tool' && !calls.some((call) => call.function.name === name),
    ),
    'name of a tool': !tools.every(({ type, function: { name } }) => type === 'function' && isToolName(name)),
    'streams, or cuts the prompt': stream || truncate || shift,
  });
}

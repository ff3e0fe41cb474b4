import type { Json } from '../../../src/contract/basics.ts';

/** The planted texts of a request, by their place. */
export interface PlantedTexts {
  system: string;
  document: string;
  args: string;
  result: string;
  question: string;
  /** Nobody but people reads it. */
  thought: string;
  /** Names the caller. */
  hint: string;
}

interface Said {
  text: string;
  args: string;
  thought: string;
  ml: Json;
}

interface RequestOptions {
  /** Whether the document is a file, and the result has an image. */
  isFile: boolean;
  isStructured: boolean;
  schema: Json;
}

/** A form in which a chat is asked for. */
interface Shape {
  path: string;
  request(texts: PlantedTexts, options: RequestOptions): Json;
  read(answer: Json): Said;
  readEvents(events: readonly Json[]): Said;
}

const NAME = 'lookup';
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const PARAMETERS = {
  type: 'object',
  properties: { about: { type: 'string', maxLength: 10 } },
  required: ['about'],
};
const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');
const dataUrl = (text: string): string => `data:text/plain;base64,${base64(text)}`;
const listOf = (value: unknown): Json[] => (value ?? []) as Json[];
const objectOf = (value: unknown): Json => (value ?? {}) as Json;

/** The texts of the members of these objects, in order. */
const joined = (objects: readonly Json[], member: string): string =>
  objects.map((object) => String(object[member] ?? '')).join('');

const ofType = (objects: readonly Json[], type: string): Json[] => objects.filter((object) => object.type === type);

const chat: Shape = {
  path: 'chat/completions',
  request: ({ system, document, args, result, question, thought, hint }, { isFile, isStructured, schema }) => ({
    messages: [
      { role: 'system', content: system },
      {
        role: 'user',
        content: [
          isFile
            ? { type: 'file', file: { filename: 'a.txt', file_data: dataUrl(document) } }
            : { type: 'text', text: document },
        ],
      },
      {
        role: 'assistant',
        content: '',
        reasoning_content: thought,
        tool_calls: [
          { id: 'call-1', type: 'function', function: { name: NAME, arguments: JSON.stringify({ about: args }) } },
        ],
      },
      { role: 'tool', tool_call_id: 'call-1', content: result },
      { role: 'user', content: question },
    ],
    user: hint,
    tools: [{ type: 'function', function: { name: NAME, parameters: PARAMETERS } }],
    ...(isStructured ? { response_format: { type: 'json_schema', json_schema: { name: 'answer', schema } } } : {}),
  }),
  read: ({ choices, ml }) =>
    chatSaid(
      listOf(choices).map(({ message }) => objectOf(message)),
      objectOf(ml),
    ),
  readEvents: (events) =>
    chatSaid(
      events.flatMap(({ choices }) => listOf(choices).map(({ delta }) => objectOf(delta))),
      objectOf(events.find(({ ml }) => ml)?.ml),
    ),
};

function chatSaid(messages: readonly Json[], ml: Json): Said {
  const calls = messages.flatMap(({ tool_calls: list }) => listOf(list).map((call) => objectOf(call.function)));
  return {
    text: joined(messages, 'content'),
    args: joined(calls, 'arguments'),
    thought: joined(messages, 'reasoning_content'),
    ml,
  };
}

const responses: Shape = {
  path: 'responses',
  request: ({ system, document, args, result, question, thought, hint }, { isFile, isStructured, schema }) => ({
    instructions: system,
    input: [
      {
        role: 'user',
        content: [
          isFile
            ? { type: 'input_file', filename: 'a.txt', file_data: dataUrl(document) }
            : { type: 'input_text', text: document },
        ],
      },
      { type: 'reasoning', summary: [{ type: 'summary_text', text: thought }], encrypted_content: null },
      { type: 'function_call', call_id: 'call-1', name: NAME, arguments: JSON.stringify({ about: args }) },
      {
        type: 'function_call_output',
        call_id: 'call-1',
        output: [
          ...result.split('\n').map((text) => ({ type: 'input_text', text })),
          ...(isFile ? [{ type: 'input_image', image_url: `data:image/png;base64,${PIXEL}` }] : []),
        ],
      },
      { role: 'user', content: [{ type: 'input_text', text: question }] },
    ],
    metadata: { owner: hint },
    user: hint,
    safety_identifier: hint,
    prompt_cache_key: hint,
    tools: [{ type: 'function', name: NAME, parameters: PARAMETERS }],
    ...(isStructured ? { text: { format: { type: 'json_schema', name: 'answer', schema } } } : {}),
  }),
  read({ output, ml }) {
    const items = listOf(output);
    const parts = (member: string) => items.flatMap((item) => listOf(item[member]));
    return {
      text: joined(ofType(parts('content'), 'output_text'), 'text'),
      args: joined(ofType(items, 'function_call'), 'arguments'),
      thought: joined(parts('summary'), 'text'),
      ml: objectOf(ml),
    };
  },
  readEvents(events) {
    const deltas = (kind: string) => joined(ofType(events, `response.${kind}.delta`), 'delta');
    return {
      text: deltas('output_text'),
      args: deltas('function_call_arguments'),
      thought: deltas('reasoning_summary_text'),
      ml: objectOf(objectOf(events.at(-1)?.response).ml),
    };
  },
};

const messages: Shape = {
  path: 'messages',
  request: ({ system, document, args, result, question, thought, hint }, { isFile, isStructured, schema }) => ({
    max_tokens: 100,
    system: system.split('\n').map((text) => ({ type: 'text', text })),
    messages: [
      {
        role: 'user',
        content: [
          {
            type: 'document',
            source: isFile
              ? { type: 'text', media_type: 'text/plain', data: document }
              : { type: 'content', content: [{ type: 'text', text: document }] },
          },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: thought },
          { type: 'tool_use', id: 'call-1', name: NAME, input: { about: args } },
        ],
      },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'call-1',
            content: [
              ...result.split('\n').map((text) => ({ type: 'text', text })),
              ...(isFile ? [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } }] : []),
            ],
          },
          { type: 'text', text: question },
        ],
      },
    ],
    metadata: { user_id: hint },
    thinking: { type: 'adaptive' },
    tools: [{ name: NAME, input_schema: PARAMETERS }],
    ...(isStructured ? { output_config: { format: { type: 'json_schema', schema } } } : {}),
  }),
  read({ content, ml }) {
    const blocks = listOf(content);
    return {
      text: joined(ofType(blocks, 'text'), 'text'),
      args: ofType(blocks, 'tool_use')
        .map(({ input }) => JSON.stringify(input))
        .join(''),
      thought: joined(ofType(blocks, 'thinking'), 'thinking'),
      ml: objectOf(ml),
    };
  },
  readEvents(events) {
    const deltas = ofType(events, 'content_block_delta').map(({ delta }) => objectOf(delta));
    return {
      text: joined(ofType(deltas, 'text_delta'), 'text'),
      args: joined(ofType(deltas, 'input_json_delta'), 'partial_json'),
      thought: joined(ofType(deltas, 'thinking_delta'), 'thinking'),
      ml: objectOf(events.find(({ ml }) => ml)?.ml),
    };
  },
};

export const SHAPES = { chat, responses, messages };

/** The data of an event stream. */
export const eventsOf = (stream: string): Json[] =>
  [...stream.matchAll(/^data: (\{.*)$/gm)].map(([, data]) => JSON.parse(String(data)));

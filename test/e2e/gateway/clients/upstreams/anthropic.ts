import type { Asked } from '../../../../support/peers/llm.ts';
import type { Schema } from './question.ts';
import { type Block, isToolName, problemsOf, type Turn, turnProblems } from './turns.ts';
import type { WireFormat } from './wireFormat.ts';

interface Messages {
  max_tokens: number;
  system?: { text: string }[];
  messages: { role: string; content: string | WireBlock[] }[];
  tools?: { name: string; description?: string; input_schema: Schema }[];
  tool_choice?: { type: string; name?: string };
  output_config?: { format?: { schema: Schema } };
  temperature?: number;
  top_p?: number;
  stop_sequences?: string[];
}
interface WireBlock {
  type: string;
  text?: string;
  id?: string;
  tool_use_id?: string;
}

/** Anthropic's Messages API. */
export const anthropic: WireFormat = {
  service: 'Assistant_Family',
  model: 'claude-sonnet-4-6',
  settings: { access_token: 'sk-ant-of-a-test' },
  question(body) {
    const { tools = [], tool_choice: choice, output_config: config } = body as unknown as Messages;
    return {
      tools: tools.map(({ name, input_schema: schema }) => ({ name, schema })),
      choice: choice?.name ?? choice?.type,
      format: config?.format?.schema,
    };
  },
  problems,
  overloaded: {
    status: 529,
    body: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' }, request_id: 'req_2' },
  },
  filtered: 'refusal',
  refusal: (message) => ({
    status: 400,
    body: { type: 'error', error: { type: 'invalid_request_error', message }, request_id: 'req_1' },
  }),
};

function problems({ headers, body }: Asked): string[] {
  const { messages, system = [], tools = [], ...rest } = body as unknown as Messages;
  const blocks = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content));
  const ids = blocks.flatMap(({ id, tool_use_id: used }) => [id, used]).filter((id) => id !== undefined);
  return [
    ...turnProblems(messages.map(toTurn)),
    ...problemsOf({
      'unknown role': !messages.every(({ role }) => role === 'user' || role === 'assistant'),
      'no key': headers['x-api-key'] !== 'sk-ant-of-a-test',
      'no version': headers['anthropic-version'] === undefined,
      'no max_tokens': !(rest.max_tokens >= 1),
      'blank system text': system.some(({ text }) => text.trim() === ''),
      'id of a call': !ids.every((id) => /^[a-zA-Z0-9_-]+$/.test(id)),
      'name of a tool': !tools.every(({ name }) => isToolName(name)),
      'tools of one name': new Set(tools.map(({ name }) => name)).size < tools.length,
      'input_schema is no object': tools.some(({ input_schema: schema }) => schema?.type !== 'object'),
      'tool_choice without tools': rest.tool_choice !== undefined && tools.length === 0,
      'calls without tools': ids.length > 0 && tools.length === 0,
      'temperature beyond its range': rest.temperature !== undefined && (rest.temperature < 0 || rest.temperature > 1),
      'temperature beside top_p': rest.temperature !== undefined && rest.top_p !== undefined,
      'blank stop sequence': rest.stop_sequences?.some((text) => text.trim() === '') ?? false,
    }),
  ];
}

function toTurn({ role, content }: Messages['messages'][number]): Turn {
  // Its own reasoning, which aimock checks.
  const isSaid = ({ type }: WireBlock) => type !== 'thinking';
  const blocks = typeof content === 'string' ? [{ text: content }] : content.filter(isSaid).map(toBlock);
  return { role: role === 'assistant' ? 'model' : 'user', blocks };
}

function toBlock({ type, text = '', id = '', tool_use_id: used = '' }: WireBlock): Block {
  if (type === 'text') return { text };
  if (type === 'tool_use') return { call: id };
  if (type === 'tool_result') return { result: used };
  return type === 'image' || type === 'document' ? { media: type } : { unknown: type };
}

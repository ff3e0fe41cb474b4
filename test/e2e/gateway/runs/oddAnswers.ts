import type { ServerResponse } from 'node:http';

/** Models that do what no tool, run or client expects, in two dialects. */

export const NAME = 'Desk__look';
export const TOKENS = { input: 7, output: 2 };
const LARGE = JSON.stringify({ host: 'x'.repeat(1024 * 1024) });

/** What a model does in a turn. */
type Said =
  | string
  | { calls: { name?: string; args: string }[] }
  | { filtered: string }
  | { limited: string | undefined }
  | 'cut';

const look = (host: string, name = NAME) => ({ name, args: JSON.stringify({ host }) });
const inSeconds = (s: number) => new Date(Date.now() + 1000 * s).toUTCString();

/** What each model says, by the number of its answers before. */
export const MODELS: Record<string, (turn: number, asked: number) => Said> = {
  unknown: (turn) => (turn === 0 ? { calls: [look('a', 'Desk__none')] } : 'sorry'),
  'no-json': (turn) => (turn === 0 ? { calls: [{ args: '"host' }] } : 'sorry'),
  unfit: (turn) => (turn === 0 ? { calls: [{ args: '{"host":1}' }] } : 'sorry'),
  same: () => ({ calls: [{ args: '{"host":1}' }] }),
  endless: (turn) => ({ calls: [look(`host-${turn}`)] }),
  eight: (turn) => (turn === 0 ? { calls: Array.from({ length: 8 }, (_, n) => look(`host-${n}`)) } : 'seen'),
  large: (turn) => (turn === 0 ? { calls: [{ args: LARGE }] } : 'sorry'),
  filtered: () => ({ filtered: 'I cannot' }),
  'filtered-later': (turn) => (turn === 0 ? { calls: [look('a')] } : { filtered: '' }),
  limited: () => ({ limited: '60' }),
  'limited-until': () => ({ limited: inSeconds(50) }),
  'limited-briefly': (_turn, asked) => (asked === 0 ? { limited: '1' } : 'after all'),
  'limited-briefly-until': (_turn, asked) => (asked === 0 ? { limited: inSeconds(2) } : 'after all'),
  'limited-for-ever': () => ({ limited: undefined }),
  cut: () => 'cut',
  nothing: () => '',
};

export interface Dialect {
  service: string;
  endpoint: string;
  /** How often the model of this conversation has answered before. */
  turns(body: Body): number;
  answer(said: Exclude<Said, 'cut' | { limited: unknown }>): object;
  refusal: object;
}
export interface Body {
  model: string;
  messages: { role: string; content: unknown; tool_call_id?: string }[];
}

const turns = ({ messages }: Body) => messages.filter(({ role }) => role === 'assistant').length;

export const DIALECTS: Record<string, Dialect> = {
  openai: {
    ...{ service: 'General_Chat', endpoint: '/v1', turns },
    answer(said) {
      const calls = typeof said === 'object' && 'calls' in said ? said.calls : [];
      const isFiltered = typeof said === 'object' && 'filtered' in said;
      const content = typeof said === 'string' ? said : isFiltered ? said.filtered : null;
      const made = calls.map(({ name = NAME, args }, n) => ({
        ...{ id: `call_${n}`, type: 'function', function: { name, arguments: args } },
      }));
      const message = { role: 'assistant', content, ...(made.length > 0 ? { tool_calls: made } : {}) };
      const reason = isFiltered ? 'content_filter' : made.length > 0 ? 'tool_calls' : 'stop';
      const usage = { prompt_tokens: TOKENS.input, completion_tokens: TOKENS.output };
      return { object: 'chat.completion', choices: [{ index: 0, message, finish_reason: reason }], usage };
    },
    refusal: { error: { message: 'Too many requests', type: 'requests', code: 'rate_limit_exceeded' } },
  },
  anthropic: {
    ...{ service: 'Assistant_Family', endpoint: '', turns },
    answer(said) {
      const calls = typeof said === 'object' && 'calls' in said ? said.calls : [];
      const isFiltered = typeof said === 'object' && 'filtered' in said;
      const text = typeof said === 'string' ? said : isFiltered ? said.filtered : '';
      const content = [
        ...(text === '' ? [] : [{ type: 'text', text }]),
        ...calls.map(({ name = NAME, args }, n) => ({
          type: 'tool_use',
          id: `toolu_${n}`,
          name,
          input: inputOf(args),
        })),
      ];
      const stop_reason = isFiltered ? 'refusal' : calls.length > 0 ? 'tool_use' : 'end_turn';
      const usage = { input_tokens: TOKENS.input, output_tokens: TOKENS.output };
      return { type: 'message', role: 'assistant', content, stop_reason, usage };
    },
    refusal: { type: 'error', error: { type: 'rate_limit_error', message: 'Too many requests' } },
  },
};

/** Arguments are a value of JSON there, if not always an object. */
function inputOf(args: string): unknown {
  try {
    return JSON.parse(args);
  } catch {
    return args;
  }
}

/** The connection breaks off in the middle of an answer. */
export function cutAnswer(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1000 });
  response.write('{"id": "1", "cho');
  setImmediate(() => response.destroy());
}

import { configure, gatewayPlatform, MOUNT } from '../../test/e2e/gateway/gatewayPlatform.ts';
import { expectStatus, type TestPlatform } from '../../test/support/e2e/platform.ts';
import type { Bench } from '../bench.ts';
import { startUpstream } from './chats.ts';

/** Of each API. */
const RUNS = 300;
const WARM_UP = 150;
const TURNS = 12;
const TOOLS = 12;

interface Turn {
  id: string;
  question: string;
  args: { host: string; limit: number };
  result: string;
}

/** About 20 KB with the tools, as a client sends it in the middle of its work. */
const turns = Array.from({ length: TURNS }, (_, n): Turn => {
  const line = (row: number) => `2026-11-${10 + n}T09:${10 + row}:00Z host-${n} app[${row * 31}]: took ${row} ms`;
  const result = Array.from({ length: 20 }, (__, row) => line(row)).join('\n');
  return { id: `call_${n}`, question: `Why is host-${n} slow?`, args: { host: `host-${n}`, limit: 20 }, result };
});
const LAST = 'What do they have in common?';
const SYSTEM = 'Answer briefly, and name the lines of the log that show it. '.repeat(10);
const tools = Array.from({ length: TOOLS }, (_, n) => ({
  name: `look_${n}`,
  description: `Reads the last lines of log ${n} of a host, the newest first, up to a limit. `.repeat(2),
  parameters: {
    type: 'object',
    properties: {
      host: { type: 'string', description: 'Name of the host' },
      limit: { type: 'integer', description: 'At most so many lines' },
    },
    required: ['host'],
  },
}));
const NAME = 'look_0';

const chatBody = {
  messages: [
    { role: 'system', content: SYSTEM },
    ...turns.flatMap(({ id, question, args, result }) => [
      { role: 'user', content: question },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id, type: 'function', function: { name: NAME, arguments: JSON.stringify(args) } }],
      },
      { role: 'tool', tool_call_id: id, content: result },
    ]),
    { role: 'user', content: LAST },
  ],
  tools: tools.map((tool) => ({ type: 'function', function: tool })),
  max_tokens: 1000,
};

const responsesBody = {
  instructions: SYSTEM,
  input: [
    ...turns.flatMap(({ id, question, args, result }) => [
      { role: 'user', content: [{ type: 'input_text', text: question }] },
      { type: 'function_call', call_id: id, name: NAME, arguments: JSON.stringify(args) },
      { type: 'function_call_output', call_id: id, output: result },
    ]),
    { role: 'user', content: [{ type: 'input_text', text: LAST }] },
  ],
  tools: tools.map((tool) => ({ type: 'function', ...tool, strict: false })),
  max_output_tokens: 1000,
};

const messagesBody = {
  system: SYSTEM,
  messages: [
    ...turns.flatMap(({ id, question, args, result }) => [
      { role: 'user', content: [{ type: 'text', text: question }] },
      { role: 'assistant', content: [{ type: 'tool_use', id, name: NAME, input: args }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: result }] },
    ]),
    { role: 'user', content: [{ type: 'text', text: LAST }] },
  ],
  tools: tools.map(({ parameters, ...tool }) => ({ ...tool, input_schema: parameters })),
  max_tokens: 1000,
};

const APIS = {
  Chat: { path: 'chat/completions', body: chatBody },
  Responses: { path: 'responses', body: responsesBody },
  Messages: { path: 'messages', body: messagesBody },
} as const;
type Api = keyof typeof APIS;

/** One conversation in the form of each API, beside the same chat. */
export async function apis(bench: Bench): Promise<void> {
  const upstream = await startUpstream();
  const platform = await gatewayPlatform({ ML_TLS: '0' });
  try {
    await configure(platform, 'up', upstream.url);
    let measured: ReturnType<typeof added> | undefined;
    const measure = (runs: number) => {
      measured ??= added(platform, runs);
      return measured;
    };
    for (const api of ['Responses', 'Messages'] as const) {
      const what = `time that the gateway adds to 20 KB in ${api}, p50`;
      const figures = { ours: 'p50', base: 'p50' } as const;
      const limits = { aim: 1.1, keep: 1.25 };
      await bench.row({ what, against: 'the same as a chat', unit: 'ms', figures, ...limits }, RUNS, async (runs) => {
        const times = await measure(runs);
        return { ours: times[api], base: times.Chat };
      });
    }
  } finally {
    await platform.dispose();
    await upstream.close();
  }
}

/** All take turns. Code that just started is slower, and the first ones do not count. */
async function added(platform: TestPlatform, runs: number): Promise<Record<Api, number[]>> {
  const times: Record<Api, number[]> = { Chat: [], Responses: [], Messages: [] };
  for (let run = -WARM_UP; run < runs; run++) {
    for (const api of Object.keys(times) as Api[]) {
      const time = await addedBy(platform, api);
      if (run >= 0) times[api].push(time);
    }
  }
  return times;
}

/** What the app itself says that it took, without the upstream. */
async function addedBy(platform: TestPlatform, api: Api): Promise<number> {
  const { path, body } = APIS[api];
  const reply = await platform.call('anna', 'POST', `${MOUNT}/v1/${path}`, { model: 'up/m', ...body });
  expectStatus(reply, 200, api);
  return Number(reply.headers['x-ml-overhead-ms']);
}

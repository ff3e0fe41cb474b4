import { expect } from 'chai';
import type { Json } from '../../../src/contract/basics.ts';
import type { MemoryApp } from '../../support/memory/app.ts';
import { ask, gatewayApp } from '../gatewayApp.ts';
import { ANSWERS, mask, recorder, type Service } from './services.ts';

const SERVICES = Object.keys(ANSWERS) as Service[];
const wordsOf = (value: unknown): string[] =>
  typeof value === 'string'
    ? (value.match(/\w{3,}/g) ?? [])
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(wordsOf)
      : [];

const CALL = { id: 'c1', type: 'function', function: { name: 'lookup', arguments: '{"q":"1"}' } };
const TOOL = {
  type: 'function',
  function: { name: 'lookup', parameters: { type: 'object', properties: { q: { type: 'string' } } } },
};
const MARK = { type: 'ephemeral', ttl: '1h' };
const SCHEMA = {
  type: 'json_schema',
  json_schema: { name: 'row', schema: { type: 'object', required: ['q'], properties: { q: { type: 'string' } } } },
};
const HISTORY = [
  { role: 'assistant', content: '1' },
  { role: 'user', content: '2' },
  { role: 'assistant', content: '', tool_calls: [CALL] },
  { role: 'tool', tool_call_id: 'c1', content: '3' },
];
const PDF = 'data:application/pdf;base64,JVBERi0=';
const PNG = 'data:image/png;base64,iVBORw0KGgo=';
const CHATS: Record<string, Json> = {
  begun: { messages: HISTORY },
  object: { messages: [{ role: 'user', content: '1' }], response_format: { type: 'json_object' } },
  schema: { messages: [{ role: 'user', content: '1' }], response_format: SCHEMA, reasoning_effort: 'high' },
  none: { messages: HISTORY, tools: [TOOL], tool_choice: 'none' },
  chosen: { messages: HISTORY, tools: [TOOL], tool_choice: { type: 'function', function: { name: 'lookup' } } },
  required: { messages: HISTORY, tools: [TOOL], tool_choice: 'required', parallel_tool_calls: false },
  effort: {
    messages: [{ role: 'user', content: '1' }],
    reasoning_effort: 'high',
    verbosity: 'low',
    service_tier: 'flex',
  },
  image: { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: PNG, detail: 'low' } }] }] },
  results: {
    messages: [
      ...HISTORY.slice(0, -1),
      {
        role: 'tool',
        tool_call_id: 'c1',
        content: [
          { type: 'image_url', image_url: { url: PNG } },
          { type: 'file', file: { filename: '1.pdf', file_data: PDF } },
        ],
      },
    ],
  },
  cached: {
    messages: HISTORY.map((message) => ({ ...message, cache_control: MARK })),
    tools: [{ ...TOOL, cache_control: MARK }],
    top_k: 5,
    stop: ['4'],
    drop_unsupported: true,
  },
  pdf: {
    messages: [
      {
        role: 'user',
        content: [{ type: 'file', file: { filename: '1.pdf', file_data: PDF } }],
      },
    ],
  },
};

describe('masked values that are words of a dialect', () => {
  let app: MemoryApp;
  beforeEach(async () => {
    app = await gatewayApp();
    mask(app, [{ kinds: { field: 'mask' }, fields: ['w'] }]);
  });

  for (const service of SERVICES) {
    for (const [name, chat] of Object.entries(CHATS)) {
      it(`do not keep ${service} from a chat: ${name}`, async () => {
        const { reference, bodies } = await recorder(app, service, () => ({ text: '{"q":"ok"}' }));
        const send = (more: Json) => ask(app, { ...chat, drop_unsupported: true, ...more, model: reference });
        mask(app, []);
        const first = await send({});
        expect(first.status, JSON.stringify(first.json)).to.equal(200);
        const words = [...new Set(bodies.flatMap((body) => wordsOf(JSON.parse(body))))];
        mask(app, [{ kinds: { field: 'mask' }, fields: ['w'] }]);
        const failed: string[] = [];
        for (const word of words) {
          const { status, json } = await send({
            row: { w: word },
            messages: [{ role: 'system', content: `See ${word}` }, ...(chat.messages as Json[])],
          });
          if (status !== 200) failed.push(`${word}: ${json.error_code ?? JSON.stringify(json).slice(0, 90)}`);
        }
        expect(failed).to.deep.equal([]);
      });
    }
  }
});

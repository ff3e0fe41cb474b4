import { expect } from 'chai';
import type { Json } from '../../../src/contract/basics.ts';
import type { MemoryApp } from '../../support/memory/app.ts';
import { gatewayApp } from '../gatewayApp.ts';
import { mask, recorder, type Service, SIGNATURE, VALUES } from './services.ts';

const QUESTION = { role: 'user', content: `Look at ${VALUES.host}` };
const PARAMETERS = { type: 'object', properties: { about: { type: 'string' } } };

/** The parts of a conversation that differ between the APIs. */
interface Api {
  path: string;
  first: Json;
  /** The next turn, with what the client got and the result of the call. */
  next(answer: Json, result: string): Json;
  /** The thoughts of an answer, as its client sees them. */
  shown(answer: Json): unknown;
  envelope(answer: Json): string;
}

const listOf = (value: unknown): Json[] => value as Json[];

const responses: Api = {
  path: 'responses',
  first: { input: [QUESTION], tools: [{ type: 'function', name: 'lookup', parameters: PARAMETERS }] },
  next: ({ output }, result) => ({
    input: [
      QUESTION,
      ...listOf(output),
      { type: 'function_call_output', call_id: listOf(output).at(-1)?.call_id, output: result },
    ],
  }),
  shown: ({ output }) => listOf(listOf(output)[0]?.summary)[0]?.text,
  envelope: ({ output }) => String(listOf(output)[0]?.encrypted_content),
};

const messages: Api = {
  path: 'messages',
  first: {
    max_tokens: 100,
    thinking: { type: 'adaptive' },
    messages: [QUESTION],
    tools: [{ name: 'lookup', input_schema: PARAMETERS }],
  },
  next: ({ content }, result) => ({
    messages: [
      QUESTION,
      { role: 'assistant', content },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: listOf(content).at(-1)?.id, content: result }],
      },
    ],
  }),
  shown: ({ content }) => listOf(content)[0]?.thinking,
  envelope: ({ content }) => String(listOf(content)[0]?.signature),
};

/** What a provider gets back of its thoughts. */
const SIGNED = {
  Assistant_Family: (thought) => ({ type: 'thinking', thinking: thought, signature: SIGNATURE }),
  Cloud_Model_Hub: (thought) => ({ text: thought, signature: SIGNATURE }),
  Search_Vendor_Models: () => ({ thoughtSignature: SIGNATURE }),
} as const satisfies Partial<Record<Service, (thought: string) => Json>>;

describe('masking: thoughts that a client brings back', () => {
  let app: MemoryApp;
  beforeEach(async () => {
    app = await gatewayApp();
    mask(app);
  });

  const leaves = (text: string) => Object.values(VALUES).filter((value) => text.includes(value));

  for (const api of [responses, messages])
    for (const service of Object.keys(SIGNED) as (keyof typeof SIGNED)[])
      it(`${api.path}, ${service}: go to the provider as it signed them, and are shown with their values`, async () => {
        let thought = '';
        const { reference: model, bodies } = await recorder(app, service, ({ host: word = '' }) => {
          thought = `It is about ${word}`;
          return { text: 'I look', args: { about: word }, thought };
        });
        const ask = (body: Json) =>
          app.call('asker', 'POST', `/ai_gateway/v1/${api.path}`, { model, ...api.first, ...body });
        const { status, json } = await ask({});
        expect(status, JSON.stringify(json)).to.equal(200);
        expect(api.shown(json)).to.equal(`It is about ${VALUES.host}`);
        const envelope = api.envelope(json);
        expect(envelope).to.match(/^mlx1\./);
        expect(leaves(Buffer.from(envelope.slice('mlx1.'.length), 'base64url').toString())).to.deep.equal([]);

        const next = await ask(api.next(json, `user=${VALUES.user}`));
        expect([next.status, next.json.ml.warnings], JSON.stringify(next.json)).to.deep.equal([200, []]);
        const signed = JSON.stringify(SIGNED[service](thought)).slice(1, -1);
        expect(bodies[1]).to.include(signed);
        expect(leaves(bodies.join('\n'))).to.deep.equal([]);
      });
});

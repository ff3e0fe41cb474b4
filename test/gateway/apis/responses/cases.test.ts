import { expect } from 'chai';
import type { Json } from '../../../../src/contract/basics.ts';
import { parseExact } from '../../../../src/contract/exactJson.ts';
import type { ChatRequest, ToolCall } from '../../../../src/families/llm-providers/public.ts';
import { withReasoning } from '../../../../src/gateway/apis/envelope.ts';
import type { ResponseObject } from '../../../../src/gateway/apis/responses/reply.ts';
import { differencesFrom } from '../../../support/clients/matches.ts';
import { faultOf } from '../../../support/fault.ts';
import { eventsIn, fixture, MODEL, parsed, replyTo, type StreamEvent, streamOf } from './answers.ts';

interface Case {
  id: string;
  why: string;
  request: { body: Json };
  reply: { text: string; refusal?: string; calls?: ToolCall[]; finish: 'stop'; signature?: Json; error?: Json } | null;
  expect: {
    body?: Json;
    normal?: Json;
    events?: string[];
    body_of_last_event?: Json;
    warnings?: string[];
    stream_file?: string;
    variant?: { body: Json };
  };
}

const CASES = JSON.parse(fixture('responses.json')) as Case[];

/** Results with parts have them as their content in the cases. */
const asInCases = (request: ChatRequest): unknown => ({
  ...request,
  messages: request.messages.map((message) =>
    message.role === 'tool' && message.parts ? { ...message, content: message.parts } : message,
  ),
});

function answered({ request, reply }: Case): ResponseObject {
  const { text = '', refusal, calls = [], finish = 'stop', signature } = reply ?? {};
  const toolCalls = calls.map((call) =>
    signature?.call === call.id ? { ...call, extra: { google: { thought_signature: signature.value } } } : call,
  );
  return replyTo(request.body, { content: text, finishReason: finish, toolCalls, ...(refusal ? { refusal } : {}) });
}

const IDS = /\b(?:resp|msg|rs|fc|ctc)_[0-9a-f]{24,32}\b/g;

/** Without what differs from answer to answer: ids by their order, times, usage, tools, and members of our own. */
function comparable(events: StreamEvent[]): unknown {
  const ids = new Map<string, string>();
  const text = JSON.stringify(events).replace(IDS, (id) => {
    if (!ids.has(id)) ids.set(id, `${id.split('_')[0]}_${ids.size}`);
    return ids.get(id) as string;
  });
  return (JSON.parse(text) as StreamEvent[]).map(({ response, ...event }) => {
    if (!response) return event;
    const { created_at: _, completed_at: __, usage: ___, tools: ____, ml: _____, ...object } = response as Json;
    return { ...event, response: object };
  });
}

describe('the cases of Responses', () => {
  for (const each of CASES) {
    const { id, why, request, reply, expect: expected } = each;
    it(`${id}: ${why}`, async () => {
      if (!reply) {
        const fault = await faultOf(() => parsed(request.body));
        const [problem] = (fault.extra.errors ?? []) as { field: string }[];
        const error = { type: 'invalid_request_error', code: fault.code, param: fault.extra.param ?? problem?.field };
        const failure = { ...fault.extra, status: 'fail', error_code: fault.code, message: fault.message, error };
        expect(fault.code).to.be.oneOf(['validation_failed', 'not_supported']);
        expect(differencesFrom(expected.body, failure)).to.deep.equal([]);
        if (expected.variant) parsed({ ...request.body, ...expected.variant.body });
        return;
      }
      const { request: normal } = parsed(request.body);
      expect(differencesFrom(expected.normal ?? {}, asInCases(normal))).to.deep.equal([]);
      // How failures are answered is no part of this API.
      if (reply.error) return;
      const object = answered(each);
      const events = eventsIn(streamOf(object).payload);
      expect(differencesFrom(expected.body ?? {}, object)).to.deep.equal([]);
      expect(differencesFrom(expected.body_of_last_event ?? {}, events.at(-1))).to.deep.equal([]);
      if (expected.events) expect(events.map(({ type }) => type)).to.deep.equal(expected.events);
      for (const warning of expected.warnings ?? []) {
        const misses = object.ml.warnings.map((text) => differencesFrom(warning, text));
        expect(misses, warning).to.deep.include([]);
      }
      if (!expected.stream_file) return;
      expect(comparable(events)).to.deep.equal(comparable(eventsIn(fixture(expected.stream_file))));
    });
  }

  it('are all there', () => {
    expect(CASES).to.have.length(20);
  });

  it('R12, next turn: what a provider has signed goes back to the connection that made it', () => {
    const signed = CASES.find(({ id }) => id === 'R12') as Case;
    const { output } = answered(signed);
    const input = [
      { role: 'user', content: 'x' },
      ...output,
      { type: 'function_call_output', call_id: 'c1', output: '1' },
    ];
    const { request, warnings } = parsed({ ...signed.request.body, input });
    expect(warnings).to.deep.equal([]);
    const own = withReasoning(request, MODEL).request.messages[1];
    expect(own).to.have.nested.property('toolCalls[0].extra.google.thought_signature', 'c2ln');
    const other = withReasoning(request, { ...MODEL, connection_name: 'other' });
    expect(JSON.stringify(other.request)).not.to.include('c2ln');
    expect(other.warnings).to.have.length(1);
  });

  it('a stream with reasoning is the one that clients were shown', () => {
    const [reasoning, content] = ['The load is high, so I ask for processes.', 'Load is high.'];
    const events = eventsIn(streamOf(replyTo({}, { reasoning, content })).payload);
    const envelope = /mlx1\.[\w-]+/g;
    const plain = (text: string) => comparable(eventsIn(text.replace(envelope, 'mlx1.')));
    const own = events.map((data) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`).join('');
    expect(plain(own)).to.deep.equal(plain(fixture('streams/responses-reasoning.sse')));
  });

  it('a body with bigints keeps all digits in what is given back', () => {
    const body = parseExact('{"tools":[{"type":"function","name":"f","parameters":{"maximum":12345678901234567890}}]}');
    const { payload } = streamOf(replyTo(body as Json, { content: 'x' }));
    expect(payload).to.include('"maximum":12345678901234567890');
  });
});

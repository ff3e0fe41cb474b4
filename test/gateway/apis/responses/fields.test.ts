import { expect } from 'chai';
import { bodyAjv, plain } from '../../../../src/codegen/bundle/compile.ts';
import type { Json } from '../../../../src/contract/basics.ts';
import { LEFT_OUT } from '../../../../src/gateway/apis/chatApi.ts';
import { ResponsesBody } from '../../../../src/gateway/apis/responses/schemas.ts';
import { faultOf, fieldsOf } from '../../../support/fault.ts';
import { parsed } from './answers.ts';

const refused = async (body: Json) => {
  const { code, message, extra } = await faultOf(() => parsed(body));
  return { code, message, param: extra.param };
};

describe('fields of a request of Responses', () => {
  it('become those of the normal form', () => {
    const schema = { type: 'object', properties: {} };
    const { reference, request, naming, schemaField, warnings } = parsed({
      ...{ model: 'fast', instructions: 'Be brief.', max_output_tokens: 99, temperature: 0.5, top_p: 0.9 },
      ...{
        parallel_tool_calls: false,
        top_logprobs: 2,
        reasoning: { effort: 'high', summary: 'auto', mode: 'standard' },
      },
      text: { verbosity: 'low', format: { type: 'json_schema', name: 'a', schema, strict: true, description: 'd' } },
      ...{ user: 'u', safety_identifier: 's', prompt_cache_key: 'k', service_tier: 'flex' },
      ...{ drop_unsupported: true, mask_fields: ['src'], row: { src: 'x' } },
    });
    expect({ reference, naming, schemaField, warnings }).to.deep.equal({
      reference: 'fast',
      naming: { fields: ['src'], rows: [{ src: 'x' }] },
      schemaField: 'text.format.schema',
      warnings: [],
    });
    expect(request).to.deep.equal({
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'x' },
      ],
      ...{
        tools: undefined,
        toolChoice: undefined,
        parallelToolCalls: false,
        maxTokens: 99,
        temperature: 0.5,
        topP: 0.9,
      },
      ...{ reasoningEffort: 'high', verbosity: 'low', logprobs: true, topLogprobs: 2 },
      responseFormat: { type: 'json_schema', name: 'a', schema, strict: true, description: 'd' },
      hints: { user: 'u', safety_identifier: 's', prompt_cache_key: 'k', service_tier: 'flex' },
      dropUnsupported: true,
      mayLeaveOut: LEFT_OUT,
    });
  });

  it('ask for nothing where they are null, empty or the default', () => {
    const defaults = {
      ...{ background: false, conversation: null, previous_response_id: null, prompt: null, truncation: 'disabled' },
      ...{ store: false, context_management: null, moderation: null, image: null, access_programs: null },
      ...{ include: [], stream: true, stream_options: { include_obfuscation: false }, metadata: { a: 'b', c: null } },
      ...{ reasoning: {}, text: { format: { type: 'text' } }, top_logprobs: 0, max_tool_calls: 3 },
      ...{
        client_metadata: { turn: '1' },
        prompt_cache_options: { mode: 'implicit' },
        prompt_cache_retention: 'in_memory',
      },
      ...{ user: '', instructions: '', unheard_of: null },
    };
    const nulls = Object.fromEntries(Object.keys(defaults).map((name) => [name, null]));
    for (const body of [defaults, nulls]) {
      const { request, warnings } = parsed(body);
      expect(warnings).to.deep.equal([]);
      expect(JSON.parse(JSON.stringify(request))).to.deep.equal({
        messages: [{ role: 'user', content: 'x' }],
        mayLeaveOut: LEFT_OUT,
      });
    }
  });

  it('are named in the warnings where they are left out', () => {
    const { warnings, request } = parsed({
      ...{
        store: true,
        unheard_of: 1,
        stop: ['x'],
        prompt_cache_retention: '24h',
        prompt_cache_options: { mode: 'explicit' },
      },
    });
    const names = warnings.map((warning) => warning.split(' ')[0]);
    expect(names).to.have.members(['store', 'unheard_of', 'stop', 'prompt_cache_retention', 'prompt_cache_options']);
    expect(request.extra).to.equal(undefined);
    expect(request.stop).to.equal(undefined);
  });

  it('are refused by name where they would change the answer', async () => {
    const values: [string, unknown][] = [
      ['previous_response_id', 'resp_1'],
      ['conversation', { id: 'c' }],
      ['conversation', 'c'],
      ['prompt', { id: 'p' }],
      ['background', true],
      ['background_options', { a: 1 }],
      ['context_management', [{ type: 'compaction' }]],
      ['moderation', { a: 1 }],
      ['access_programs', { a: 1 }],
      ['image', { a: 1 }],
      ['truncation', 'auto'],
    ];
    for (const [name, value] of values) {
      expect(await refused({ [name]: value })).to.include({ code: 'not_supported', param: name });
    }
    expect((await refused({ conversation: 'c' })).message).to.include('send the whole conversation');
    expect(await refused({ reasoning: { mode: 'pro' } })).to.include({
      code: 'not_supported',
      param: 'reasoning.mode',
    });
  });

  it('let the input be cut by nobody, with a warning where that may be left out', () => {
    const { warnings } = parsed({ truncation: 'auto', drop_unsupported: true });
    expect(warnings).to.have.length(1);
    expect(warnings[0]).to.include('truncation');
  });

  it('ask for log probabilities in either way', () => {
    const include = ['message.output_text.logprobs', 'reasoning.encrypted_content'];
    expect(parsed({ include }).request).to.include({ logprobs: true, topLogprobs: undefined });
    expect(parsed({ include: include.slice(1) }).request.logprobs).to.equal(undefined);
  });

  it('have a format that is refused with its path where it is none', async () => {
    expect(parsed({ text: { format: { type: 'json_object' } } }).request.responseFormat).to.deep.equal({
      type: 'json_object',
    });
    for (const format of ['text', { type: 'xml' }, { type: 'json_schema', json_schema: { name: 'a', schema: {} } }]) {
      expect(fieldsOf(await faultOf(() => parsed({ text: { format } })))).to.deep.equal(['text.format']);
    }
  });

  it('name every problem at once', async () => {
    const body = { tools: [7], tool_choice: 'any', input: [7, { role: 'user' }], text: { format: 7 } };
    const fields = ['tools.0', 'tool_choice', 'input.0', 'input.1.content', 'text.format'];
    expect(fieldsOf(await faultOf(() => parsed(body)))).to.deep.equal(fields);
  });

  it('pass the schema with nulls and unknown fields, and do not without bounds', () => {
    const check = bodyAjv().compile(plain(ResponsesBody));
    const nulls = Object.fromEntries(
      Object.keys(ResponsesBody.properties).flatMap((name) => (name === 'input' ? [] : [[name, null]])),
    );
    expect(check({ input: 'x', ...nulls, unheard_of: 1 }), JSON.stringify(check.errors)).to.equal(true);
    for (const wrong of [
      { max_output_tokens: 0 },
      { temperature: 3 },
      { user: 'u'.repeat(1025) },
      { tools: Array(513) },
    ]) {
      expect(check({ input: 'x', ...wrong })).to.equal(false);
    }
    expect(check({})).to.equal(false);
  });
});

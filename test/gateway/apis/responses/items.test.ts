import { expect } from 'chai';
import type { Json } from '../../../../src/contract/basics.ts';
import { faultOf, fieldsOf } from '../../../support/fault.ts';
import { messagesOf, parsed, replyTo } from './answers.ts';

const user = (content: unknown) => ({ role: 'user', content });
const said = (text: string) => ({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] });
const call = (call_id: string, more: Json = {}) => ({
  type: 'function_call',
  call_id,
  name: 'f',
  arguments: '{}',
  ...more,
});
const output = (call_id: string, text: unknown = '1') => ({ type: 'function_call_output', call_id, output: text });
const toolCall = (id: string) => ({ id, name: 'f', arguments: '{}' });
const result = (toolCallId: string, content = '1') => ({ role: 'tool', toolCallId, content });

const problemsOf = async (input: unknown) => fieldsOf(await faultOf(() => messagesOf(input)));
const refused = async (input: unknown) => {
  const { code, message, extra } = await faultOf(() => messagesOf(input));
  return { code, message, param: extra.param };
};

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describe('items of Responses', () => {
  it('are turns: calls of neighbouring items and the text before them are one', () => {
    const input = [user('x'), said('I look.'), call('a'), call('b'), output('b', '2'), output('a'), said('Done.')];
    expect(messagesOf(input)).to.deep.equal([
      user('x'),
      { role: 'assistant', content: 'I look.', toolCalls: [toolCall('a'), toolCall('b')] },
      result('b', '2'),
      result('a'),
      { role: 'assistant', content: 'Done.' },
    ]);
  });

  it('are turns: calls after an output are the next one', () => {
    expect(messagesOf([user('x'), call('a'), output('a'), call('b'), output('b')])).to.deep.equal([
      user('x'),
      { role: 'assistant', content: '', toolCalls: [toolCall('a')] },
      result('a'),
      { role: 'assistant', content: '', toolCalls: [toolCall('b')] },
      result('b'),
    ]);
  });

  it('are turns: an output follows its call, whatever stands between', () => {
    const input = [user('x'), call('a'), said('Wait.'), user('Well?'), call('b'), output('b', '2'), output('a')];
    expect(messagesOf(input)).to.deep.equal([
      user('x'),
      { role: 'assistant', content: 'Wait.', toolCalls: [toolCall('a')] },
      result('a'),
      user('Well?'),
      { role: 'assistant', content: '', toolCalls: [toolCall('b')] },
      result('b', '2'),
    ]);
  });

  it('are turns: two answers in a row stay two, and one that says nothing is none', () => {
    expect(messagesOf([user('x'), said('A'), said(''), said('B'), user('y')])).to.deep.equal([
      user('x'),
      { role: 'assistant', content: 'A' },
      { role: 'assistant', content: 'B' },
      user('y'),
    ]);
  });

  it('may use an id again once it is answered', () => {
    expect(messagesOf([call('a'), output('a'), call('a'), output('a', '2')])).to.deep.equal([
      { role: 'assistant', content: '', toolCalls: [toolCall('a')] },
      result('a'),
      { role: 'assistant', content: '', toolCalls: [toolCall('a')] },
      result('a', '2'),
    ]);
  });

  it('must pair calls and outputs', async () => {
    expect(await problemsOf([user('x'), call('a'), user('y')])).to.deep.equal(['input.1.call_id']);
    expect(await problemsOf([output('a'), call('a'), output('a')])).to.deep.equal(['input.0.call_id']);
    expect(await problemsOf([call('a'), output('a'), output('a')])).to.deep.equal(['input.2.call_id']);
    expect(await problemsOf([call('a'), call('a'), output('a')])).to.deep.equal(['input.1.call_id']);
  });

  it('give a custom call as a call of one text', () => {
    const input = [
      { type: 'custom_tool_call', call_id: 'a', name: 'patch', input: 'a "b"\n' },
      { type: 'custom_tool_call_output', call_id: 'a', output: 'ok' },
    ];
    const tools = [{ type: 'custom', name: 'patch' }];
    expect(messagesOf(input, { tools })).to.deep.equal([
      {
        role: 'assistant',
        content: '',
        toolCalls: [{ id: 'a', name: 'patch', arguments: '{"input":"a \\"b\\"\\n"}' }],
      },
      result('a', 'ok'),
    ]);
  });

  it('keep the digits of arguments that came as an object', () => {
    const input = [call('a', { arguments: { n: 12345678901234567890n } }), output('a')];
    expect(messagesOf(input)[0]).to.have.nested.property('toolCalls[0].arguments', '{"n":12345678901234567890}');
  });

  it('name a call as the model knows its tool, also where the tool is gone', () => {
    const calls = [call('a', { namespace: 'ops', name: 'df' }), output('a')];
    const tools = [{ type: 'namespace', name: 'ops', tools: [{ type: 'function', name: 'df' }] }];
    for (const more of [{ tools }, {}]) {
      expect(messagesOf(calls, more)[0]).to.have.nested.property('toolCalls[0].name', 'ops__df');
    }
  });

  it('have texts, images and files', () => {
    const content = [
      { type: 'input_text', text: 'Look' },
      { type: 'input_image', image_url: `data:image/jpeg;base64,${PNG}`, detail: 'high' },
      { type: 'input_image', image_url: 'https://example.com/a.png' },
      { type: 'input_file', file_data: 'data:application/pdf;base64,JVBE', filename: 'a.pdf' },
      { type: 'input_file', file_data: 'JVBE', filename: 'Report.PDF' },
      { type: 'input_file', file_id: 'file_1' },
    ];
    expect(JSON.parse(JSON.stringify(messagesOf([user(content)])))).to.deep.equal([
      user([
        { type: 'text', text: 'Look' },
        { type: 'image', mediaType: 'image/png', data: PNG, detail: 'high' },
        { type: 'image_url', url: 'https://example.com/a.png' },
        { type: 'file', mediaType: 'application/pdf', data: 'JVBE', name: 'a.pdf' },
        { type: 'file', mediaType: 'application/pdf', data: 'JVBE', name: 'Report.PDF' },
        { type: 'file_id', id: 'file_1' },
      ]),
    ]);
  });

  it('have texts that are joined where nothing else can be sent', () => {
    const [a, b] = [
      { type: 'input_text', text: 'A' },
      { type: 'input_text', text: 'B' },
    ];
    const spoken = [
      { type: 'output_text', text: 'A' },
      { type: 'refusal', refusal: 'No.' },
    ];
    const input = [
      { role: 'developer', content: [a, b] },
      { role: 'assistant', content: spoken },
      call('c'),
      output('c', [a, b]),
    ];
    expect(messagesOf(input)).to.deep.equal([
      { role: 'developer', content: 'A\n\nB' },
      { role: 'assistant', content: 'ANo.', toolCalls: [toolCall('c')] },
      result('c', 'A\nB'),
    ]);
  });

  it("keep the marks of OpenAI's cache for servers of its dialect", () => {
    const mark = { prompt_cache_breakpoint: { mode: 'explicit' } };
    const part = { type: 'input_text', text: 'A', ...mark };
    const text = { type: 'text', text: 'A', others: mark };
    expect(messagesOf([{ role: 'system', content: [part] }, user([part])])).to.deep.equal([
      { role: 'system', content: 'A', parts: [text] },
      user([text]),
    ]);
  });

  it('refuse contents that nobody can read, with their place', async () => {
    const places: [unknown, string][] = [
      [user(7), 'content'],
      [user([7]), 'content.0'],
      [user([{ type: 'input_text' }]), 'content.0.text'],
      [user([{ type: 'input_image', image_url: 'ftp://example.com' }]), 'content.0.image_url'],
      [user([{ type: 'input_image' }]), 'content.0.image_url'],
      [user([{ type: 'input_file', file_data: 'JVBE' }]), 'content.0.file_data'],
      [user([{ type: 'input_file', file_data: '{}', filename: 'a.pdf' }]), 'content.0.file_data'],
      [user([{ type: 'text', text: 'x' }]), 'content.0.type'],
      [{ role: 'system', content: [{ type: 'input_image', image_url: 'https://example.com' }] }, 'content'],
      [{ role: 'tool', content: 'x' }, 'role'],
      [call(''), 'call_id'],
      [call('a', { name: 7 }), 'name'],
      [call('a', { arguments: 7 }), 'arguments'],
      [call('a', { namespace: 7 }), 'namespace'],
      [{ type: 'custom_tool_call', call_id: 'a', name: 'f' }, 'input'],
      [{ type: 'unheard_of' }, 'type'],
      [{ content: 'x' }, 'type'],
    ];
    for (const [item, place] of places) {
      expect((await problemsOf([user('x'), item]))[0], JSON.stringify(item)).to.equal(`input.1.${place}`);
    }
    expect(await problemsOf([7])).to.deep.equal(['input.0']);
    expect(await problemsOf([call('a'), output('a', 7)])).to.deep.equal(['input.1.output']);
    for (const input of [undefined, null, 7, {}, []]) expect(await problemsOf(input)).to.deep.equal(['input']);
    expect(await problemsOf(Array(10_001).fill(user('x')))).to.deep.equal(['input']);
  });

  it('refuse what the gateway does not store or fetch, with its place', async () => {
    const parts = [{ file_id: 'f' }, { file_url: 'https://example.com/a.pdf' }];
    const [image, file] = [
      { type: 'input_image', ...parts[0] },
      { type: 'input_file', ...parts[1] },
    ];
    const places: [unknown, string][] = [
      [user([image]), 'input.0.content.0.file_id'],
      [user([file]), 'input.0.content.0.file_url'],
      [user([{ type: 'input_audio' }]), 'input.0.content.0'],
      [{ id: 'msg_1' }, 'input.0'],
      [{ type: null, id: 'msg_1' }, 'input.0'],
      ...['item_reference', 'compaction', 'configuration_update', 'tool_search_call', 'tool_search_output'].map(at),
      ...['local_shell_call', 'local_shell_call_output', 'shell_call', 'apply_patch_call', 'computer_call_output'].map(
        at,
      ),
    ];
    for (const [item, param] of places) {
      const fault = await refused([item, user('x')]);
      expect(fault, JSON.stringify(item)).to.include({ code: 'not_supported', param });
    }
    expect((await refused([{ id: 'msg_1' }])).message).to.match(/store.{0,10}false/);
  });

  it('leave out the history of hosted tools where a message follows', async () => {
    const kinds = ['web_search_call', 'file_search_call', 'mcp_list_tools', 'mcp_approval_response', 'program_output'];
    for (const type of kinds) {
      const { request, warnings } = parsed({ input: [user('x'), { type }, said('y')] });
      expect(request.messages).to.deep.equal([user('x'), { role: 'assistant', content: 'y' }]);
      expect(warnings).to.have.length(1);
      expect(warnings[0]).to.include(type);
      expect(await refused([user('x'), { type }])).to.include({ code: 'not_supported', param: 'input.1' });
    }
  });

  it('have reasoning, which is left out with a warning if it is not ours', () => {
    const foreign = [{}, { encrypted_content: 'gAAAAA' }, { encrypted_content: null }, { encrypted_content: 'mlx1.x' }];
    for (const fields of foreign) {
      const reasoning = { type: 'reasoning', summary: [], ...fields };
      const { request, warnings } = parsed({ input: [user('x'), reasoning, reasoning, said('y'), user('z')] });
      expect(request.messages).to.deep.equal([user('x'), { role: 'assistant', content: 'y' }, user('z')]);
      expect(warnings).to.have.length(1);
    }
  });

  it('have reasoning of ours, which is part of the turn that it begins', () => {
    const carrier = { anthropic: 'signed' };
    const thought = (signed: string) => replyTo({}, { content: 'x', carrier: { ...carrier, signed } }).output[0];
    const [first, second] = [thought('1'), thought('2')];
    const { request, warnings } = parsed({
      input: [
        first,
        said('A'),
        second,
        said('B'),
        user('x'),
        first,
        call('a'),
        second,
        call('b'),
        output('a'),
        output('b'),
      ],
    });
    expect(warnings).to.deep.equal([]);
    const signs = request.messages.map((message) =>
      message.role === 'assistant' ? message.returned?.map((each) => each.carrier?.signed) : message.role,
    );
    expect(signs).to.deep.equal([['1'], ['2'], 'user', ['1', '2'], 'tool', 'tool']);
  });

  it('have reasoning of ours that is left out in silence: without a state, and without an answer', () => {
    const [shown] = replyTo({}, { reasoning: 'Hm', content: 'x' }).output;
    const [signed] = replyTo({}, { carrier: { anthropic: 'signed' } }).output;
    const { request, warnings } = parsed({ input: [user('x'), shown, said('y'), user('z'), signed, user('z')] });
    expect(warnings).to.deep.equal([]);
    expect(request.messages).to.deep.equal([user('x'), { role: 'assistant', content: 'y' }, user('z'), user('z')]);
  });
});

const at = (type: string): [unknown, string] => [{ type, id: 'x' }, 'input.0'];

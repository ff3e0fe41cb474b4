import { expect } from 'chai';
import type { Json } from '../../../../src/contract/basics.ts';
import { faultOf, fieldsOf } from '../../../support/fault.ts';
import { parsed, replyTo } from './answers.ts';

const f = (name: string, more: Json = {}) => ({ type: 'function', name, ...more });
const space = (name: string, ...tools: unknown[]) => ({
  type: 'namespace',
  name,
  description: `About ${name}.`,
  tools,
});
const toolsOf = (body: Json) => parsed(body).request.tools;
const namesOf = (body: Json) => toolsOf(body)?.map(({ name }) => name);
const refused = async (body: Json) => {
  const { code, extra } = await faultOf(() => parsed(body));
  return { code, param: extra.param };
};
const problemsOf = async (body: Json) => fieldsOf(await faultOf(() => parsed(body)));
/** The calls of an answer as the client gets them. */
const callsOf = (body: Json, ...names: string[]) =>
  replyTo(body, { toolCalls: names.map((name, index) => ({ id: `c${index}`, name, arguments: '{"input":"x"}' })) })
    .output;

describe('tools of Responses', () => {
  it('are functions with nulls where there is nothing', () => {
    const tools = [
      f('a', { parameters: null, strict: null, description: null, defer_loading: true, async: false }),
      f('b'),
    ];
    const empty = { description: undefined, parameters: { type: 'object', properties: {} }, strict: undefined };
    expect(toolsOf({ tools })).to.deep.equal([
      { ...empty, name: 'a' },
      { ...empty, name: 'b' },
    ]);
    for (const none of [[], null, undefined]) {
      expect(parsed({ tools: none, tool_choice: 'auto' }).request.tools).to.equal(undefined);
    }
  });

  it('stand in namespaces, whose text is said once', () => {
    const tools = [space('ops', f('df', { description: 'Disks.' }), f('du', { description: 'Files.' }), f('ps'))];
    const texts = toolsOf({ tools })?.map(({ name, description }) => [name, description]);
    expect(texts).to.deep.equal([
      ['ops__df', 'About ops.\n\nDisks.'],
      ['ops__du', 'Files.'],
      ['ops__ps', undefined],
    ]);
    expect(callsOf({ tools }, 'ops__du', 'ops__gone')).to.have.nested.property('[0].namespace', 'ops');
    expect(callsOf({ tools }, 'ops__du', 'ops__gone')[0]).to.include({ type: 'function_call', name: 'du' });
    // The model may call a tool that there is none of.
    expect(callsOf({ tools }, 'ops__gone')[0]).to.include({ name: 'ops__gone' }).and.not.have.property('namespace');
  });

  it('stand in items too, with the same form', () => {
    const tools = [f('a'), space('ops', f('df'), { type: 'custom', name: 'sh' }), { type: 'web_search' }];
    const input = [
      { type: 'additional_tools', role: 'developer', tools },
      { role: 'user', content: 'x' },
    ];
    const { request, warnings } = parsed({ input });
    expect(request.tools?.map(({ name }) => name)).to.deep.equal(['a', 'ops__df', 'ops__sh']);
    expect(request.messages).to.have.length(1);
    expect(warnings[0]).to.include('input.0.tools.2').and.include('web_search');
    const [call] = callsOf({ input }, 'ops__sh');
    expect(call).to.include({ type: 'custom_tool_call', namespace: 'ops', name: 'sh', input: 'x' });
  });

  it('replace those of the same name that came before', () => {
    const item = (description: string) => ({ type: 'additional_tools', tools: [f('a', { description })] });
    const body = { tools: [f('a'), f('b')], input: [item('1'), { role: 'user', content: 'x' }, item('2')] };
    expect(toolsOf(body)?.map(({ name, description }) => [name, description])).to.deep.equal([
      ['a', '2'],
      ['b', undefined],
    ]);
  });

  it('have names that are cut with a hash where they are too long or taken', () => {
    const long = 'x'.repeat(64);
    const tools = [space('ops', f('df'), f(long), f('d.f')), f('ops__df')];
    const names = namesOf({ tools }) ?? [];
    expect(names[0]).to.match(/^ops__df_[0-9a-f]{8}$/);
    expect(names[1])
      .to.match(/^ops__x{50}_[0-9a-f]{8}$/)
      .and.have.length(64);
    expect(names[2]).to.match(/^ops__d_f_[0-9a-f]{8}$/);
    expect(names[3]).to.equal('ops__df');
    const calls = callsOf({ tools }, ...names);
    expect(calls.map(({ namespace, name }) => [namespace, name])).to.deep.equal([
      ['ops', 'df'],
      ['ops', long],
      ['ops', 'd.f'],
      [undefined, 'ops__df'],
    ]);
    // Two namespaces whose names and tools read the same when they are put together.
    expect(new Set(namesOf({ tools: [space('a', f('b__c')), space('a__b', f('c'))] }))).to.have.property('size', 2);
  });

  it('are told of their grammar, which is no law', () => {
    const format = { type: 'grammar', syntax: 'regex', definition: '[0-9]+' };
    const { request, warnings } = parsed({ tools: [{ type: 'custom', name: 'n', description: 'A number.', format }] });
    const [tool] = request.tools ?? [];
    expect(tool?.description).to.match(/^A number\.\n\n.*regex.*\n\[0-9\]\+$/);
    expect(warnings).to.have.length(1);
    for (const free of [undefined, null, { type: 'text' }]) {
      expect(parsed({ tools: [{ type: 'custom', name: 'n', format: free }] }).warnings).to.deep.equal([]);
    }
  });

  it('are answered with the bare text where they take one', () => {
    const tools = [{ type: 'custom', name: 'n' }];
    const inputs = [
      ['{"input":"a\\nb"}', 'a\nb'],
      ['plain', 'plain'],
      ['{"input":7}', '{"input":7}'],
      ['[1]', '[1]'],
    ] as const;
    for (const [text, input] of [...inputs, ['{"other":"x"}', '{"other":"x"}'] as const]) {
      const [call] = replyTo({ tools }, { toolCalls: [{ id: 'c', name: 'n', arguments: text }] }).output;
      expect(call).to.include({ type: 'custom_tool_call', call_id: 'c', name: 'n', input });
    }
  });

  it('of the provider are left out beside callable ones, else refused', async () => {
    const kinds = [
      'web_search',
      'web_search_preview',
      'web_search_2025_08_26',
      'file_search',
      'mcp',
      'shell',
      'local_shell',
    ];
    for (const type of [...kinds, 'computer_use_preview', 'image_generation', 'tool_search', 'apply_patch']) {
      const { request, warnings } = parsed({ tools: [{ type, server_url: null }, f('a')] });
      expect(request.tools).to.have.length(1);
      expect(warnings).to.have.length(1);
      expect(warnings[0]).to.include('tools.0').and.include(type);
      expect(await refused({ tools: [{ type }] })).to.deep.equal({ code: 'not_supported', param: 'tools.0' });
      const chosen = { tools: [f('a'), { type }], tool_choice: { type } };
      expect(await refused(chosen)).to.deep.equal({ code: 'not_supported', param: 'tools.1' });
      const allowed = { ...chosen, tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [{ type }] } };
      expect(await refused(allowed)).to.deep.equal({ code: 'not_supported', param: 'tools.1' });
    }
    const param = 'tool_choice';
    expect(await refused({ tools: [f('a')], tool_choice: { type: 'mcp' } })).to.deep.equal({
      code: 'not_supported',
      param,
    });
    expect(await refused({ tools: [f('a', { async: true })] })).to.include({ param: 'tools.0.async' });
  });

  it('are refused with their path', async () => {
    const large = { type: 'object', description: 'x'.repeat(256 * 1024) };
    const places: [unknown, string][] = [
      [7, ''],
      [{ type: 'unheard_of' }, '.type'],
      [{ name: 'a' }, '.type'],
      [f(''), '.name'],
      [f('x'.repeat(129)), '.name'],
      [{ type: 'function', function: { name: 'a' } }, '.name'],
      [f('a', { parameters: [] }), '.parameters'],
      [f('a', { parameters: large }), '.parameters'],
      [f('a', { strict: 1 }), '.strict'],
      [f('a', { description: 1 }), '.description'],
      [{ type: 'custom', name: 'a', format: { type: 'grammar' } }, '.format'],
      [{ type: 'custom', name: 'a', format: 'text' }, '.format'],
      [{ type: 'namespace', name: 'a' }, '.tools'],
      [space('', f('a')), '.name'],
      [space('a', f('')), '.tools.0.name'],
      [space('a', 7), '.tools.0'],
      [space('a', { type: 'web_search' }), '.tools.0.type'],
      [space('a', space('b')), '.tools.0.type'],
    ];
    for (const [tool, place] of places) {
      expect(await problemsOf({ tools: [f('b'), tool] }), JSON.stringify(tool)).to.deep.equal([`tools.1${place}`]);
    }
    const many = Array.from({ length: 513 }, (_, index) => f(`f${index}`));
    expect(await problemsOf({ tools: [space('a', ...many)] })).to.deep.equal(['tools']);
    expect(await problemsOf({ input: [{ type: 'additional_tools' }] })).to.deep.equal(['input.0.tools']);
  });

  it('are chosen by their own names', () => {
    const tools = [f('a'), space('ops', f('df')), { type: 'custom', name: 'n' }];
    const chosen = (tool_choice: unknown) => parsed({ tools, tool_choice }).request.toolChoice;
    for (const word of ['auto', 'none', 'required']) expect(chosen(word)).to.equal(word);
    expect(chosen(null)).to.equal(undefined);
    expect(chosen({ type: 'function', name: 'a' })).to.deep.equal({ name: 'a' });
    expect(chosen({ type: 'custom', name: 'n' })).to.deep.equal({ name: 'n' });
    for (const choice of [{ name: 'df' }, { namespace: 'ops', name: 'df' }, { name: 'ops__df' }]) {
      expect(chosen({ type: 'function', ...choice })).to.deep.equal({ name: 'ops__df' });
    }
  });

  it('are narrowed by allowed_tools in their order', () => {
    const tools = [f('a'), space('ops', f('df'), f('du')), f('b'), { type: 'mcp' }];
    const narrowed = (...allowed: unknown[]) => {
      const body = { tools, tool_choice: { type: 'allowed_tools', mode: 'auto', tools: allowed } };
      const { toolChoice, ...request } = parsed(body).request;
      return [toolChoice, request.tools?.map(({ name }) => name)];
    };
    expect(narrowed(f('b'), f('a'))).to.deep.equal(['auto', ['a', 'b']]);
    expect(narrowed({ type: 'namespace', name: 'ops' })).to.deep.equal(['auto', ['ops__df', 'ops__du']]);
    expect(narrowed(f('du'), { type: 'mcp' })).to.deep.equal(['auto', ['ops__du']]);
  });

  it('are chosen from those that there are', async () => {
    const places: [unknown, string[]][] = [
      ['any', ['tool_choice']],
      [{ type: 'any' }, ['tool_choice']],
      [{ type: 'function', name: 'b' }, ['tool_choice.name']],
      [{ type: 'custom', name: 'a' }, ['tool_choice.name']],
      [{ type: 'allowed_tools', mode: 'auto', tools: [f('a'), f('b')] }, ['tool_choice.tools.1']],
      [{ type: 'allowed_tools', mode: 'auto', tools: [] }, ['tool_choice.tools']],
      [{ type: 'allowed_tools', tools: [f('a')] }, ['tool_choice.mode']],
    ];
    for (const [tool_choice, fields] of places) {
      expect(await problemsOf({ tools: [f('a')], tool_choice })).to.deep.equal(fields);
    }
  });
});

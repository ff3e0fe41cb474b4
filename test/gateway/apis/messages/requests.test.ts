import { expect } from 'chai';
import {
  assistant,
  CALL,
  chat,
  LONG,
  MARK,
  messagesOf,
  parsed,
  pathsOf,
  refusedIn,
  requestOf,
  result,
  TOOL,
  text,
  user,
} from './asked.ts';

describe('requests of Messages', () => {
  it('have one effort, from wherever it comes, as a hint', () => {
    const effort = (more: object) => {
      const { reasoningEffort, effortIsHint } = requestOf({ max_tokens: 64_000, ...more });
      expect(effortIsHint).to.equal(reasoningEffort === undefined ? undefined : true);
      return reasoningEffort;
    };
    const budget = (budget_tokens: number) => effort({ thinking: { type: 'enabled', budget_tokens } });
    expect([1024, 2048, 2049, 8192, 8193, 24_576, 31_999].map(budget)).to.deep.equal([
      ...['low', 'low', 'medium', 'medium', 'high', 'high', 'xhigh'],
    ]);
    expect(effort({ thinking: { type: 'adaptive' } })).to.equal(undefined);
    expect(effort({ thinking: { type: 'adaptive' }, output_config: { effort: 'max', task_budget: {} } })).to.equal(
      'max',
    );
    expect(effort({ thinking: { type: 'enabled', budget_tokens: 1024 }, output_config: { effort: 'high' } })).to.equal(
      'high',
    );
    expect(effort({ thinking: { type: 'between_tools' } })).to.equal(undefined);
    expect(effort({ thinking: { type: 'disabled' }, output_config: { effort: 'high' } })).to.equal('none');
    expect(effort({ output_config: { effort: 'low' } })).to.equal('low');
    expect(effort({ thinking: null, output_config: null })).to.equal(undefined);
    expect(pathsOf({ thinking: { type: 'often' } })).to.deep.equal(['thinking.type']);
    expect(pathsOf({ thinking: { type: 'enabled' } })).to.deep.equal(['thinking.budget_tokens']);
    expect(pathsOf({ output_config: { effort: 3 } })).to.deep.equal(['output_config.effort']);
  });

  it('have a schema in either place', () => {
    const format = { type: 'json_schema', schema: { type: 'object' } };
    const expected = { type: 'json_schema', name: 'answer', schema: { type: 'object' } };
    const newer = parsed({ output_config: { format } });
    expect([newer.request.responseFormat, newer.schemaField]).to.deep.equal([expected, 'output_config.format.schema']);
    const older = parsed({ output_format: format, output_config: { effort: 'low' } });
    expect([older.request.responseFormat, older.schemaField]).to.deep.equal([expected, 'output_format.schema']);
    expect(pathsOf({ output_config: { format: { type: 'json' } } })).to.deep.equal(['output_config.format']);
  });

  it('keep sampling, stops and the user', () => {
    const more = { temperature: 0.2, top_p: 0.9, top_k: 5, stop_sequences: ['END'], metadata: { user_id: 'u' } };
    expect(requestOf(more)).to.deep.include({
      ...{ temperature: 0.2, topP: 0.9, topK: 5, stop: ['END'], maxTokens: 200 },
      hints: { user: 'u' },
    });
    expect(requestOf({ stop_sequences: [], metadata: { user_id: '' }, top_k: null })).to.deep.include({
      ...{ stop: undefined, hints: undefined, topK: undefined, continues: undefined },
    });
  });

  it('name what the gateway does not know, and refuse what would be another answer', () => {
    expect(
      parsed({ frobnicate: 1, empty: null, service_tier: 'auto', safeguards: {}, fallbacks: [] }).warnings,
    ).to.deep.equal(['frobnicate was left out: the gateway does not know it']);
    const many = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`field${index}`.padEnd(500, 'x'), 1]));
    const { warnings } = parsed(many);
    expect(warnings).to.have.length(21);
    expect(JSON.stringify(warnings)).to.have.length.below(5000).and.include('980 more fields were left out');
    for (const name of ['mcp_servers', 'container', 'thread', 'compaction']) {
      expect(refusedIn({ [name]: ['x'] })).to.deep.equal(['not_supported', name]);
      parsed({ [name]: null });
    }
    expect(refusedIn({ speed: 'fast' })).to.deep.equal(['not_supported', 'speed']);
    expect(parsed({ speed: 'standard' }).warnings).to.deep.equal([]);
  });

  it('manage no context', () => {
    const edited = (...edits: object[]) => ({ context_management: { edits } });
    expect(parsed(edited({ type: 'clear_thinking_20251015', keep: 'all' })).warnings).to.deep.equal([]);
    const { warnings } = parsed(edited({ type: 'clear_thinking_20251015' }, { type: 'clear_tool_uses_20250919' }));
    expect(warnings.map((warning) => warning.split(' ')[0])).to.deep.equal([
      'context_management.edits.0',
      'context_management.edits.1',
    ]);
    expect(refusedIn(edited({ type: 'compact_20260112' }))).to.deep.equal([
      'not_supported',
      'context_management.edits.0',
    ]);
  });

  it('keep marks of system, blocks, tools, calls and results, and that of the whole at the end', () => {
    const { messages, tools } = requestOf({
      system: [text('A.'), text('B.', MARK)],
      tools: [{ ...TOOL, ...MARK }],
      messages: [
        user(text('a', MARK), text('b')),
        assistant(text('c', MARK), { ...CALL, ...MARK }),
        user(result({ content: [text('d', MARK)], ...MARK })),
      ],
    });
    expect(tools?.[0]).to.deep.include({ cache: LONG });
    expect(messages[0]).to.deep.equal({
      role: 'system',
      content: 'A.B.',
      parts: [text('A.'), text('B.', { cache: LONG })],
    });
    expect(messages[1]?.content).to.deep.equal([text('a', { cache: LONG }), text('b')]);
    expect(messages[2]).to.deep.include({ parts: [text('c', { cache: LONG })], cache: LONG });
    expect(messages[3]).to.deep.include({ parts: [text('d', { cache: LONG })], cache: LONG });
    expect(requestOf(MARK).messages).to.deep.equal([{ role: 'user', content: 'Is the disk full?', cache: LONG }]);
    const own = { cache_control: { type: 'ephemeral' } };
    expect(requestOf({ ...MARK, messages: [user(text('a'), text('b', own))] }).messages[0]).to.deep.equal({
      role: 'user',
      content: [text('a'), text('b', { cache: {} })],
      cache: LONG,
    });
    expect(pathsOf({ messages: [user(text('a', { cache_control: { type: 'forever' } }))] })).to.deep.equal([
      'messages.0.content.0.cache_control',
    ]);
  });

  it('join neighbours of one role, and put results behind their calls', () => {
    const { messages } = requestOf({
      messages: [
        ...[user(text('a')), { role: 'user', content: 'b' }],
        ...[assistant(text('c')), assistant(CALL)],
        { role: 'system', content: 'S.' },
        user(text('d'), result({ is_error: true })),
      ],
    });
    expect(messages).to.deep.equal([
      { role: 'user', content: [text('a'), text('b')] },
      { role: 'assistant', content: 'c', toolCalls: [{ id: 't1', name: 'df', arguments: '{}' }] },
      { role: 'tool', toolCallId: 't1', content: '91%', isError: true },
      { role: 'system', content: 'S.' },
      { role: 'user', content: 'd' },
    ]);
  });

  it('have a result for each call, and a call before each result', () => {
    expect(pathsOf({ messages: [assistant(CALL)] })).to.deep.equal(['messages.0.content.0']);
    expect(pathsOf({ messages: [assistant(CALL), user(text('x')), assistant(text('y'))] })).to.deep.equal([
      'messages.0.content.0',
    ]);
    expect(pathsOf({ messages: [user(result())] })).to.deep.equal(['messages.0.content.0.tool_use_id']);
    expect(pathsOf({ messages: [assistant(CALL), user(result(), result())] })).to.deep.equal([
      'messages.1.content.1.tool_use_id',
    ]);
    expect(pathsOf({ messages: [assistant(CALL, CALL), user(result())] })).to.deep.equal(['messages.0.content.1.id']);
    expect(pathsOf({ messages: [assistant({ type: 'tool_use', input: [] }), user()] })).to.include.members([
      'messages.0.content.0.id',
      'messages.0.content.0.name',
      'messages.0.content.0.input',
    ]);
  });

  it('keep the digits of arguments', () => {
    const input = { id: 12345678901234567890n };
    const [answer] = messagesOf(assistant({ ...CALL, input }), user(result()));
    expect(answer).to.have.nested.property('toolCalls[0].arguments', '{"id":12345678901234567890}');
  });

  it('go on with an answer that is the last message', () => {
    expect(chat(user(text('a')), assistant(text('{'))).request.continues).to.equal('messages.1');
    expect(chat(user(text('a')), assistant(text('b')), user(text('c'))).request.continues).to.equal(undefined);
  });

  it('have no block of attribution, in whichever system message', () => {
    const header = text('x-anthropic-billing-header: cc_version=1;');
    expect(requestOf({ system: [header] }).messages).to.have.length(1);
    expect(messagesOf({ role: 'system', content: [header, text('B.')] }, user(text('a')))[0]).to.deep.equal({
      role: 'system',
      content: 'B.',
    });
  });
});

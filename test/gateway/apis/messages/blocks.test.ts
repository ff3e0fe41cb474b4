import { expect } from 'chai';
import {
  answerOf,
  assistant,
  type Body,
  bodyOf,
  CALL,
  chat,
  LONG,
  MARK,
  messagesOf,
  parsed,
  pathsOf,
  refusedIn,
  replyTo,
  requestOf,
  result,
  TOOL,
  text,
  user,
} from './asked.ts';

describe('tools of Messages', () => {
  const SEARCH = { type: 'web_search_20250305', name: 'web_search' };

  it('are those with a schema', () => {
    const { tools } = requestOf({
      tools: [
        { ...TOOL, type: 'custom', description: 'd', strict: true, defer_loading: true, input_examples: [{}] },
        { name: 'bare', type: null },
      ],
    });
    expect(tools).to.deep.equal([
      { name: 'df', description: 'd', parameters: { type: 'object' }, strict: true },
      { name: 'bare', description: undefined, parameters: { type: 'object', properties: {} }, strict: undefined },
    ]);
    expect(requestOf({ tools: [], tool_choice: { type: 'auto' } }).tools).to.equal(undefined);
    expect(pathsOf({ tools: [{ input_schema: {} }] })).to.deep.equal(['tools.0.name']);
    expect(pathsOf({ tools: [{ name: 'n', input_schema: { description: 'x'.repeat(300_000) } }] })).to.deep.equal([
      'tools.0.input_schema',
    ]);
  });

  it('of Anthropic are left out beside others, and refused alone or chosen', () => {
    const { request, warnings } = parsed({ tools: [TOOL, SEARCH, { type: 'mcp_toolset', mcp_server_name: 'x' }] });
    expect(request.tools?.map(({ name }) => name)).to.deep.equal(['df']);
    expect(warnings).to.have.length(2);
    expect(warnings[0]).to.contain('tools.1').and.contain('web_search_20250305');
    expect(refusedIn({ tools: [SEARCH] })).to.deep.equal(['not_supported', 'tools.0']);
    expect(refusedIn({ tools: [TOOL, SEARCH], tool_choice: { type: 'tool', name: 'web_search' } })).to.deep.equal([
      'not_supported',
      'tools.1',
    ]);
  });

  for (const type of ['bash_20250124', 'text_editor_20250728', 'memory_20250818', 'computer_20251124', 'telepathy_1'])
    it(`of the type ${type} are refused, also beside others`, () => {
      expect(refusedIn({ tools: [TOOL, { type, name: 'x' }] })).to.deep.equal(['not_supported', 'tools.1']);
    });

  it('are chosen in the words of Anthropic', () => {
    const choice = (tool_choice: unknown) => {
      const { toolChoice, parallelToolCalls } = requestOf({ tools: [TOOL], tool_choice });
      return [toolChoice, parallelToolCalls];
    };
    expect(choice({ type: 'auto' })).to.deep.equal(['auto', undefined]);
    expect(choice({ type: 'any', disable_parallel_tool_use: true })).to.deep.equal(['required', false]);
    expect(choice({ type: 'none' })).to.deep.equal(['none', undefined]);
    expect(choice({ type: 'tool', name: 'df' })).to.deep.equal([{ name: 'df' }, undefined]);
    expect(choice(null)).to.deep.equal([undefined, undefined]);
    expect(pathsOf({ tools: [TOOL], tool_choice: 'auto' })).to.deep.equal(['tool_choice']);
    expect(pathsOf({ tools: [TOOL], tool_choice: { type: 'tool', name: 'x' } })).to.deep.equal(['tool_choice.name']);
  });
});

describe('blocks of Messages', () => {
  const PNG = 'iVBORw0KGgo=';
  const document = (source: object, more: object = {}) => ({ type: 'document', source, ...more });
  const contentOf = (...blocks: object[]) => messagesOf(user(...blocks))[0]?.content;

  it('are images, labelled by what they hold', () => {
    const image = (source: object) => contentOf({ type: 'image', source });
    expect(image({ type: 'base64', media_type: 'image/jpeg', data: PNG })).to.deep.equal([
      { type: 'image', mediaType: 'image/png', data: PNG },
    ]);
    expect(image({ type: 'url', url: 'https://example.com/a.png' })).to.deep.equal([
      { type: 'image_url', url: 'https://example.com/a.png' },
    ]);
    const paths = (source: object) => pathsOf({ messages: [user({ type: 'image', source })] });
    expect(paths({ type: 'url', url: 'file:///etc/passwd' })).to.deep.equal(['messages.0.content.0.source.url']);
    expect(paths({ type: 'base64', media_type: 'image/png', data: '<' })).to.deep.equal([
      'messages.0.content.0.source.data',
    ]);
    expect(paths({ type: 'base64', media_type: 'text/html', data: 'aGk=' })).to.deep.equal([
      'messages.0.content.0.source.media_type',
    ]);
    expect(paths({})).to.deep.equal(['messages.0.content.0.source.type']);
  });

  it('are documents of three kinds', () => {
    expect(
      contentOf(document({ type: 'base64', media_type: 'application/pdf', data: 'aGk=' }, { title: 'T' })),
    ).to.deep.equal([{ type: 'file', mediaType: 'application/pdf', data: 'aGk=', name: 'T' }]);
    const plain = document({ type: 'text', media_type: 'text/plain', data: 'hi' }, { context: 'C', ...MARK });
    expect(contentOf(plain)).to.deep.equal([
      text('C'),
      { type: 'file', mediaType: 'text/plain', data: 'aGk=', name: undefined, cache: LONG },
    ]);
    for (const data of [5, { a: 1 }, undefined]) {
      const noText = document({ type: 'text', media_type: 'text/plain', data });
      expect(pathsOf({ messages: [user(noText)] })).to.deep.equal(['messages.0.content.0.source.data']);
    }
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } };
    expect(contentOf(document({ type: 'content', content: [text('a'), image] }))).to.deep.equal([
      text('a'),
      { type: 'image', mediaType: 'image/png', data: PNG },
    ]);
    const cited = chat(user(document({ type: 'text', data: 'hi' }, { citations: { enabled: true } })));
    expect(cited.warnings).to.deep.equal(['citations were left out: the answer has none']);
  });

  it('are refused where the gateway would have to fetch them', () => {
    for (const block of [
      document({ type: 'url', url: 'https://example.com/a.pdf' }),
      document({ type: 'file', file_id: 'f' }),
      { type: 'image', source: { type: 'file', file_id: 'f' } },
    ])
      expect(refusedIn({ messages: [user(block)] })).to.deep.equal(['not_supported', 'messages.0.content.0.source']);
  });

  it('are results with texts, images and references to tools', () => {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } };
    const contents = [
      undefined,
      [text('a'), text('b')],
      [{ type: 'tool_reference', tool_name: 'later' }],
      [{ type: 'search_result', source: 'https://s', title: 'T', content: [text('found it')] }],
      [text('a'), image],
    ];
    const [first, second, third, fourth, fifth] = contents.map(
      (content) => messagesOf(assistant(CALL), user(result({ content })))[1],
    );
    expect(first).to.deep.equal({ role: 'tool', toolCallId: 't1', content: '' });
    expect(second?.content).to.equal('a\nb');
    expect(third?.content).to.equal('later');
    expect(fourth?.content).to.equal('T\nhttps://s\nfound it');
    expect(fifth).to.deep.include({
      content: 'a',
      parts: [text('a'), { type: 'image', mediaType: 'image/png', data: PNG }],
    });
  });

  it('of hosted tools are left out with a warning, a compaction and unknown ones are refused', () => {
    const history = chat(
      user(text('a')),
      assistant({ type: 'server_tool_use', id: 's' }, { type: 'web_search_tool_result' }, text('b')),
      user(text('c'), { type: 'container_upload' }),
    );
    expect(history.request.messages.map(({ content }) => content)).to.deep.equal(['a', 'b', 'c']);
    expect(history.warnings).to.have.length(3);
    expect(refusedIn({ messages: [user({ type: 'compaction' })] })).to.deep.equal([
      'not_supported',
      'messages.0.content.0',
    ]);
    expect(pathsOf({ messages: [user({ type: 'smell' }), assistant({ type: 'image' })] })).to.deep.equal([
      'messages.0.content.0.type',
      'messages.1.content.0.type',
    ]);
    expect(pathsOf({ messages: [user(text('a'), { type: 'text' })] })).to.deep.equal(['messages.0.content.1.text']);
  });

  it('of thinking go back to whoever made them, or are left out with a warning', () => {
    const thinking = (signature?: string) => ({ type: 'thinking', thinking: 't', signature });
    for (const signature of [undefined, '', 'mlx1.broken', 'mlx9.later']) {
      const { request, warnings } = chat(user(text('a')), assistant(thinking(signature), text('b')), user(text('c')));
      expect(request.messages[1]).to.deep.equal({ role: 'assistant', content: 'b' });
      expect(warnings).to.have.length(1);
    }
    const body = bodyOf({ thinking: { type: 'adaptive' } });
    const message = { role: 'assistant' as const, content: 'b', carrier: { bedrock: { reasoning_content: [{}] } } };
    const { content } = replyTo(body as Body, answerOf({ message }));
    const { request, warnings } = chat(user(text('a')), { role: 'assistant', content }, user(text('c')));
    expect(request.messages[1]).to.deep.equal({
      ...{ role: 'assistant', content: 'b' },
      returned: [{ service: 'General_Chat', connection_name: 'Home', carrier: message.carrier }],
    });
    expect(warnings).to.deep.equal([]);
  });
});

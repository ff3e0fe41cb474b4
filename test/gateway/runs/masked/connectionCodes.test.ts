import { createSecretKey } from 'node:crypto';
import { expect } from 'chai';
import type { ChatRequest } from '../../../../src/families/llm-providers/public.ts';
import { CallRestoring } from '../../../../src/gateway/runs/masked/callRestoring.ts';
import type { ShownResult } from '../../../../src/gateway/runs/masked/connectionCodes.ts';
import type { RunTool } from '../../../../src/gateway/runs/steps/runTools.ts';
import { type MaskedContent, maskContent } from '../../../../src/masking/outgoing.ts';
import { codeOf } from '../../../../src/masking/placeholders/codes.ts';
import { ALL } from '../../masking/policies.ts';

const HOST = 'db7.corp.example';
const KEY = new Uint8Array(32);

const tool = (connection: string, description: string): RunTool => ({
  served: { name: `${connection}__look`, description, inputSchema: { type: 'object' } },
  target: { kind: 'tool', connection, tool: 'look' },
});

function masked(tools: readonly RunTool[], texts: readonly string[]): MaskedContent<ChatRequest> {
  const request: ChatRequest = {
    messages: [
      { role: 'user', content: `About ${HOST}` },
      ...texts.map((content) => ({ role: 'tool' as const, toolCallId: 'a', content })),
    ],
    tools: tools.map(({ served: { name, description = '' } }) => ({ name, description, parameters: {} })),
  };
  return maskContent(
    request,
    (content, replace) => ({
      ...content,
      messages: content.messages.map((each) => ({ ...each, content: replace(String(each.content)) }) as typeof each),
      tools: (content.tools ?? []).map((each) => ({ ...each, description: replace(each.description ?? '') })),
    }),
    { policies: [{ kinds: ALL }], key: KEY, clock: () => 0, judgePhone: () => undefined },
  );
}

/** What goes to the tool of a connection where the model names the host. */
function sentTo(connection: string, tools: readonly RunTool[], results: readonly ShownResult[]): unknown {
  const content = masked(
    tools,
    results.map(({ text }) => text),
  );
  const [word] = /host-[a-z0-9]{10}/.exec(JSON.stringify(content.content.messages)) ?? [];
  const restoring = new CallRestoring(tools, results);
  const made = restoring.restore({ id: 'c', name: `${connection}__look`, arguments: `{"on":"${word}"}` }, content);
  expect(made.arguments).to.equal(`{"on":"${HOST}"}`);
  const [call] = restoring.calls;
  return JSON.parse(call?.sent ?? made.arguments).on === HOST ? 'value' : 'placeholder';
}

describe('values that a connection has brought', () => {
  it('stand in its results', () => {
    const tools = [tool('A', ''), tool('B', '')];
    const results = [
      { connection: undefined, text: HOST },
      { connection: 'A', text: `host=${HOST}` },
      { connection: 'B', text: 'nothing' },
    ];
    expect(sentTo('A', tools, results)).to.equal('value');
    expect(sentTo('B', tools, results)).to.equal('placeholder');
  });

  it('stand in the definitions of its tools', () => {
    const tools = [tool('A', `Looks at ${HOST}`), tool('B', 'Looks')];
    expect(sentTo('A', tools, [])).to.equal('value');
    expect(sentTo('B', tools, [])).to.equal('placeholder');
  });

  it('are none of its words that were placeholders before', () => {
    const [word = ''] = /host-[a-z0-9]{10}/.exec(JSON.stringify(masked([], []).content.messages)) ?? [];
    expect(sentTo('A', [tool('A', '')], [{ connection: 'A', text: `heard ${word}` }])).to.equal('placeholder');
    expect(sentTo('A', [tool('A', `Looks at ${word}`)], [])).to.equal('placeholder');
  });

  it('are none of a result that an earlier run of the session has shown', () => {
    const content = masked([tool('A', '')], [`host=${HOST}`, 'nothing']);
    const [word] = /host-[a-z0-9]{10}/.exec(JSON.stringify(content.content.messages)) ?? [];
    const restoring = new CallRestoring([tool('A', '')], [{ connection: 'A', text: 'nothing' }]);
    restoring.restore({ id: 'c', name: 'A__look', arguments: `{"on":"${word}"}` }, content);
    expect(restoring.calls[0]?.sent).to.equal(`{"on":"${word}"}`);
  });

  it('are none whose code a server has put behind a placeholder that ends like a label', () => {
    const key = createSecretKey(KEY);
    const names = Array.from({ length: 200_000 }, (_, index) => `h${index}.corp.example`);
    const name = names.find((host) => codeOf(key, 'host', host).endsWith('mac'));
    const tools = [tool('A', '')];
    const results = [
      { connection: undefined, text: HOST },
      { connection: 'A', text: `${name}*-${codeOf(key, 'host', HOST)}` },
    ];
    expect(sentTo('A', tools, results)).to.equal('placeholder');
  });
});

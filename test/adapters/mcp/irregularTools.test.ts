import { expect } from 'chai';
import { createMcpClient } from '../../../src/adapters/mcp/mcpClient.ts';
import { createOutbound } from '../../../src/adapters/outbound/outbound.ts';
import { startDeadline } from '../../../src/domain/async/deadline.ts';
import { sendJson } from '../../support/peers/listen.ts';
import { rpcResult, startAnswering, startScripted, tool } from '../../support/peers/mcp/scripted.ts';
import { Peers } from '../../support/peers/peers.ts';

const client = createMcpClient(createOutbound({ allowPrivate: true }));
const { started: run } = new Peers(afterEach);
const SECRET = 'tok-0123456789-secret';

async function list(url: string, ms = 5000) {
  using deadline = startDeadline(ms);
  return await client.listTools({ url, verifyTls: true, token: SECRET, secrets: [SECRET] }, deadline);
}

const call = (url: string) =>
  client.callTool(
    { url, verifyTls: true, token: SECRET, secrets: [SECRET] },
    { name: 'get', arguments: {} },
    { connectMs: 5000, workMs: 5000 },
  );

const good = tool('good');
const bad = (more: Record<string, unknown>) => ({
  name: 'bad',
  description: 'b',
  inputSchema: { type: 'object', properties: {} },
  ...more,
});

async function listing(page: Record<string, unknown>) {
  const peer = await run(
    startScripted(
      () => false,
      () => page,
    ),
  );
  const found = await list(peer.url);
  expect(found.error).to.equal(undefined);
  return found;
}

describe('MCP: irregular lists of tools', () => {
  const empty = { type: 'object' };
  const COMPLETED: [string, Record<string, unknown>, Record<string, unknown>][] = [
    ['an empty schema', { inputSchema: {} }, { input_schema: empty }],
    ['no schema', { inputSchema: undefined }, { input_schema: empty }],
    ['null for the schema', { inputSchema: null }, { input_schema: empty }],
    ['true for the schema', { inputSchema: true }, { input_schema: empty }],
    ['a list for the schema', { inputSchema: [] }, { input_schema: empty }],
    ['null for the type', { inputSchema: { type: null } }, { input_schema: empty }],
    ['several types', { inputSchema: { type: ['object', 'null'] } }, { input_schema: empty }],
    ['null for required', { inputSchema: { type: 'object', required: null } }, { input_schema: empty }],
    ['a list of properties', { inputSchema: { type: 'object', properties: [] } }, { input_schema: empty }],
    ['a schema of alternatives', { inputSchema: { anyOf: [{}] } }, { input_schema: { type: 'object', anyOf: [{}] } }],
    ['null for the description', { description: null }, { description: '' }],
    ['a number for the description', { description: 5 }, { description: '5' }],
    ['null for the annotations', { annotations: null }, {}],
    [
      'a text for a hint',
      { annotations: { readOnlyHint: 'yes', openWorldHint: true } },
      { annotations: { openWorldHint: true } },
    ],
    ['a text for the annotations', { annotations: 'none' }, {}],
    ['null for the output schema', { outputSchema: null }, {}],
    ['an empty output schema', { outputSchema: {} }, {}],
    ['an output schema of a list', { outputSchema: { type: 'array' } }, { output_schema: { type: 'array' } }],
    ['null for _meta', { _meta: null }, {}],
    ['null for execution', { execution: null }, {}],
    ['null for the title and the icons', { title: null, icons: null }, {}],
    ['a number for the title', { title: 7 }, {}],
  ];
  for (const [what, more, expected] of COMPLETED) {
    it(`completes a tool with ${what}`, async () => {
      const { tools, leftOut } = await listing({ tools: [bad(more), good] });
      expect(tools.map(({ name }) => name)).to.deep.equal(['bad', 'good']);
      const regular = { name: 'bad', description: 'b', input_schema: { type: 'object', properties: {} } };
      expect(tools[0]).to.deep.equal({ ...regular, ...expected });
      expect(leftOut).to.equal(undefined);
    });
  }

  const UNUSABLE: [string, unknown, RegExp][] = [
    ['null', null, /^Tool 1 of the list is left out: it is not an object/],
    ['a text', 'bad', /not an object/],
    ['a tool without a name', bad({ name: undefined }), /has no name/],
    ['a tool with a number for its name', bad({ name: 7 }), /has no name/],
    ['a tool with the schema of a text', bad({ inputSchema: { type: 'string' } }), /\(bad\).*schema/],
    ['a tool with false for its schema', bad({ inputSchema: false }), /\(bad\).*schema/],
  ];
  for (const [what, entry, message] of UNUSABLE) {
    it(`leaves out ${what}, and says so`, async () => {
      const { tools, leftOut } = await listing({ tools: [entry, good] });
      expect(tools.map(({ name }) => name)).to.deep.equal(['good']);
      expect(leftOut).to.have.length(1);
      expect(leftOut?.[0]).to.match(message);
    });
  }

  it('leaves out a tool that is nested too deeply, and keeps the others', async () => {
    let deep: Record<string, unknown> = {};
    for (let level = 0; level < 600; level += 1) deep = { items: deep };
    const { tools, leftOut } = await listing({ tools: [bad({ inputSchema: { type: 'object', deep } }), good] });
    expect(tools.map(({ name }) => name)).to.deep.equal(['good']);
    expect(leftOut?.[0]).to.contain('nested too deeply');
  });

  it('names at most 20 of the tools that it leaves out', async () => {
    const { tools, leftOut } = await listing({
      tools: [...Array.from({ length: 30 }, (_, index) => bad({ name: `bad${index}`, inputSchema: 'x' })), good],
    });
    expect(tools).to.have.length(1);
    expect(leftOut).to.have.length(21);
    expect(leftOut?.at(-1)).to.equal('10 more tools are left out.');
  });

  for (const nextCursor of [null, 0, '', false, {}]) {
    it(`ends the list at the cursor ${JSON.stringify(nextCursor)}`, async () => {
      const { tools, truncated } = await listing({ tools: [good], nextCursor, _meta: null });
      expect([tools.length, truncated]).to.deep.equal([1, undefined]);
    });
  }

  for (const tools of [null, undefined, {}, []]) {
    it(`lists nothing for ${JSON.stringify(tools)} in place of tools`, async () => {
      expect((await listing({ tools })).tools).to.deep.equal([]);
    });
  }

  it('counts the tools of a repeated page once, whatever its cursor', async () => {
    const page = { tools: [tool('a'), tool('b')] };
    const same = await listing({ ...page, nextCursor: 'same' });
    expect(same.tools.map(({ name }) => name)).to.deep.equal(['a', 'b']);
    expect(same.truncated).to.match(/repeated/);
    let cursor = 0;
    const peer = await run(
      startScripted(
        () => false,
        () => ({ ...page, nextCursor: `c${cursor++}` }),
      ),
    );
    const changing = await list(peer.url);
    expect(changing.tools.map(({ name }) => name)).to.deep.equal(['a', 'b']);
    expect(changing.truncated).to.match(/repeated a page/);
    expect(cursor).to.equal(2);
  });

  it('stops at 8 MiB of definitions', async () => {
    const peer = await run(
      startScripted(
        () => false,
        (cursor = '0') => ({
          tools: Array.from({ length: 10 }, (_, index) => tool(`${cursor}-${index}`, 'x'.repeat(300_000))),
          nextCursor: String(Number(cursor) + 1),
        }),
      ),
    );
    const { tools, truncated } = await list(peer.url, 20_000);
    expect(tools).to.have.length(27);
    expect(truncated).to.match(/8 MiB/);
  });
});

describe('MCP: irregular results of tools', () => {
  const text = (words: string) => ({ type: 'text', text: words });
  const fine = text('fine');
  const RESULTS: [string, unknown, Record<string, unknown>][] = [
    [
      'null for the content',
      { content: null, structuredContent: { a: 1 } },
      { content: [], structuredContent: { a: 1 } },
    ],
    ['a text for isError', { content: [fine], isError: 'true' }, { content: [fine], isError: true }],
    ['a false text for isError', { content: [fine], isError: 'False' }, { content: [fine], isError: false }],
    ['a number for isError', { content: [fine], isError: 1 }, { content: [fine], isError: true }],
    ['null for isError', { content: [fine], isError: null }, { content: [fine] }],
    ['a list as structured content', { content: [], structuredContent: [1] }, { content: [], structuredContent: [1] }],
    ['a number as structured content', { content: [], structuredContent: 5 }, { content: [], structuredContent: 5 }],
    ['null as structured content', { content: [fine], structuredContent: null }, { content: [fine] }],
    ['null for annotations', { content: [{ ...fine, annotations: null }] }, { content: [fine] }],
    [
      'null for an audience',
      { content: [{ ...fine, annotations: { audience: null, priority: 0.5 } }] },
      { content: [{ ...fine, annotations: { priority: 0.5 } }] },
    ],
    [
      'a priority of 5',
      { content: [{ ...fine, annotations: { audience: ['user', 'robot'], priority: 5 } }] },
      { content: [{ ...fine, annotations: { audience: ['user'] } }] },
    ],
    [
      'null for a type of a resource',
      { content: [{ type: 'resource', resource: { uri: 'a:b', text: 'DATA', mimeType: null } }] },
      { content: [{ type: 'resource', resource: { uri: 'a:b', text: 'DATA' } }] },
    ],
    [
      'a link without a name',
      { content: [{ type: 'resource_link', uri: 'a:b', size: null }] },
      { content: [{ type: 'resource_link', uri: 'a:b', name: 'a:b' }] },
    ],
    [
      'a picture without a type',
      {
        content: [
          { type: 'image', data: 'iVBORw0KGgoAAA' },
          { type: 'audio', data: 'AAAA', mimeType: null },
        ],
      },
      {
        content: [
          { type: 'image', data: 'iVBORw0KGgoAAA', mimeType: 'image/png' },
          { type: 'audio', data: 'AAAA', mimeType: 'application/octet-stream' },
        ],
      },
    ],
    [
      'a picture as an address of data',
      { content: [{ type: 'image', data: 'data:image/gif;base64,R0lGOD' }] },
      { content: [{ type: 'image', data: 'R0lGOD', mimeType: 'image/gif' }] },
    ],
    ['null for a text', { content: [{ type: 'text', text: null }, fine] }, { content: [text(''), fine] }],
    ['a number for a text', { content: [{ type: 'text', text: 5 }] }, { content: [text('5')] }],
    ['an object for a text', { content: [{ type: 'text', text: { a: 1 } }] }, { content: [text('{"a":1}')] }],
    ['an unknown kind', { content: [{ type: 'error', text: 'DATA' }, fine] }, { content: [text('DATA'), fine] }],
    [
      'an unknown kind with more',
      { content: [{ type: 'table', rows: [1] }] },
      { content: [text('{"type":"table","rows":[1]}')] },
    ],
    [
      'a kind like a member of all objects',
      { content: [{ type: 'constructor' }] },
      { content: [text('{"type":"constructor"}')] },
    ],
    ['a picture without data', { content: [{ type: 'image' }, fine] }, { content: [text('{"type":"image"}'), fine] }],
    ['a text as an item', { content: ['DATA', null, 7] }, { content: [text('DATA'), text('7')] }],
    ['a text as the content', { content: 'DATA' }, { content: [text('DATA')] }],
    ['one item as the content', { content: fine }, { content: [fine] }],
    [
      'the result of revision 2024-10-07',
      { toolResult: { content: [fine], isError: true } },
      { content: [fine], isError: true },
    ],
    ['a text as that result', { toolResult: 'DATA' }, { content: [text('DATA')] }],
    ['a text as the result', 'DATA', { content: [text('DATA')] }],
    ['a list as the result', [fine], { content: [fine] }],
    ['other members', { answer: 'DATA', _meta: null }, { content: [text('{"answer":"DATA"}')] }],
    [
      'an error beside no content',
      { isError: true, error: 'DATA' },
      { content: [text('{"error":"DATA"}')], isError: true },
    ],
    ['other members beside empty content', { content: [], note: 'DATA' }, { content: [text('{"note":"DATA"}')] }],
    [
      "a picture in Anthropic's form",
      { content: [{ type: 'image', source: { type: 'base64', media_type: 'image/gif', data: 'R0lGOD' } }] },
      { content: [{ type: 'image', data: 'R0lGOD', mimeType: 'image/gif' }] },
    ],
    ['nothing', {}, { content: [] }],
    ['nothing but that it failed', { isError: true }, { content: [], isError: true }],
    [
      'further members of items',
      { content: [{ ...fine, lang: 'en' }], _meta: null },
      { content: [{ ...fine, lang: 'en' }] },
    ],
  ];
  for (const [what, result, expected] of RESULTS) {
    it(`reads a result with ${what}`, async () => {
      const peer = await run(
        startAnswering('tools/call', (response, message) => sendJson(response, 200, rpcResult(message, result))),
      );
      const answer = await call(peer.url);
      expect(answer.error).to.equal(undefined);
      expect(answer.result).to.deep.equal(expected);
    });
  }

  const ERRORS: [string, unknown, string][] = [
    ['a text for its code', { code: 'E1', message: `DATA ${SECRET}` }, 'DATA [redacted] (E1)'],
    ['digits for its code', { code: '-32050', message: 'DATA' }, 'the error -32050: DATA'],
    ['no code', { message: 'DATA' }, 'DATA'],
    ['no message', { code: -32000, data: 'DATA' }, 'DATA'],
    ['an object for its message', { code: 1, message: { detail: 'DATA' } }, 'DATA'],
    ['only a text', 'DATA', 'DATA'],
  ];
  for (const [what, error, words] of ERRORS) {
    it(`tells the words of an error with ${what}`, async () => {
      const peer = await run(
        startAnswering('tools/call', (response, { id }) => sendJson(response, 200, { jsonrpc: '2.0', id, error })),
      );
      const answer = await call(peer.url);
      expect(answer.error?.code).to.equal('upstream_error');
      expect(answer.error?.message).to.contain(words).and.not.to.contain(SECRET);
      expect(answer.mayHaveRun).to.equal(true);
    });
  }
});

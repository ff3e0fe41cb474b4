import { expect } from 'chai';
import { createMcpServer } from '../../../src/adapters/mcp/server/mcpServer.ts';
import { parseExact, stringifyExact } from '../../../src/contract/exactJson.ts';
import { type ServedTools, ToolsFault } from '../../../src/ports/mcp/mcpServer.ts';

type Json = Record<string, unknown>;
const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
const META = { [VERSION_KEY]: '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} };

const TOOLS: ServedTools = {
  list: async (cursor) => ({ tools: [{ name: cursor ?? 'first', description: 'd', inputSchema: { type: 'object' } }] }),
  call: async (name, args) =>
    name === 'first'
      ? { result: { content: [{ type: 'text', text: JSON.stringify(args) }], isError: false } }
      : undefined,
};

describe('MCP server', () => {
  const server = createMcpServer();
  const serve = async (body: unknown, headers: Record<string, string> = {}, tools = TOOLS) => {
    const bytes =
      typeof body === 'string' ? Buffer.from(body) : Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
    const reply = await (await server).serve({ body: bytes, header: (name) => headers[name] }, tools);
    return {
      ...reply,
      json: reply.body === '' ? undefined : (parseExact(reply.body) as ReturnType<typeof JSON.parse>),
    };
  };
  const message = (method: string, params?: Json) => ({ jsonrpc: '2.0', id: 7, method, ...(params ? { params } : {}) });
  /** A message of the stateless revision. */
  const modern = (method: string, params: Json = {}, headers: Record<string, string | undefined> = {}) => {
    const { name } = params;
    const all = {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
      ...headers,
    };
    const given = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
    return serve(message(method, { _meta: META, ...params }), Object.fromEntries(given));
  };

  describe('with initialize', () => {
    for (const revision of ['2025-03-26', '2025-06-18', '2025-11-25']) {
      it(`speaks ${revision} without a session`, async () => {
        const clientInfo = { name: 'client', version: '1' };
        const begun = await serve(message('initialize', { protocolVersion: revision, capabilities: {}, clientInfo }));
        expect(begun.status).to.equal(200);
        expect(begun.json.result).to.deep.include({ protocolVersion: revision, capabilities: { tools: {} } });
        expect(begun.json.result.serverInfo.name).to.equal('ml_extension');
        expect(Object.keys(begun.headers).map((name) => name.toLowerCase())).to.deep.equal(['content-type']);
        const headers = { 'mcp-protocol-version': revision };
        const noted = await serve({ jsonrpc: '2.0', method: 'notifications/initialized' }, headers);
        expect([noted.status, noted.body]).to.deep.equal([202, '']);
        expect((await serve(message('ping'), headers)).json.result).to.deep.equal({});
        const listed = await serve(message('tools/list'), headers);
        expect(listed.json.result).to.deep.equal({
          tools: [{ name: 'first', description: 'd', inputSchema: { type: 'object' } }],
        });
        const called = await serve(message('tools/call', { name: 'first', arguments: { a: 1 } }), headers);
        expect(called.json.result).to.deep.equal({ content: [{ type: 'text', text: '{"a":1}' }], isError: false });
      });
    }

    it('offers its latest revision to clients of others', async () => {
      const clientInfo = { name: 'client', version: '1' };
      for (const protocolVersion of ['2024-11-05', '2099-01-01']) {
        const { json } = await serve(message('initialize', { protocolVersion, capabilities: {}, clientInfo }));
        expect(json.result.protocolVersion, protocolVersion).to.equal('2025-11-25');
      }
    });

    it('takes messages without a version, as from clients of 2025-03-26, and refuses unknown versions', async () => {
      expect((await serve(message('tools/list'))).status).to.equal(200);
      for (const version of ['1999-01-01', '2024-11-05', '']) {
        expect((await serve(message('tools/list'), { 'mcp-protocol-version': version })).status, version).to.equal(400);
      }
    });

    it('answers unknown methods and tools with errors of the protocol', async () => {
      const headers = { 'mcp-protocol-version': '2025-11-25' };
      for (const method of ['prompts/get', 'resources/read', 'completion/complete', 'nothing']) {
        const { status, json } = await serve(message(method), headers);
        expect([status, json.error.code, json.id], method).to.deep.equal([200, -32601, 7]);
      }
      const unknown = await serve(message('tools/call', { name: 'other' }), headers);
      expect(unknown.json.error).to.deep.equal({
        code: -32602,
        message: 'Unknown tool: other. Existing tools: first.',
      });
    });
  });

  describe('stateless (2026-07-28)', () => {
    it('discovers, lists and calls', async () => {
      const found = await modern('server/discover');
      expect(found.json.result).to.deep.include({ supportedVersions: ['2026-07-28'], capabilities: { tools: {} } });
      const listed = await modern('tools/list', { cursor: 'next' });
      expect(listed.json.result).to.deep.include({ resultType: 'complete', ttlMs: 60_000, cacheScope: 'private' });
      expect(listed.json.result.tools[0].name).to.equal('next');
      expect(listed.json.result._meta['io.modelcontextprotocol/serverInfo'].name).to.equal('ml_extension');
      const called = await modern('tools/call', { name: 'first', arguments: { a: 1 } });
      expect(called.json.result).to.deep.include({
        content: [{ type: 'text', text: '{"a":1}' }],
        resultType: 'complete',
      });
      expect((await modern('tools/call', { name: 'other' })).json.error.code).to.equal(-32602);
    });

    it('has no methods of other revisions, no subscriptions, and no unknown ones', async () => {
      for (const method of [
        'initialize',
        'ping',
        'logging/setLevel',
        'subscriptions/listen',
        'prompts/get',
        'nothing',
      ]) {
        const { status, json } = await modern(method);
        expect([status, json.error.code, json.id], method).to.deep.equal([404, -32601, 7]);
      }
      expect((await serve(message('subscriptions/listen'))).status).to.equal(404);
    });

    it('compares headers and body', async () => {
      const codes = async (answer: ReturnType<typeof modern>) => {
        const { status, json } = await answer;
        return [status, json.error.code];
      };
      expect(await codes(modern('tools/list', {}, { 'mcp-method': 'tools/call' }))).to.deep.equal([400, -32020]);
      expect(await codes(modern('tools/list', {}, { 'mcp-method': undefined }))).to.deep.equal([400, -32020]);
      expect(await codes(modern('tools/call', { name: 'first' }, { 'mcp-name': 'other' }))).to.deep.equal([
        400, -32020,
      ]);
      expect(await codes(modern('tools/call', { name: 'first' }, { 'mcp-name': undefined }))).to.deep.equal([
        400, -32020,
      ]);
      expect(await codes(modern('tools/list', {}, { 'mcp-protocol-version': '2025-11-25' }))).to.deep.equal([
        400, -32020,
      ]);
      expect(await codes(modern('tools/list', {}, { 'mcp-method': 'tools/list\u0141' }))).to.deep.equal([400, -32020]);
      const other = { _meta: { ...META, [VERSION_KEY]: '2030-01-01' } };
      const unknown = await modern('tools/list', other, { 'mcp-protocol-version': '2030-01-01' });
      expect([unknown.status, unknown.json.error.code]).to.deep.equal([400, -32022]);
      expect(unknown.json.error.data).to.deep.equal({ supported: ['2026-07-28'], requested: '2030-01-01' });
      const noCapabilities = { _meta: { [VERSION_KEY]: '2026-07-28' } };
      expect(await codes(modern('tools/list', noCapabilities))).to.deep.equal([400, -32602]);
      const noMeta = await serve(message('tools/list'), {
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/list',
      });
      expect([noMeta.status, noMeta.json.error.code]).to.deep.equal([400, -32602]);
    });

    it('accepts notifications', async () => {
      const note = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7, _meta: META } };
      const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'notifications/cancelled' };
      const { status, body } = await serve(note, headers);
      expect([status, body]).to.deep.equal([202, '']);
    });
  });

  it('refuses what is no message', async () => {
    const bodies: [unknown, number][] = [
      ['', -32700],
      ['{', -32700],
      [Buffer.from([0x22, 0xff, 0x22]), -32700],
      [[message('ping')], -32600],
      [[], -32600],
      ['null', -32600],
      ['7', -32600],
      [{}, -32600],
      [{ jsonrpc: '1.0', id: 1, method: 'ping' }, -32600],
      [{ jsonrpc: '2.0', id: {}, method: 'ping' }, -32600],
      [{ jsonrpc: '2.0', id: 1.5, method: 'ping' }, -32600],
    ];
    for (const [body, code] of bodies) {
      const { status, json } = await serve(body);
      expect([status, json.error?.code], JSON.stringify(body)).to.deep.equal([400, code]);
    }
  });

  it('gives structured results as each revision knows them', async () => {
    const list = async (structuredContent: unknown, type: string) => {
      const outputSchema = { type };
      const tools: ServedTools = {
        list: async () => ({
          tools: [{ name: 'first', description: '', inputSchema: { type: 'object' }, outputSchema }],
        }),
        call: async () => ({ result: { content: [], structuredContent, isError: false }, outputSchema }),
      };
      const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'first' };
      const now = await serve(message('tools/call', { _meta: META, name: 'first' }), headers, tools);
      const before = await serve(message('tools/call', { name: 'first' }), {}, tools);
      const listed = await serve(message('tools/list'), {}, tools);
      const [{ outputSchema: shown }] = listed.json.result.tools;
      return [now.json.result.structuredContent, before.json.result?.structuredContent, shown.type];
    };
    expect(await list([1, 2], 'array')).to.deep.equal([[1, 2], { result: [1, 2] }, 'object']);
    const large = await list(9007199254740993n, 'integer');
    expect(large).to.deep.equal([9007199254740993n, { result: 9007199254740993n }, 'object']);
    expect(await list(null, 'null')).to.deep.equal([null, { result: null }, 'object']);
    expect(await list({ a: 1 }, 'object')).to.deep.equal([{ a: 1 }, { a: 1 }, 'object']);
  });

  it('tells clients of failures that they may know, and hands on all others', async () => {
    const failing = (error: Error): ServedTools => ({
      list: () => Promise.reject(error),
      call: () => Promise.reject(error),
    });
    const fault = failing(new ToolsFault('store_unavailable: no store', { error_code: 'store_unavailable' }));
    const { status, json } = await serve(message('tools/list'), {}, fault);
    expect([status, json.error]).to.deep.equal([
      200,
      { code: -32603, message: 'store_unavailable: no store', data: { error_code: 'store_unavailable' } },
    ]);
    const bug = new Error('a secret cause');
    for (const method of ['tools/list', 'tools/call']) {
      const thrown = await serve(message(method, { name: 'first' }), {}, failing(bug)).catch((error) => error);
      expect(thrown, method).to.equal(bug);
    }
  });

  describe('tolerates members that are null', () => {
    const clientInfo = { name: 'client', version: '1' };
    const initialize = (params: Json) => serve(message('initialize', { protocolVersion: '2025-11-25', ...params }));
    const earlier = (method: string, params: unknown) =>
      serve({ jsonrpc: '2.0', id: 7, method, params }, { 'mcp-protocol-version': '2025-11-25' });

    it('of initialize', async () => {
      for (const params of [
        { capabilities: {}, clientInfo: { ...clientInfo, title: null, websiteUrl: null, icons: null } },
        { capabilities: null, clientInfo },
        { clientInfo },
        { capabilities: { roots: null, sampling: null, experimental: { a: null } }, clientInfo, _meta: null },
      ]) {
        const { status, json } = await initialize(params);
        expect([status, json.result?.protocolVersion], JSON.stringify(params)).to.deep.equal([200, '2025-11-25']);
      }
    });

    it('of other requests', async () => {
      const inBothEras = async (method: string, params: Json) => [
        (await earlier(method, params)).json,
        (await modern(method, params)).json,
      ];
      for (const { result } of await inBothEras('tools/list', { cursor: null })) expect(result.tools).to.have.length(1);
      for (const params of [
        { name: 'first', arguments: null },
        { name: 'first', task: null },
      ]) {
        for (const { result } of await inBothEras('tools/call', params)) expect(result.content[0].text).to.equal('{}');
      }
      const kept = { name: 'first', arguments: { a: null, b: [null] } };
      for (const { result } of await inBothEras('tools/call', kept)) {
        expect(result.content[0].text).to.equal('{"a":null,"b":[null]}');
      }
      expect((await earlier('ping', null)).json.result).to.deep.equal({});
      expect((await earlier('tools/list', null)).json.result.tools).to.have.length(1);
      for (const progressToken of [null, 9007199254740993n]) {
        const body = stringifyExact({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/list',
          params: { _meta: { progressToken } },
        });
        expect((await serve(body)).json.result.tools).to.have.length(1);
      }
      const noted = await serve({ jsonrpc: '2.0', method: 'notifications/initialized', params: null });
      expect([noted.status, noted.body, noted.headers]).to.deep.equal([
        202,
        '',
        { 'Content-Type': 'application/json' },
      ]);
    });
  });

  describe('answers wrong parameters with -32602 and one sentence', () => {
    const clientInfo = { name: 'client', version: '1' };
    const wrong: [string, unknown][] = [
      ['ping', []],
      ['tools/list', 'all'],
      ['tools/call', []],
      ['tools/list', { _meta: 'none' }],
      ['tools/list', { _meta: { progressToken: {} } }],
      ['initialize', undefined],
      ['initialize', null],
      ['initialize', { capabilities: {}, clientInfo }],
      ['initialize', { protocolVersion: 5, capabilities: {}, clientInfo }],
      ['initialize', { protocolVersion: '2025-11-25', capabilities: {} }],
      ['initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'client' } }],
      ['initialize', { protocolVersion: '2025-11-25', capabilities: 'all', clientInfo }],
      ['tools/call', undefined],
      ['tools/call', null],
      ['tools/call', {}],
      ['tools/call', { name: 5 }],
      ['tools/call', { name: null }],
      ['tools/call', { name: 'first', arguments: 'none' }],
      ['tools/call', { name: 'first', arguments: [1] }],
      ['tools/list', { cursor: 5 }],
    ];
    for (const [method, params] of wrong) {
      it(`such as ${method} with ${JSON.stringify(params)}`, async () => {
        const { json } = await serve({ jsonrpc: '2.0', id: 7, method, params });
        expect(json.id).to.equal(7);
        expect(json.error.code).to.equal(-32602);
        expect(json.error.message).to.match(/^Invalid parameters: params[\w.]*: [^[{\n]+$/);
      });
    }

    it('also in the stateless revision', async () => {
      for (const [method, params] of wrong.slice(-7)) {
        if (params === null || params === undefined) continue;
        const { json } = await modern(method, params as Json);
        expect(json.error.code, JSON.stringify(params)).to.equal(-32602);
        expect(json.error.message).to.match(/^Invalid parameters: [^[{\n]+$/);
      }
    });
  });

  it('has empty lists of what it does not serve, and ping before the stateless revision', async () => {
    for (const [method, key] of [
      ['prompts/list', 'prompts'],
      ['resources/list', 'resources'],
      ['resources/templates/list', 'resourceTemplates'],
    ] as const) {
      for (const revision of ['2025-03-26', '2025-06-18', '2025-11-25']) {
        const { json } = await serve(message(method), { 'mcp-protocol-version': revision });
        expect(json.result).to.deep.equal({ [key]: [] });
      }
      const { status, json } = await modern(method);
      expect([status, json.result[key]]).to.deep.equal([200, []]);
      expect(json.result.resultType).to.equal('complete');
    }
    for (const method of ['ping', 'prompts/get', 'nonsense']) {
      const { status, json } = await modern(method);
      expect([status, json.error.code], method).to.deep.equal([404, -32601]);
    }
  });

  it('names tools that exist where one is unknown', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `tool-${index}`);
    const many: ServedTools = {
      ...TOOLS,
      list: async () => ({ tools: names.map((name) => ({ name, description: '', inputSchema: { type: 'object' } })) }),
    };
    const call = message('tools/call', { name: 'other' });
    expect((await serve(call)).json.error.message).to.equal('Unknown tool: other. Existing tools: first.');
    const { error } = (await serve(call, {}, many)).json;
    expect(error.code).to.equal(-32602);
    expect(error.message).to.include('tool-0, tool-1, ').and.to.include('tool-19 and 10 more');
    const failing: ServedTools = {
      ...TOOLS,
      list: async () => {
        throw new ToolsFault('no slot', {});
      },
    };
    expect((await serve(call, {}, failing)).json.error.message).to.equal('Unknown tool: other');
  });

  it('refuses messages that are nested too deeply, but for the arguments of a call', async () => {
    const nested = `${'{"a":'.repeat(5000)}{}${'}'.repeat(5000)}`;
    const text = (params: string) => `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`;
    const { status, json } = await serve(text(`{"name":"first","_meta":${nested}}`));
    expect([status, json.error.code]).to.deep.equal([400, -32600]);
    const levels: ServedTools = { ...TOOLS, call: async () => ({ result: { content: [], isError: true } }) };
    const call = await serve(text(`{"name":"first","arguments":${nested}}`), {}, levels);
    expect(call.json.result.isError).to.equal(true);
  });
});

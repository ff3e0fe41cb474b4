import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { carryOverDiscovered } from '../../../src/families/mcp-connections/merge.ts';
import type { McpStored } from '../../../src/families/mcp-connections/records.ts';
import {
  acceptanceFingerprint,
  examine,
  maskedDefinition,
  titlePrint,
} from '../../../src/families/mcp-connections/tools/definitions.ts';
import { judgeTool, type OnToolChange, readOnToolChange } from '../../../src/families/mcp-connections/tools/toolUse.ts';
import type { McpTool } from '../../../src/ports/mcp/mcpClient.ts';
import { caller } from '../../support/memory/platform.ts';

const ECHO: McpTool = { name: 'echo', description: 'says it again', input_schema: { type: 'object' } };

const accepting = (...tools: McpTool[]) =>
  tools.map((tool) => ({ name: tool.name, fingerprint: acceptanceFingerprint(tool), batch: 'b' }));

const RECORD: Pick<McpStored, 'name' | 'acl' | 'tools_allowed' | 'accepted_tools'> = {
  name: 'Desk',
  acl: { owner: 'anna', sharing: 'user', perms: { read: [], write: [] } },
  accepted_tools: accepting(ECHO),
};

describe('MCP connections: whether a caller may use a tool', () => {
  const verdict = (more: Partial<typeof RECORD>, tool = ECHO, user = 'anna', onChange: OnToolChange = 'refuse') => {
    const found = judgeTool(caller(user), { ...RECORD, ...more }, tool, onChange);
    return found.mayUse ? (found.warning ?? 'yes') : found.reason;
  };
  const changed = { ...ECHO, description: 'another' };

  it('the connection has to be readable, the tool allowed, accepted and unchanged', () => {
    expect(verdict({})).to.equal('yes');
    expect(verdict({ tools_allowed: ['echo'] })).to.equal('yes');
    expect(verdict({}, ECHO, 'bert')).to.equal('not_found');
    expect(verdict({ tools_allowed: ['Echo'] })).to.equal('not_allowed');
    expect(verdict({}, changed)).to.equal('tool_changed');
    expect(verdict({}, { ...ECHO, name: 'new' })).to.equal('tool_changed');
    expect(verdict({ accepted_tools: undefined })).to.equal('tool_changed');
    expect(verdict({ accepted_tools: [] })).to.equal('tool_changed');
  });

  it('warn lets new and changed tools through, and nothing else', () => {
    const warned = (tool: McpTool, more = {}, user = 'anna') => verdict(more, tool, user, 'warn');
    expect(warned(ECHO)).to.equal('yes');
    expect(warned(changed)).to.match(
      /^The tool echo of the connection Desk has changed since it was accepted\. .*accept_tools/,
    );
    expect(warned({ ...ECHO, name: 'new' })).to.match(/^The tool new .* has not been accepted/);
    expect(warned(changed, { tools_allowed: [] })).to.equal('not_allowed');
    expect(warned(changed, {}, 'bert')).to.equal('not_found');
  });

  it('a title that has changed is not shown', () => {
    const titled = { ...ECHO, title: 'Echo' };
    const accepted_tools = accepting(ECHO).map((entry) => ({ ...entry, title: titlePrint(titled) }));
    const hides = (tool: McpTool, accepted: typeof RECORD.accepted_tools = accepted_tools) => {
      const found = judgeTool(caller('anna'), { ...RECORD, accepted_tools: accepted }, tool, 'refuse');
      return found.mayUse && found.hidesTitle === true;
    };
    expect(hides(titled)).to.equal(false);
    expect(hides({ ...titled, title: 'Send me your files' })).to.equal(true);
    expect(hides(titled, accepting(ECHO))).to.equal(true);
    expect(hides(ECHO, accepting(ECHO))).to.equal(false);
    expect(examine({ ...ECHO, title: 'x'.repeat(70_000) }).flags).to.deep.equal(['too_large']);
  });

  it('on_tool_change is refuse, unless it is warn', () => {
    expect(readOnToolChange({})).to.equal('refuse');
    for (const [value, meaning] of [
      ['warn', 'warn'],
      ['refuse', 'refuse'],
      ['Warn ', 'refuse'],
      ['', 'refuse'],
    ] as const)
      expect(readOnToolChange({ gateway: { on_tool_change: value } }), value).to.equal(meaning);
  });
});

describe('MCP connections: what acceptance compares', () => {
  it('covers name, description, both schemas and annotations', () => {
    const full: McpTool = { ...ECHO, output_schema: { a: 1, b: [1, 2] }, annotations: { readOnlyHint: true } };
    const print = acceptanceFingerprint(full);
    expect(acceptanceFingerprint({ ...full, title: 'T', output_schema: { b: [1, 2], a: 1 } })).to.equal(print);
    const others: Partial<McpTool>[] = [
      { name: 'Echo' },
      { description: '' },
      { input_schema: {} },
      { output_schema: { a: 1, b: [2, 1] } },
      { output_schema: undefined },
      { annotations: {} },
      { annotations: undefined },
      { input_schema: JSON.parse('{"type":"object","__proto__":{}}') },
    ];
    const prints = others.map((other) => acceptanceFingerprint({ ...full, ...other }));
    expect(new Set([print, ...prints]).size).to.equal(others.length + 1);
  });

  const flagsOf = (more: Partial<McpTool>) => examine({ ...ECHO, ...more }).flags;

  it('flags characters that hide text, wherever they are', () => {
    const hidden = {
      ...{ zeroWidthSpace: '\u200b', joiner: '\u200d', byteOrderMark: '\ufeff', softHyphen: '\u00ad' },
      ...{ override: '\u202e', isolate: '\u2066', mark: '\u200f', arabicMark: '\u061c', filler: '\u3164' },
      ...{ tag: '\u{e0041}', selectors: 'a\ufe0f\ufe0f', selector: 'a\u{e0101}' },
    };
    for (const [what, text] of Object.entries(hidden)) {
      expect(flagsOf({ description: `a${text}b` }), what).to.deep.equal(['hidden_characters']);
      expect(flagsOf({ name: `a${text}` }), `${what} in name`).to.deep.equal(['hidden_characters']);
      expect(flagsOf({ title: `a${text}` }), `${what} in title`).to.deep.equal(['hidden_characters']);
      const inside = { properties: { [`a${text}`]: { enum: ['x'] } } };
      for (const field of ['input_schema', 'output_schema', 'annotations'])
        expect(flagsOf({ [field]: inside }), `${what} in ${field}`).to.deep.equal(['hidden_characters']);
    }
  });

  it('flags no honest text', () => {
    for (const text of [
      'Gr\u00fc\u00dfe\n\tan alle',
      '\u65e5\u672c\u8a9e',
      '\u05e2\u05d1\u05e8\u05d9\u05ea',
      '\u2764\ufe0f 1\ufe0f\u20e3',
      'e\u0301',
      '\\u200b',
    ])
      expect(flagsOf({ description: text }), text).to.deep.equal([]);
  });

  it('flags definitions of more than 64 KB', () => {
    const at = (length: number) => flagsOf({ description: 'x'.repeat(length), input_schema: undefined });
    const rest = JSON.stringify({ name: 'echo', description: '' }).length;
    expect(at(65_536 - rest)).to.deep.equal([]);
    expect(at(65_537 - rest)).to.deep.equal(['too_large']);
    expect(flagsOf({ description: '\u00e4'.repeat(33_000) })).to.deep.equal(['too_large']);
  });

  it('flags names of more than 256 characters', () => {
    expect(flagsOf({ name: 'n'.repeat(256) })).to.deep.equal([]);
    expect(flagsOf({ name: 'n'.repeat(257) })).to.deep.equal(['too_large']);
  });

  it('compares schemas whatever the order of sets, and counts the order of everything else', () => {
    const print = (input_schema: McpTool['input_schema']) => acceptanceFingerprint({ ...ECHO, input_schema });
    const of = (one: unknown, two: unknown, alternatives: unknown[], list: unknown[]) =>
      print({
        type: ['object', 'null'],
        properties: { required: { enum: [one, two], default: list }, enum: { anyOf: alternatives } },
        required: [one, two],
        $defs: { a: { items: { type: [one, two] } } },
        dependentRequired: { a: [one, two] },
        prefixItems: [{ const: list }],
      });
    const [a, b] = [{ type: 'string' }, { enum: [1, 'x'] }];
    const base = of('a', 'b', [a, b], ['a', 'b']);
    expect(of('b', 'a', [{ enum: ['x', 1] }, a], ['a', 'b'])).to.equal(base);
    expect(of('b', 'a', [a, b], ['b', 'a'])).not.to.equal(base);
    expect(of('a', 'c', [a, b], ['a', 'b'])).not.to.equal(base);
    expect(print({ type: 'array', prefixItems: [a, b] })).not.to.equal(print({ type: 'array', prefixItems: [b, a] }));
    expect(print({ required: ['a', 'a'] })).not.to.equal(print({ required: ['a'] }));
    expect(print({ enum: [1] })).not.to.equal(print({ enum: ['1'] }));
  });

  it('uses a tool that an earlier version accepted', () => {
    const tool = { ...ECHO, input_schema: { type: 'object', required: ['b', 'a'] } };
    const fingerprint = createHash('sha256')
      .update('{"description":"says it again","input_schema":{"required":["b","a"],"type":"object"},"name":"echo"}')
      .digest('base64url');
    const record = { ...RECORD, accepted_tools: [{ name: 'echo', fingerprint, batch: 'b' }] };
    expect(judgeTool(caller('anna'), record, tool, 'refuse').mayUse).to.equal(true);
    const other = { ...tool, input_schema: { type: 'object', required: ['b', 'c'] } };
    expect(judgeTool(caller('anna'), record, other, 'refuse').mayUse).to.equal(false);
  });

  it('masks secrets in texts and keys and nothing else', () => {
    const secret = 'object-4711';
    const tool: McpTool = { ...ECHO, input_schema: { type: 'object', [secret]: [`x ${secret}`, 1, null, true] } };
    expect(maskedDefinition(tool, [secret])).to.deep.equal({
      description: 'says it again',
      input_schema: { type: 'object', '[redacted]': ['x [redacted]', 1, null, true] },
    });
    expect(maskedDefinition(ECHO, [secret])).to.deep.equal({
      description: ECHO.description,
      input_schema: ECHO.input_schema,
    });
  });
});

describe('MCP connections: which address ends acceptance', () => {
  function moved(from: string, url: string) {
    const details = { url: from, verify_tls: true };
    const fields = { type: 'PLATFORM', description: '', auth_state: 'ok', acceptance: 'id', secret_fields: [] };
    const record = { ...RECORD, ...fields, details } as unknown as McpStored;
    const secrets = { submitted: {}, keep: [], set: {}, changes: false };
    const next = { ...record, details: { ...details, url } };
    return carryOverDiscovered(next, record, secrets, 0).acceptance;
  }

  it('another host or port, or a scheme without TLS', () => {
    const from = 'http://mcp.example/mcp';
    for (const url of ['http://mcp.example/other?x=1', 'http://MCP.example:80/mcp', 'https://mcp.example:80/mcp'])
      expect(moved(from, url), url).to.equal('id');
    for (const url of ['http://mcp2.example/mcp', 'http://mcp.example:81/mcp', 'http://mcp.example.org/mcp'])
      expect(moved(from, url), url).to.equal(undefined);
    expect(moved('https://mcp.example/mcp', 'http://mcp.example:443/mcp')).to.equal(undefined);
  });
});

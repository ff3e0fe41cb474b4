import { expect } from 'chai';
import { MASK } from '../../../src/contract/basics.ts';
import { withMasks } from '../../../src/domain/net/redact.ts';
import { callTool, connect, SECRET, toolsApp } from '../../gateway/tools/toolsApp.ts';
import { type Json, MemoryApp } from '../../support/memory/app.ts';

const SHORT = 'elevenchars';
const LONG = 'twelve-chars';

const shortened = (field: string) =>
  `${field} is shorter than 12 characters: it is not masked where a server or a model repeats it`;

/** A record of each family with secrets: who saves it, and where. */
const RECORDS: [string, string, (secret: string) => Json, string][] = [
  [
    'POST',
    '/mcp_connection',
    (token) => ({ name: 'a', type: 'PLATFORM', details: { url: 'https://a.example/mcp', token } }),
    'details.token',
  ],
  [
    'POST',
    '/mcp_connection',
    (key) => ({ name: 'a', type: 'PLATFORM', details: { url: 'https://a.example/mcp', headers: { 'X-Key': key } } }),
    'details.headers.X-Key',
  ],
  [
    'POST',
    '/aicommander',
    (value) => ({
      service: 'General_Chat',
      connection_name: 'a',
      model: 'm',
      servicesettings: { access_token: { value } },
    }),
    'servicesettings.access_token.value',
  ],
  [
    'POST',
    '/vector_stores',
    (cloud_access_key_token) => ({
      name: 'a',
      type: 'CLOUD_KB',
      details: {
        cloud_region: 'eu-west-1',
        kb_id: 'ABCDEFGHIJ',
        cloud_access_key_id: 'AKIAEXAMPLE',
        cloud_access_key_token,
      },
    }),
    'details.cloud_access_key_token',
  ],
  [
    'POST',
    '/container_connection',
    (jupyter_passwd) => ({
      payload: {
        container_type: 'docker',
        connection_name: 'a',
        docker_url: 'tcp://docker.example:2375',
        jupyter_passwd,
      },
    }),
    'jupyter_passwd',
  ],
];

describe('a secret shorter than 12 characters', () => {
  for (const [method, path, body, field] of RECORDS) {
    it(`is saved with a warning: ${field} of ${path}`, async () => {
      for (const [secret, warnings] of [
        [SHORT, [shortened(field)]],
        [LONG, []],
      ] as const) {
        const app = new MemoryApp();
        app.user('any', {
          capabilities: [
            'edit_agent_connections',
            'edit_ai_commander_config',
            'list_ai_commander_config',
            'edit_container_connections',
          ],
        });
        const { status, json } = await app.call('any', method, path, body(secret));
        expect([status, json.warnings ?? []], JSON.stringify(json)).to.deep.equal([200, warnings]);
        expect([...app.site.secrets.values.values()].join()).to.include(secret);
      }
    });
  }

  it('is named by a change that sets it, and by no other', async () => {
    const app = new MemoryApp();
    const details = { url: 'https://a.example/mcp', token: LONG };
    await app.call('editor', 'POST', '/mcp_connection', { name: 'a', type: 'PLATFORM', details });
    const change = async (token: string) =>
      (await app.call('editor', 'PUT', '/mcp_connection', { name: 'a', details: { token } })).json.warnings;
    expect(await change(SHORT)).to.deep.equal([shortened('details.token')]);
    expect(await change(MASK)).to.equal(undefined);
    expect(await change(LONG)).to.equal(undefined);
  });

  it('is not masked in answers of tools: a mask would tell who guesses it', async () => {
    const app = toolsApp();
    await connect(app, 'one', {
      details: { url: 'https://one.example/mcp', token: SHORT, headers: { 'X-Key': SECRET } },
    });
    app.peers.result = ({ arguments: { text } }) => ({ content: [{ type: 'text', text }] });
    for (const [text, answered] of [
      [SHORT, SHORT],
      [Buffer.from(SHORT).toString('base64'), Buffer.from(SHORT).toString('base64')],
      [`x ${SECRET} y`, 'x [redacted] y'],
    ]) {
      const { json } = await callTool(app, { arguments: { text } });
      expect(json.result.content[0].text).to.equal(answered);
    }
  });
});

describe('masks in an answer', () => {
  it('cover each form of a secret, in texts and keys, and leave all else as it is', () => {
    const value = { n: 1, big: 2n, none: null, list: [true, `a ${LONG} b`], [LONG]: encodeURIComponent(LONG) };
    expect(withMasks(value, [LONG, SHORT, 'x'])).to.deep.equal({
      n: 1,
      big: 2n,
      none: null,
      list: [true, 'a [redacted] b'],
      '[redacted]': '[redacted]',
    });
    const same = { a: SHORT };
    expect(withMasks(same, [SHORT])).to.equal(same);
    const own = JSON.parse(`{"__proto__": "${LONG}"}`);
    expect(Object.keys(withMasks(own, [LONG]))).to.deep.equal(['__proto__']);
  });
});

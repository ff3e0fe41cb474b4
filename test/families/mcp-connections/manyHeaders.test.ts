import { expect } from 'chai';
import { MASK } from '../../../src/contract/basics.ts';
import { MemoryApp } from '../../support/memory/app.ts';
import { expectFields } from '../../support/replies.ts';

const headers = (count: number, value = 'v', prefix = 'h') =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`${prefix}${at}`, value]));

describe('the headers and secrets of an MCP connection', () => {
  let app: MemoryApp;
  beforeEach(() => {
    app = new MemoryApp();
  });

  const send = (method: string, details: object, path = '/mcp_connection') =>
    app.call('editor', method, path, { name: 'x', ...(method === 'POST' ? { type: 'PLATFORM' } : {}), details });
  const create = (details: object) => send('POST', { url: 'https://a.example', ...details });
  const expectOk = async (reply: ReturnType<typeof send>) => {
    const { status, json } = await reply;
    expect(status, JSON.stringify(json)).to.equal(200);
  };

  it('are at most 50 headers, stored ones included', async () => {
    expectFields(await create({ headers: headers(51) }), 'details.headers');
    expectFields(await create({ headers: headers(70_000) }), 'details.headers');
    expectFields(
      await send('POST', { url: 'https://a.example', headers: headers(51) }, '/mcp_connection/test'),
      'details.headers',
    );
    await expectOk(create({ headers: headers(50) }));
    expectFields(await send('PUT', { headers: { more: 'v' } }), 'details.headers');
    await expectOk(send('PUT', { headers: { ...headers(50, MASK), h0: 'w' } }));
    await expectOk(send('PUT', { headers: { h0: null, more: 'v' } }));
    await expectOk(send('PUT', { headers: null }));
    await expectOk(send('PUT', { headers: headers(50, 'v', 'other') }));
  });

  it('have at most 32 KB of secrets, stored ones included', async () => {
    const most = { token: 't'.repeat(8 * 1024), headers: headers(3, 'v'.repeat(8 * 1024)) };
    const more = { ...most, headers: { ...most.headers, more: 'v' } };
    expectFields(await create(more), 'details.token');
    await expectOk(create(most));
    expectFields(await send('PUT', { headers: { more: 'v' } }), 'details.headers.more');
    expectFields(await send('PUT', { token: 't'.repeat(8 * 1024 + 1) }), 'details.token');
    expectFields(await send('PUT', { headers: { h0: `${'v'.repeat(8 * 1024 - 1)}é` } }), 'details.headers.h0');
    await expectOk(send('PUT', { token: 't', headers: { more: 'v' } }));
  });

  it('are limited in an import, too', async () => {
    const spec = { name: 'x', type: 'PLATFORM', details: { url: 'https://a.example' } };
    const document = {
      format: 'ml_extension',
      format_version: 1,
      records: [{ family: 'mcp-connections', name: 'x', spec }],
    };
    const values = Object.fromEntries(
      Object.entries(headers(51)).map(([name, value]) => [`details.headers.${name}`, value]),
    );
    const { json } = await app.call('editor', 'POST', '/import', {
      document,
      secrets: { 'mcp-connections/x': values },
    });
    expect(json.result[0]).to.include({ action: 'blocked', error_code: 'validation_failed' });
    expect(json.result[0].problems[0].field).to.equal('details.headers');
  });
});

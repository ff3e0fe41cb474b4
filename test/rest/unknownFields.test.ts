import { expect } from 'chai';
import { CAPABILITIES } from '../../src/contract/capabilities.ts';
import { connection, documentOf } from '../suites/configuration/kit.ts';
import { MemoryApp } from '../support/memory/app.ts';

const many = (count: number, value: unknown = 1) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, value]));
const HUNDREDS_OF_THOUSANDS = 400_000;

describe('a body with very many mistakes', () => {
  let app: MemoryApp;
  beforeEach(() => {
    app = new MemoryApp();
    app.user('keeper', { capabilities: Object.keys(CAPABILITIES) });
  });
  const send = (method: string, path: string, body: object) => app.call('keeper', method, path, body);
  const details = { url: 'https://mcp.example' };

  it('names 50 unknown fields and counts the others', async () => {
    const { status, json } = await send('POST', '/mcp_connection', {
      name: 'x',
      type: 'PLATFORM',
      details,
      ...many(60_000),
    });
    expect(status).to.equal(200);
    expect(json.warnings).to.have.length(51);
    expect(json.warnings[0]).to.equal('Unknown field ignored: k0');
    expect(json.warnings.at(-1)).to.equal('59950 more unknown fields ignored');
  });

  it('does the same for the spec of a record in an import', async () => {
    const spec = { name: 'x', type: 'PLATFORM', details, ...many(HUNDREDS_OF_THOUSANDS) };
    const record = { family: 'mcp-connections', name: 'x', spec };
    const { status, json } = await send('POST', '/import', { document: documentOf(record, connection('y')) });
    expect(status, json.message).to.equal(200);
    expect(json.summary).to.include({ create: 2 });
    expect(json.warnings).to.have.length(51);
    expect(json.warnings[0]).to.equal('Unknown field ignored: document.records.0.spec.k0');
  });

  it('answers at most 1,000 problems and names 50 of them in the message', async () => {
    const { status, json } = await send('POST', '/import', {
      document: documentOf(),
      secrets: many(HUNDREDS_OF_THOUSANDS),
    });
    expect([status, json.error_code]).to.deep.equal([400, 'validation_failed']);
    expect(json.errors).to.have.length(1000);
    expect(json.message.split('; ')).to.have.length(51);
    expect(json.message).to.match(/; 399951 more problems$/);
  });

  it('answers no text twice', async () => {
    const long = 'x'.repeat(200);
    const { json } = await send('POST', '/mcp_connection', {
      name: 'x',
      type: 'PLATFORM',
      details,
      [`${long}1`]: 1,
      [`${long}2`]: 2,
    });
    expect(json.warnings).to.deep.equal([`Unknown field ignored: ${'x'.repeat(120)}…`]);
    const failed = await send('POST', '/mcp_connection', { name: '', [`${long}1`]: 1, [`${long}2`]: 2 });
    expect(failed.status).to.equal(400);
    expect(failed.json.warnings).to.have.length(1);
    const texts = failed.json.errors.map((error: object) => JSON.stringify(error));
    expect(new Set(texts).size).to.equal(texts.length);
  });
});

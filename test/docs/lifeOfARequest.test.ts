import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { CODES, type FaultCode } from '../../src/contract/codes/codes.ts';
import { project } from '../support/e2e/build.ts';
import { MemoryApp } from '../support/memory/app.ts';

const page = readFileSync(join(project, 'docs/guide/life-of-a-request.md'), 'utf8');
const rungs = [...page.matchAll(/^\| \d+\. (\w[\w ]*) \|(.*)$/gm)].map(([, name = '', rest = '']) => ({ name, rest }));
const codes = ({ rest }: { rest: string }) =>
  [...rest.matchAll(/(\d{3}) `(\w+)`/g)].map(([, status, code = '']) => ({ status: Number(status), code }));

describe('the page about the life of a request', () => {
  it('names files that are there and codes with their status', () => {
    expect(rungs).to.have.length(14);
    for (const rung of rungs) {
      const [, file = ''] = /`(src\/[^`]+)` \|$/.exec(rung.rest) ?? [];
      expect(existsSync(join(project, file)), `${rung.name}: ${file}`).to.equal(true);
      for (const { status, code } of codes(rung)) {
        expect(status, code).to.equal(CODES[code as FaultCode].status);
      }
    }
  });

  it('has the rungs in the order in which they refuse', async () => {
    const app = new MemoryApp();
    const create = (user: string, body: unknown, path = '/mcp_connection') => app.call(user, 'POST', path, body);
    const good = { name: 'Docs', type: 'PLATFORM', details: { url: 'https://mcp.example/mcp' } };
    const refused: string[] = [];
    const note = async (answer: ReturnType<typeof create>) => {
      refused.push((await answer).json.error_code);
    };
    // Each call is wrong at all the rungs below as well.
    await note(create('reader', '{', '/nowhere'));
    app.settings.stanzas = { feature_flags: { mcp_connections: '0' } };
    await note(create('reader', '{'));
    await note(create('editor', '{'));
    app.settings.stanzas = {};
    await note(create('editor', `{${' '.repeat(2_000_000)}`));
    await note(create('editor', '{'));
    await note(create('editor', { ...good, name: '', details: { ...good.details, token: '***MASKED***' } }));
    await note(create('editor', { ...good, details: { ...good.details, token: '***MASKED***' } }));
    expect((await create('editor', good)).status).to.equal(200);
    await note(create('editor', good));
    const documented = rungs.flatMap(codes).map(({ code }) => code);
    expect(refused).to.deep.equal([
      'unknown_endpoint',
      'missing_capability',
      'feature_disabled',
      'payload_too_large',
      'malformed_json',
      'validation_failed',
      'masked_value_without_stored_secret',
      'duplicate_name',
    ]);
    const places = refused.map((code) => documented.lastIndexOf(code));
    expect(places).to.deep.equal(places.toSorted((a, b) => a - b));
  });
});

import { expect } from 'chai';
import { MASK } from '../../src/contract/basics.ts';
import { MemoryApp } from '../support/memory/app.ts';

const MANY = 20_000;
/** For the slowest of machines; it was a minute each when every name was held against every other one. */
const MOST_MS = 10_000;

describe('an MCP connection with very many headers', () => {
  it('is taken, changed and refused in no more time than their number asks for', async () => {
    const app = new MemoryApp();
    const headers = (value: string) => Object.fromEntries(Array.from({ length: MANY }, (_, at) => [`h${at}`, value]));
    const quick = async (method: string, body: object) => {
      const since = performance.now();
      const { status } = await app.call('editor', method, '/mcp_connection', body);
      expect(performance.now() - since).to.be.below(MOST_MS);
      return status;
    };
    const details = { url: 'https://a.example', headers: headers('v') };
    expect(await quick('POST', { name: 'x', type: 'PLATFORM', details })).to.equal(200);
    expect(await quick('PUT', { name: 'x', details: { headers: headers('w') } })).to.equal(200);
    expect(await quick('PUT', { name: 'x', details: { headers: { ...headers(MASK), 'X-Key': 'k' } } })).to.equal(200);
    const twice = { ...headers('v'), H0: 'v' };
    expect(await quick('PUT', { name: 'x', details: { headers: twice } })).to.equal(400);
    expect(await quick('PUT', { name: 'x', details: { headers: null } })).to.equal(200);
  });
});

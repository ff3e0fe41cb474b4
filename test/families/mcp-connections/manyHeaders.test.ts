import { expect } from 'chai';
import { MASK } from '../../../src/contract/basics.ts';
import { MemoryApp } from '../../support/memory/app.ts';

const FEW = 2_000;
const MANY = 20_000;
/** Ten times the headers: linear work takes ten times the CPU time, quadratic work a hundred times. */
const MOST_RATIO = 40;

describe('an MCP connection with very many headers', () => {
  it('is created, updated and refused in CPU time that grows with their number, not its square', async () => {
    const few = await costs(FEW);
    const many = await costs(MANY);
    const ratios = many.map((cost, at) => cost / Math.max(few[at] ?? 0, 2_000));
    expect(Math.max(...ratios), `CPU microseconds: ${many} beside ${few}`).to.be.below(MOST_RATIO);
  });
});

/** CPU time in microseconds of each request with that many headers. */
async function costs(count: number): Promise<number[]> {
  const app = new MemoryApp();
  const headers = (value: string) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`h${at}`, value]));
  const details = { url: 'https://a.example', headers: headers('v') };
  const requests: [method: string, body: object, status: number][] = [
    ['POST', { name: 'x', type: 'PLATFORM', details }, 200],
    ['PUT', { name: 'x', details: { headers: headers('w') } }, 200],
    ['PUT', { name: 'x', details: { headers: { ...headers(MASK), 'X-Key': 'k' } } }, 200],
    ['PUT', { name: 'x', details: { headers: { ...headers('v'), H0: 'v' } } }, 400],
    ['PUT', { name: 'x', details: { headers: null } }, 200],
  ];
  const found: number[] = [];
  for (const [method, body, expected] of requests) {
    const before = process.cpuUsage();
    const { status } = await app.call('editor', method, '/mcp_connection', body);
    const { user, system } = process.cpuUsage(before);
    expect(status).to.equal(expected);
    found.push(user + system);
  }
  return found;
}

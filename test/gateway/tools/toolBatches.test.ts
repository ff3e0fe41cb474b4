import { expect } from 'chai';
import { OutboundError } from '../../../src/contract/codes/outbound.ts';
import type { Json, MemoryApp } from '../../support/memory/app.ts';
import { callTool, connect, toolsApp } from './toolsApp.ts';

describe('tool calls in a batch', () => {
  let app: MemoryApp;
  beforeEach(async () => {
    app = toolsApp();
    await connect(app, 'one');
  });

  it('do not begin once the reply is large', async () => {
    app.peers.result = () => ({ content: [{ type: 'text', text: 'x'.repeat(5 * 1024 * 1024) }] });
    const common = { connection: 'one', tool: 'echo', arguments: { text: 'hi' } };
    const items = Array.from({ length: 9 }, (_, index) => ({ id: `${index}` }));
    const body = { operation: 'tool', common, items, parallel: 2 };
    const { json } = await app.call('asker', 'POST', '/ai_gateway/batch', body);
    const done = json.result.filter(({ status }: Json) => status === 'done');
    expect(done.length).to.be.within(4, 5).and.equal(app.peers.calls.length);
    const others = json.result.slice(done.length).map(({ status }: Json) => status);
    expect(new Set(others)).to.deep.equal(new Set(['not_reached']));
  });

  it('are not repeated, although the server asks to wait', async () => {
    await callTool(app, { arguments: { text: 'hi' } });
    app.peers.targets.length = 0;
    app.peers.failure = new OutboundError('rate_limited', 'later', { httpStatus: 429, retryAfter: 0.01 });
    const items = [{ id: 'a', connection: 'one', tool: 'echo', arguments: { text: 'hi' } }];
    const { json } = await app.call('asker', 'POST', '/ai_gateway/batch', { operation: 'tool', items });
    expect(json.result[0]).to.include({ status: 'failed', error_code: 'rate_limited', retry_after: 0.01 });
    expect(app.peers.targets).to.have.length(1);
  });
});

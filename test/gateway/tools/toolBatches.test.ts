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

  it('are never shared by equal items', async () => {
    const common = { connection: 'one', tool: 'echo' };
    const items = [
      { id: 'a', arguments: { text: 'hi' } },
      { id: 'b', arguments: { text: 'hi' } },
      { id: 'c', arguments: {} },
      { id: 'd', tool: 'none' },
    ];
    const { status, json } = await app.call('asker', 'POST', '/ai_gateway/batch', { operation: 'tool', common, items });
    expect(status).to.equal(200);
    const facts = json.result.map(({ status: done, error_code, response }: Json) => error_code ?? [done, response]);
    const done = ['done', { result: { content: [], is_error: false } }];
    expect(facts).to.deep.equal([done, done, 'validation_failed', 'tool_not_found']);
    expect(app.peers.calls).to.have.length(2);
    await app.gateway.usage.flush();
    expect(app.events).to.have.length(2);
    const dry = await app.call('asker', 'POST', '/ai_gateway/batch', { operation: 'tool', items, dry_run: true });
    expect([dry.status, dry.json.errors?.[0].field]).to.deep.equal([400, 'dry_run']);
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

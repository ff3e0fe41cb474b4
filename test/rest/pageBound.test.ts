import { expect } from 'chai';
import { MemoryApp } from '../support/memory/app.ts';

const MAX = 16 * 1024 * 1024;

describe('replies that are too large for a page', () => {
  const entry = (n: number) => ({
    connection_type: 'docker' as const,
    connection_name: `c${n}`,
    docker_url: `tcp://${'é'.repeat(50_000)}:2375`,
    tls_enabled: false,
  });

  it('a list without pages gets them', async () => {
    const app = new MemoryApp();
    const result = Array.from({ length: 200 }, (_, n) => entry(n));
    app.handlers.listConnections = async () => ({ message: '200 connections', result });
    const { status, json } = await app.call('root', 'GET', '/list_connections');
    expect(status).to.equal(200);
    expect(Buffer.byteLength(JSON.stringify(json))).to.be.within(MAX - 300_000, MAX);
    const shown = json.result.length;
    expect(json.pagination).to.deep.equal({
      ...{ offset: 0, count: 0, total: 200, returned: shown },
      ...{ has_more: true, next_offset: shown },
    });
    app.handlers.listConnections = async () => ({ message: '9 connections', result: result.slice(0, 9) });
    expect((await app.call('root', 'GET', '/list_connections')).json).not.to.have.property('pagination');
  });

  it('a page goes on from its own offset', async () => {
    const app = new MemoryApp();
    const pagination = { offset: 40, count: 0, total: 240, returned: 200, has_more: false, next_offset: null };
    app.handlers.listConnections = async () => ({
      result: Array.from({ length: 200 }, (_, n) => entry(n)),
      pagination,
    });
    const { json } = await app.call('root', 'GET', '/list_connections?count=0&offset=40');
    expect(json.pagination).to.deep.equal({
      ...{ offset: 40, count: 0, total: 240, returned: json.result.length },
      ...{ has_more: true, next_offset: 40 + json.result.length },
    });
  });
});

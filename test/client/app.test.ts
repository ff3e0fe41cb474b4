import { expect } from 'chai';
import { isFailure, MlExtension } from '../../client/src/index.ts';
import { MemoryApp } from '../support/memory/app.ts';
import { rejection } from './peer.ts';

const BELOW = '/servicesNS/nobody/ml_extension';

/** The client of a user whose calls the app in memory serves. */
function clientOf(app: MemoryApp, between: () => unknown = () => undefined): MlExtension {
  const send = async (input: URL, { method, headers, body }: RequestInit) => {
    const answer = await app.request({
      method: method ?? 'GET',
      path: input.pathname.slice(BELOW.length),
      query: [...input.searchParams],
      headers: Object.entries(headers as Record<string, string>),
      body: typeof body === 'string' ? Buffer.from(body) : undefined,
      sessionToken: 'root',
    });
    await between();
    return Response.json(answer.json, { status: answer.status });
  };
  const options = { baseUrl: 'http://memory', auth: { token: 'root' }, retries: 0, fetch: send as typeof fetch };
  return new MlExtension(options);
}

async function all<T>(source: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const one of source) found.push(one);
  return found;
}

describe('typed client and the app', () => {
  let app: MemoryApp;
  beforeEach(() => {
    app = new MemoryApp();
    app.user('root', {
      roles: ['admin'],
      capabilities: ['admin_all_objects', 'edit_agent_connections'],
    });
  });

  const connect = (name: string) =>
    clientOf(app).call('createMcpConnection', {
      body: { name, type: 'PLATFORM', details: { url: 'https://x.example' } },
    });
  const numbered = (count: number) => Array.from({ length: count }, (_, n) => `c${100 + n}`);

  it('iterates over all entries of a changing list', async () => {
    for (const name of numbered(40)) await connect(name);
    const outside = clientOf(app);
    let pages = 0;
    const ml = clientOf(app, async () => {
      pages += 1;
      if (pages === 2)
        for (const name of ['c100', 'C103', 'c112']) await outside.call('deleteMcpConnection', { params: { name } });
      if (pages === 3) for (const name of ['A1', 'b2', 'c101a']) await connect(name);
    });
    const found = await all(ml.each('listMcpConnections', { query: { search: 'C1' } }, { pageSize: 10 }));
    const names = found.map(({ name }) => name).filter((name) => name !== 'c101a');
    expect(names.filter((name) => name !== 'c112')).to.deep.equal(numbered(40).filter((name) => name !== 'c112'));
    expect(pages).to.be.above(4);
  });

  it('iterates over a history that grows at the front', async () => {
    const plain = clientOf(app);
    const { experiment_id } = await plain.call('createExperiment', { body: { title: 't', type: 'smart_forecast' } });
    const params = { experiment_id };
    const note = (message: string) => plain.call('addExperimentHistory', { params, body: { action: 'note', message } });
    for (let n = 0; n < 25; n += 1) await note(`${n}`);
    let added = 0;
    const ml = clientOf(app, async () => {
      for (let n = 0; n < 4 && added < 12; n += 1, added += 1) await note(`new ${added}`);
    });
    const query = { action: 'note' } as const;
    const found = await all(ml.each('listExperimentHistory', { params, query }, { pageSize: 5 }));
    const old = found.map(({ message = '' }) => message).filter((message) => !message.startsWith('new'));
    expect(old).to.deep.equal(Array.from({ length: 25 }, (_, n) => `${24 - n}`));
  });

  it('throws a failure with its code and fields', async () => {
    await connect('Taken');
    const error = await rejection(connect('taken'));
    if (!isFailure(error, 'duplicate_name')) return expect.fail(String(error));
    expect([error.status, error.operation]).to.deep.equal([409, 'createMcpConnection']);
    expect(error.remedy).to.equal('Choose another name, or change the existing record.');
    const params = { name: 'Taken' };
    const stale = await rejection(clientOf(app).call('deleteMcpConnection', { params, ifMatch: 7 }));
    if (!isFailure(stale, 'version_conflict')) return expect.fail(String(stale));
    expect(stale.body.current_version).to.equal(1);
  });
});

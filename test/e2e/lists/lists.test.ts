import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import { expectStatus, startPlatform, type TestPlatform } from '../../support/e2e/platform.ts';
import { type Peer, startHttp } from '../../support/peers/listen.ts';
import { eventually } from '../../support/time.ts';

const READABLE = { sharing: 'app', perms: { read: ['power'], write: [] } };
const PRIVATE = { perms: { read: [] } };
const DETAILS = { url: 'https://mcp.example/mcp' };

describe('lists over HTTP', () => {
  let platform: TestPlatform;
  let peer: Peer;
  /** Answers that the peer holds back; undefined = it refuses at once. */
  let waiting: ServerResponse[] | undefined = [];

  before(async () => {
    platform = await startPlatform({ env: { ML_DRIVERS: '2' } });
    peer = await startHttp(
      (_request, response) => void (waiting ? waiting.push(response) : response.writeHead(500).end()),
    );
    await platform.createUser('reader', ['user', 'power']);
  });
  after(async () => {
    await peer.close();
    await platform.dispose();
  });

  const send = async (method: string, path: string, body: object, status = 200) => {
    const reply = await platform.ml('admin', method, path, body);
    expectStatus(reply, status, path);
    return reply.json;
  };

  it('hide a record in the next request after another process narrowed its access list', async () => {
    await send('POST', '/mcp_connection', { name: 'shared', type: 'PLATFORM', details: DETAILS, acl: READABLE });
    const store = { cloud_region: 'eu-central-1', kb_id: 'ABCDEFGHIJ' };
    await send('POST', '/vector_stores', { name: 'shared', type: 'CLOUD_KB', details: store, acl: READABLE });
    await send('POST', '/agents', { name: 'shared', acl: READABLE }, 502);
    const { experiment_id: id } = await send('POST', '/experiments', {
      ...{ title: 'shared', type: 'smart_forecast', acl: READABLE },
    });
    await platform.putDocument('ml_registered_models', await registration());
    const writes: [string, string, object][] = [
      ['PUT', '/mcp_connection', { name: 'shared' }],
      ['PUT', '/vector_stores', { name: 'shared' }],
      ['PUT', '/agents', { name: 'shared' }],
      ['POST', `/experiments/${id}`, {}],
      ['PUT', '/register_model', { model_name: 'shared' }],
    ];
    const lists = [
      '/mcp_connection',
      '/vector_stores',
      '/agents',
      '/experiments',
      '/list_models',
      '/connection_health',
    ];
    const found = async () => {
      const totals: Record<string, number> = {};
      for (const list of lists) {
        for (const query of ['', '?search=shared', '?sort_dir=desc']) {
          const reply = await platform.ml('reader', 'GET', `${list}${query}`);
          expectStatus(reply, 200, list);
          totals[`${list}${query}`] = reply.json.pagination.total;
        }
      }
      return totals;
    };
    const before = await found();
    for (const [list, total] of Object.entries(before)) expect(total, list).to.be.greaterThan(0);
    const first = await driver();
    // While the first process waits for a server, another one takes the requests.
    const held = platform.ml('admin', 'POST', '/mcp_connection/test', { type: 'PLATFORM', details: { url: peer.url } });
    await eventually(() => waiting?.length === 1, 5000, 'the test to reach its server');
    expect(await driver()).to.not.equal(first);
    for (const [method, path, body] of writes) await send(method, path, { ...body, acl: PRIVATE });
    const [response] = waiting ?? [];
    waiting = undefined;
    response?.writeHead(500).end();
    await held;
    expect(await driver()).to.equal(first);
    for (const [list, total] of Object.entries(await found())) expect(total, list).to.equal(0);
    expect(await driver()).to.equal(first);
  });

  const driver = async () => (await platform.ml('admin', 'GET', '/health')).json.drivers[0].pid;

  /** Only a cloud can make one. */
  const registration = async () => {
    const [{ acl, version, created_at, created_by, last_updated_at, last_updated_by } = {}] =
      await platform.documents('ml_mcp_connections');
    return {
      ...{ _key: 'shared', model_name: 'shared', endpoint_name: 'any', cloud_credentials: { region: 'eu-central-1' } },
      ...{ input_feature_map: '{"a":"a"}', output_prediction_map: '{"b":"b"}', batch_size: 1, acl },
      ...{ version, created_at, created_by, last_updated_at, last_updated_by, secret_ref: null, secret_fields: [] },
    };
  };
});

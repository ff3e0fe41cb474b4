import { expect } from 'chai';
import { MemoryApp } from '../../support/memory/app.ts';
import { type FaultMode, FaultPlan } from '../../support/memory/faults.ts';

const MINUTE = 60_000;
const KEY_ID = 'AKIAIOSFODNN7EXAMPLE';

interface Case {
  what: string;
  collection: string;
  path: string;
  body(stamp: string, name?: string): object;
  remove: { path: string; query: [string, string][] };
  secret: string;
}

const CASES: Case[] = [
  {
    what: 'vector store',
    collection: 'ml_vector_stores',
    path: '/ml/vector_stores',
    body: (stamp, name = 'one') => ({
      name,
      type: 'CLOUD_KB',
      details: {
        cloud_region: 'eu-central-1',
        kb_id: 'ABCDE12345',
        cloud_access_key_id: KEY_ID,
        cloud_access_key_token: `secret-${stamp}`,
      },
    }),
    remove: { path: '/ml/vector_stores/one', query: [] },
    secret: 'details/cloud_access_key_token',
  },
  {
    what: 'registered model',
    collection: 'ml_registered_models',
    path: '/ml/register_model',
    body: (stamp, name = 'one') => ({
      model_name: name,
      endpoint_name: 'ready',
      cloud_credentials: { region: 'eu-central-1', access_key_id: KEY_ID, secret_access_key: `secret-${stamp}` },
    }),
    remove: { path: '/ml/register_model', query: [['model_name', 'one']] },
    secret: 'cloud_credentials/secret_access_key',
  },
];
const METHODS = ['POST', 'PUT', 'DELETE'] as const;
type Method = (typeof METHODS)[number];

const act = (app: MemoryApp, one: Case, method: Method, faults?: FaultPlan) =>
  app.request(
    method === 'DELETE'
      ? { method, ...one.remove }
      : { method, path: one.path, body: Buffer.from(JSON.stringify(one.body('new'))) },
    faults,
  );

async function prepared(one: Case, method: Method): Promise<MemoryApp> {
  const app = new MemoryApp();
  app.user('editor', { capabilities: ['edit_agent_connections', 'register_ml_models'] });
  if (method !== 'POST') {
    const made = await app.request({
      method: 'POST',
      path: one.path,
      body: Buffer.from(JSON.stringify(one.body('old'))),
    });
    expect(made.status).to.equal(200);
  }
  return app;
}

/** The secret that the record references; undefined without a record. */
function storedSecret(app: MemoryApp, { collection, secret }: Case): string | undefined {
  const [record] = app.site.records.all(collection);
  return record && JSON.parse(app.site.secrets.values.get(String(record.secret_ref)) ?? '{}')[secret];
}

const BEFORE: Record<Method, string | undefined> = { POST: undefined, PUT: 'secret-old', DELETE: 'secret-old' };
const AFTER: Record<Method, string | undefined> = { POST: 'secret-new', PUT: 'secret-new', DELETE: undefined };

async function check(one: Case, method: Method, at: number, mode: FaultMode): Promise<number> {
  const app = await prepared(one, method);
  const faults = new FaultPlan(at, mode);
  const reply = await act(app, one, method, faults);
  const where = `${method} ${one.what}: ${mode} at call ${at} (${faults.trace.slice(0, at).join(', ')})`;
  expect(reply.status, where).to.be.oneOf([200, 500, 503]);
  expect([BEFORE[method], AFTER[method]], where).to.include(storedSecret(app, one));
  if (reply.status === 200) expect(storedSecret(app, one), where).to.equal(AFTER[method]);
  expect(app.leaks('secret-old', 'secret-new'), where).to.deep.equal([]);

  // Another process, after every lease has expired: the work can be done, and nothing is left over.
  app.site.clock.advance(2 * MINUTE);
  const again = await act(app, one, method);
  expect(again.status, `${where}: afterwards`).to.be.oneOf([200, ...(method === 'POST' ? [409] : [404])]);
  expect(storedSecret(app, one), `${where}: afterwards`).to.equal(AFTER[method]);
  for (const name of ['x', 'y']) {
    await app.request({ method: 'POST', path: one.path, body: Buffer.from(JSON.stringify(one.body('other', name))) });
  }
  expect(app.site.orphans(one.collection), where).to.deep.equal([]);
  return faults.calls;
}

describe('cloud records with a failure at every call to the stores', () => {
  for (const one of CASES) {
    for (const method of METHODS) {
      for (const mode of ['crash', 'refused', 'lost'] as const) {
        it(`${method} ${one.what}: ${mode}`, async () => {
          let points = 0;
          // Until the fault comes after the last call.
          while ((await check(one, method, points + 1, mode)) > points) points += 1;
          expect(points).to.be.at.least(5);
        });
      }
    }
  }
});

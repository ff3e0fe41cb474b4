import { expect } from 'chai';
import { MemoryApp } from '../../support/memory/app.ts';
import { type FaultMode, FaultPlan } from '../../support/memory/faults.ts';

const ROOT = '/ml/aicommander';
const MINUTE = 60_000;

const blob = (model: string, stamp: string) => ({
  service: 'General_Chat',
  connection_name: 'one',
  model,
  servicesettings: {
    endpoint: { value: 'https://llm.example/v1' },
    access_token: { value: `token-${stamp}` },
    stamp,
  },
  modelsettings: { stamp, extra_token: { value: `own-token-${stamp}` } },
});

interface Case {
  what: string;
  before: string[];
  method: 'POST' | 'DELETE';
  model: string;
}

const CASES: Case[] = [
  { what: 'create', before: [], method: 'POST', model: 'a' },
  { what: 'replace the only model', before: ['a'], method: 'POST', model: 'a' },
  { what: 'add a model', before: ['a'], method: 'POST', model: 'b' },
  { what: 'delete one of two', before: ['a', 'b'], method: 'DELETE', model: 'b' },
  { what: 'delete the last', before: ['a'], method: 'DELETE', model: 'a' },
];

async function prepared({ before }: Case): Promise<MemoryApp> {
  const app = new MemoryApp();
  app.user('editor', { capabilities: ['edit_ai_commander_config', 'list_ai_commander_config'] });
  for (const model of before) await app.call('editor', 'POST', '/aicommander', blob(model, 'old'));
  return app;
}

const act = (app: MemoryApp, { method, model }: Case, faults?: FaultPlan) =>
  app.request(
    method === 'POST'
      ? { method, path: ROOT, body: Buffer.from(JSON.stringify(blob(model, 'new'))) }
      : { method, path: `${ROOT}/General_Chat/one/${model}` },
    faults,
  );

/** What there is: model -> stamps of settings and model, and of both secrets as they are stored. */
async function state(app: MemoryApp): Promise<Record<string, string[]>> {
  const { json } = await app.call('editor', 'GET', '/aicommander?count=0');
  const document = app.site.records.all('ml_llm_connections')[0];
  const secrets = JSON.parse(app.site.secrets.values.get(String(document?.secret_ref)) ?? '{}');
  return Object.fromEntries(
    json.result.map((one: ReturnType<typeof blob>) => [
      one.model,
      [
        one.servicesettings.stamp,
        one.modelsettings.stamp,
        secrets['servicesettings/access_token/value'],
        secrets[`models/${one.model}/modelsettings/extra_token/value`],
      ],
    ]),
  );
}

async function check(one: Case, at: number, mode: FaultMode): Promise<number> {
  const app = await prepared(one);
  const old = await state(app);
  const reference = await prepared(one);
  expect((await act(reference, one)).status).to.equal(200);
  const fresh = await state(reference);
  const faults = new FaultPlan(at, mode);
  const reply = await act(app, one, faults);
  const where = `${one.what}: ${mode} at call ${at} (${faults.trace.slice(0, at).join(', ')})`;
  expect(reply.status, where).to.be.oneOf([200, 500, 503]);
  expect([old, fresh], where).to.deep.include(await state(app));
  if (reply.status === 200) expect(await state(app), where).to.deep.equal(fresh);
  expect(app.leaks('token-old', 'token-new'), where).to.deep.equal([]);

  // Another process, after every lease has run out: it finishes the work, and nothing is left over.
  app.site.clock.advance(2 * MINUTE);
  const again = await act(app, one);
  expect(again.status, where).to.be.oneOf(one.method === 'POST' ? [200] : [200, 404]);
  expect(await state(app), where).to.deep.equal(fresh);
  const other = { ...blob('x', 'old'), connection_name: 'other' };
  await app.call('editor', 'POST', '/aicommander', other);
  await app.call('editor', 'POST', '/aicommander', other);
  expect(app.site.orphans('ml_llm_connections'), where).to.deep.equal([]);
  return faults.calls;
}

describe('LLM configurations with a failure at every call to the stores', () => {
  for (const one of CASES) {
    for (const mode of ['crash', 'refused', 'lost'] as const) {
      it(`${one.what}: ${mode}`, async () => {
        let points = 0;
        // Until the fault lies behind the last call: a count taken from a call that failed early would end at once.
        while ((await check(one, points + 1, mode)) > points) points += 1;
        expect(points).to.be.at.least(5);
      });
    }
  }
});

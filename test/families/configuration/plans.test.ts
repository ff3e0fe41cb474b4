import { expect } from 'chai';
import { CAPABILITIES } from '../../../src/contract/capabilities.ts';
import { connection, documentOf } from '../../suites/configuration/kit.ts';
import { asApplied, COLLECTIONS, type Document, furnish, type Json, SECRETS } from '../../suites/configuration/site.ts';
import { MemoryApp } from '../../support/memory/app.ts';
import { FaultPlan } from '../../support/memory/faults.ts';

const INSERT = 'insert ml_mcp_connections';
const WRITES = /^(insert|replace|remove|removeWhere|put|cloud)/;

describe('configuration as a file: a plan', () => {
  let app: MemoryApp;
  let document: Document;
  beforeEach(async () => {
    app = new MemoryApp();
    app.cloud.newborn = 'READY';
    app.user('keeper', { roles: ['keeper'], capabilities: Object.keys(CAPABILITIES) });
    app.roles.define(['keeper', 'power'], {});
    await furnish((method, path, body) => app.call('keeper', method, path, body), 'one.example');
    document = (await app.call('keeper', 'GET', '/export')).json.document;
  });

  const send = (body: Json, faults?: FaultPlan) =>
    app.request(
      { method: 'POST', path: '/ml/import', body: Buffer.from(JSON.stringify(body)), sessionToken: 'keeper' },
      faults,
    );

  it('takes at most 100 secrets and 65,536 characters of secrets a record, and names the record', async () => {
    const values = (count: number, length = 1) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`details.headers.X-H${at}`, 'v'.repeat(length)]));
    const planned = (secrets: Json) =>
      send({ document: documentOf(connection('many')), secrets: { 'mcp-connections/many': secrets } });
    const most = await planned({ ...values(15, 2000), 'details.token': 'v'.repeat(65_536 - 30_000) });
    // The family itself accepts fewer.
    expect(most.json.result?.[0], JSON.stringify(most.json)).to.include({ action: 'blocked' });
    const refused = [
      await planned(values(101)),
      await planned({ ...values(15, 2000), 'details.token': 'v'.repeat(65_537 - 30_000) }),
      await planned({ ['a.'.repeat(100_000)]: 'v' }),
    ];
    for (const { status, json } of refused) {
      expect(status).to.equal(400);
      expect(json.errors[0].field).to.equal('secrets.mcp-connections/many');
    }
  });

  it('counts the secrets that the models of an LLM connection share for each of them', async () => {
    const models = ['a', 'b', 'c'].map((model) => ({
      family: 'llm-providers',
      name: `General_Chat/Shared/${model}`,
      spec: { service: 'General_Chat', connection_name: 'Shared', model },
    }));
    const half = (model: string) =>
      Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`servicesettings.key_${model}${at}.value`, 'v']));
    const secrets = Object.fromEntries(
      ['a', 'b'].map((model) => [`llm-providers/General_Chat/Shared/${model}`, half(model)]),
    );
    const { status, json } = await send({ document: documentOf(...models), secrets });
    expect([status, json.errors?.[0].field]).to.deep.equal([400, 'secrets.llm-providers/General_Chat/Shared/a']);
  });

  it('tells a caller without the capability nothing of a record, and does no work for it', async () => {
    const faults = new FaultPlan();
    const spec = { name: 'other', type: 'NONE', details: { url: 'nowhere' }, unknown: 1 };
    const secrets = { 'mcp-connections/Tracker': { 'details.token': 'guess', nonsense: 'x' } };
    const record = { family: 'mcp-connections', name: 'Tracker', spec, secrets: ['details.token'], acl: { owner: 5 } };
    const body = Buffer.from(JSON.stringify({ document: documentOf(record), secrets }));
    const { json } = await app.request({ method: 'POST', path: '/ml/import', body, sessionToken: 'reader' }, faults);
    expect(json.warnings).to.equal(undefined);
    const [{ problems, ...result }] = json.result;
    expect(result).to.deep.equal({
      ...{ family: 'mcp-connections', name: 'Tracker', action: 'blocked', changed: [], missing_secrets: [] },
      error_code: 'missing_capability',
    });
    expect(problems.map(({ field }: Json) => field)).to.deep.equal(['$record']);
    expect(faults.trace.filter((call) => call.includes('ml_mcp_connections'))).to.deep.equal([]);
  });

  it('has an entry in the audit trail if it carries secrets, and none otherwise', async () => {
    const imports = () => app.site.records.all('ml_audit').filter(({ action }: Json) => action === 'import');
    await send({ document });
    await send({ document, secrets: {} });
    expect(imports()).to.deep.equal([]);
    const secrets = { 'mcp-connections/Tracker': { 'details.token': 'canary-guess' } };
    await send({ document, secrets });
    await send({ document: 5, secrets });
    const entries = imports();
    expect(entries.map(({ user, outcome }: Json) => [user, outcome])).to.deep.equal([
      ['keeper', 'success'],
      ['keeper', 'fail'],
    ]);
    expect(JSON.stringify(entries)).not.to.contain('canary');
  });

  /** The same records under new names, beside changes of those that are there. */
  function edited(): Document {
    const text = JSON.stringify(document)
      .replaceAll('Tracker', 'Tracker 2')
      .replaceAll('Handbook', 'Handbook 2')
      .replaceAll('Team', 'Team 2')
      .replaceAll('Lab', 'Lab 2')
      .replaceAll('"forecast"', '"forecast_2"')
      .replaceAll('"default"', '"default_2"')
      .replaceAll('Disk', 'Disc')
      .replaceAll('errors_of_host', 'errors_of_host_2')
      .replaceAll('"Outside"', '"Outside 2"')
      .replaceAll('triage', 'triage_2');
    const old = structuredClone(document.records);
    for (const { spec } of old) spec.description = 'changed';
    return {
      ...document,
      records: [...old, ...(JSON.parse(text) as Document).records.filter(({ name }) => name !== 'plain')],
    };
  }
  const renamed = () =>
    Object.fromEntries(
      Object.entries(SECRETS).flatMap(([name, values]) => [
        [name, values],
        [
          name
            .replace('Tracker', 'Tracker 2')
            .replace('Handbook', 'Handbook 2')
            .replace('Team', 'Team 2')
            .replace('Lab', 'Lab 2')
            .replace('forecast', 'forecast_2'),
          values,
        ],
      ]),
    );

  it('writes nothing, and calls nobody, whatever it finds', async () => {
    const state = () => [
      COLLECTIONS.map((collection) => app.site.records.all(collection)),
      [...app.site.secrets.values],
      app.cloud.calls.length,
    ];
    const before = structuredClone(state());
    const faults = new FaultPlan();
    const body = { document: edited(), secrets: renamed(), include_agents: true };
    const { json } = await send(body, faults);
    expect(json.summary.create, json.message).to.equal(13);
    expect(json.summary.update, json.message).to.be.at.least(6);
    const writes = faults.trace.filter((call) => WRITES.test(call) && !call.endsWith('ml_audit'));
    expect(writes, 'apart from its own audit entry').to.deep.equal([]);
    expect(state()).to.deep.equal(before);
    expect(app.searches.dispatched).to.have.length(1);
  });

  it('says the same of every record as the apply after it', async () => {
    const body = { document: edited(), secrets: renamed(), include_agents: true };
    const planned = (await send(body)).json.result;
    const applied = (await send({ ...body, mode: 'apply' })).json.result;
    expect(asApplied(planned, applied)).to.deep.equal(applied.map(({ outcome: _, ...rest }: Json) => rest));
    expect(applied.filter(({ outcome }: Json) => outcome === 'failed')).to.deep.equal([]);
    const again = (await send({ ...body, mode: 'apply' })).json;
    expect(again.summary, JSON.stringify(again.result)).to.include({ create: 0, update: 0, failed: 0 });
  });

  it('reads each record twice at most', async () => {
    const many = (count: number) => ({
      document: documentOf(...Array.from({ length: count }, (_, n) => connection(`c${n}`))),
    });
    const calls = async (count: number) => {
      const faults = new FaultPlan();
      expect((await send(many(count), faults)).json.summary).to.include({ create: count });
      return faults.calls;
    };
    expect((await calls(50)) - (await calls(10))).to.be.at.most(80);
  });

  it('a short failure of the store fails one record; the others continue', async () => {
    const three = (...names: string[]) => ({
      document: documentOf(...names.map((name) => connection(name))),
      mode: 'apply',
    });
    const trial = new FaultPlan();
    await send(three('x', 'y', 'z'), trial);
    const second = trial.trace.indexOf(INSERT, trial.trace.indexOf(INSERT) + 1) + 1;
    const body = three('a', 'b', 'c');
    const { json } = await send(body, new FaultPlan(second, 'refused'));
    expect(json.summary, JSON.stringify(json)).to.include({ done: 2, failed: 1 });
    const [failed] = json.result.filter(({ outcome }: Json) => outcome === 'failed');
    expect(failed).to.include({ error_code: 'store_unavailable' });
    expect((await send(body)).json.summary).to.include({ done: 1, unchanged: 2 });
  });

  it('a record that somebody else changes in between is not overwritten', async () => {
    const changed = { document: documentOf(connection('plain', { description: 'from the file' })), mode: 'apply' };
    const plan = new FaultPlan();
    await send({ ...changed, mode: 'plan' }, plan);
    const other = () => app.call('keeper', 'PUT', '/mcp_connection', { name: 'plain', description: 'by hand' });
    // Before the plan, an apply writes its entry of the audit trail.
    const { json } = await send(changed, new FaultPlan(plan.calls + 2, other));
    expect(json.result[0]).to.include({ action: 'update', outcome: 'failed', error_code: 'version_conflict' });
    expect((await app.call('keeper', 'GET', '/mcp_connection/plain')).json.config.description).to.equal('by hand');
  });
});

describe('configuration as a file: an export', () => {
  it('ends where it has become too large, and says how to ask for less', async () => {
    const app = new MemoryApp();
    const search = 'x'.repeat(250_000);
    const search_stages = Array.from({ length: 4 }, () => ({ role: 'fit', search }));
    for (let n = 0; n < 34; n++) {
      const made = await app.call('editor', 'POST', '/experiments', {
        title: `e${n}`,
        type: 'smart_forecast',
        search_stages,
      });
      expect(made.status).to.equal(200);
    }
    const complete = await app.call('editor', 'GET', '/export');
    expect([complete.status, complete.json.error_code]).to.deep.equal([413, 'payload_too_large']);
    expect(complete.json.message).to.contain('single families or names');
    const two = await app.call('editor', 'GET', '/export?name=e1,e33');
    expect(two.json.document.records.map(({ name }: Json) => name)).to.deep.equal(['e1', 'e33']);
  });

  it('warns of more records than one import takes', async () => {
    const app = new MemoryApp();
    for (let n = 0; n < 1001; n++) {
      const doc = { title: `e${n}`, type: 'smart_forecast' };
      await app.call('editor', 'POST', '/experiments', doc);
    }
    const { json } = await app.call('editor', 'GET', '/export');
    expect(json.document.records).to.have.length(1001);
    expect(json.warnings).to.deep.equal(['The document exceeds 1000 records and needs several imports']);
  });
});

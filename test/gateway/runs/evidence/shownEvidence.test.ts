import { expect } from 'chai';
import type { EvidenceEntity } from '../../../../src/contract/families/evidence.ts';
import { packed, unpacked } from '../../../../src/gateway/runs/documents/packed.ts';
import { RUNS, type RunDoc } from '../../../../src/gateway/runs/documents/stored.ts';
import type { Json } from '../../../support/memory/app.ts';
import { type RunsApp, runsApp } from '../runsApp.ts';

const CLAIM = '203.0.113.77';
const ENTITIES: EvidenceEntity[] = [
  { text: CLAIM, kind: 'ipv4', status: 'unverified', by: [], why: 'not in the input or in a result' },
  { text: 'db-3', kind: 'host', status: 'backed', by: [{ step: 1, field: 'host' }, { input: true }] },
  { text: '42', kind: 'number', status: 'derived', by: [{ run_id: 'abc', step: 3, field: 'count' }], why: 'sum' },
];
const COUNTS = { checked: 3, backed: 1, derived: 1, unverified: 1 };

describe('the evidence of a run', () => {
  let runs: RunsApp;
  let id: string;
  beforeEach(async () => {
    runs = await runsApp();
    runs.turns.push(`from ${CLAIM}`);
    id = await runs.start({ session_id: 's' });
    await runs.work(id);
  });

  /** Stores fields with the run, as its end does. */
  function store(fields: Partial<RunDoc>): void {
    const documents = runs.app.site.records.collection(RUNS);
    const run = unpacked(JSON.parse(documents.get(id) ?? '') as RunDoc);
    documents.set(id, JSON.stringify(packed({ ...run, ...fields })));
  }
  const listed = async () => (await runs.call('GET', '?count=10')).json.result[0];

  it('is shown with the run, and its counts alone in lists', async () => {
    store({ evidence: COUNTS, entities: ENTITIES });
    expect((await runs.read(id)).evidence).to.deep.equal({ ...COUNTS, entities: ENTITIES });
    expect((await listed()).evidence).to.deep.equal(COUNTS);
    expect((await runs.call('GET', '?search=asker')).json.result[0].evidence).to.deep.equal(COUNTS);
  });

  it('has its entities as text in the store, which lists do not read', async () => {
    store({ evidence: COUNTS, entities: ENTITIES });
    const [document] = runs.stored(RUNS);
    expect(JSON.parse(String(document?.entities))).to.deep.equal(ENTITIES);
    // A text that is no JSON would be shown as it is, if it were read.
    runs.app.site.records.collection(RUNS).set(id, JSON.stringify({ ...document, entities: 'unreadable' }));
    const text = JSON.stringify(await listed());
    expect(text).to.contain('"unverified":1');
    expect(text).to.not.contain('unreadable');
  });

  it('goes with the answer: a run that is cancelled has none', async () => {
    runs.turns.push([{ name: 'Desk__delete', args: { id: 17 } }]);
    id = await runs.start();
    expect(await runs.work(id)).to.include({ state: 'waiting_for_approval' });
    store({ evidence: COUNTS, entities: ENTITIES });
    expect(await listed(), 'before the end').to.not.have.property('evidence');
    // It has waited too long, so that the list ends it.
    store({ waits_since: 1 });
    expect(await listed())
      .to.include({ state: 'cancelled' })
      .and.not.have.property('evidence');
    expect(await runs.read(id)).to.not.have.property('evidence');
  });

  it('names why nothing was compared', async () => {
    store({ evidence: { error_code: 'timeout' }, entities: undefined as never });
    expect((await runs.read(id)).evidence).to.deep.equal({ error_code: 'timeout' });
    expect((await listed()).evidence).to.deep.equal({ error_code: 'timeout' });
  });

  it('is absent from a run that was not checked, such as one of a former release', async () => {
    runs.turns.push(`from ${CLAIM}`);
    id = await runs.start({}, { check_evidence: false });
    await runs.work(id);
    expect(await runs.read(id)).to.not.have.property('evidence');
    expect(await listed()).to.not.have.property('evidence');
  });

  it('leaves a damaged document out of lists and refuses to read it, and other documents stay', async () => {
    const other = await runs.start();
    store({ evidence: { checked: 'many' } as never });
    expect((await runs.call('GET', `/${id}`)).json.error_code).to.equal('unreadable_record');
    expect((await runs.call('GET', '')).json.result.map(({ run_id }: Json) => run_id)).to.deep.equal([other]);
  });

  it('stands neither in the audit nor in the log, nor in an export', async () => {
    for (const user of ['auditor', 'exporter']) {
      runs.app.user(user, { capabilities: ['list_ml_audit', 'admin_all_objects', 'edit_agents'] });
    }
    store({ evidence: COUNTS, entities: ENTITIES });
    expect((await runs.call('POST', `/${id}/cancel`, {})).status).to.equal(400);
    await runs.app.gateway.entries.flush();
    const audit = await runs.app.call('auditor', 'GET', '/audit?family=runs');
    expect(audit.json.result).to.have.length(2);
    const exported = await runs.app.call('exporter', 'GET', '/export');
    expect(exported.status, JSON.stringify(exported.json)).to.equal(200);
    const [trail, document] = [audit.json, exported.json].map((json) => JSON.stringify(json));
    const texts = { trail, document, log: runs.app.site.log.text() };
    for (const [where, text] of Object.entries(texts)) {
      expect(text, where).to.not.contain(CLAIM).and.not.contain('unverified');
    }
  });
});

import { expect } from 'chai';
import { type Json, MemoryApp } from '../../../support/memory/app.ts';
import { type FaultMode, FaultPlan } from '../../../support/memory/faults.ts';

const RIGHTS = { capabilities: ['use_ai_gateway', 'run_agents', 'edit_agents'] };

describe('runs of agents that run elsewhere, with a failure at every call to the stores and the cloud', () => {
  let app: MemoryApp;
  const invocations = () => app.cloud.calls.filter((operation) => operation === 'invoke').length;
  const runs = async (method: string, path: string, body?: Json) =>
    (await app.call('asker', method, `/ai_gateway/runs${path}`, body)).json;

  async function begin(): Promise<string> {
    app = new MemoryApp();
    app.user('asker', RIGHTS);
    app.cloud.newborn = 'READY';
    await app.call('asker', 'POST', '/agents', { name: 'triage' });
    await app.call('asker', 'POST', '/agents/triage/status', { action: 'create' });
    return (await runs('POST', '', { agent: 'triage', input: 'question', worker: 'caller' })).run_id;
  }

  const step = async (id: string, faults: FaultPlan): Promise<void> => {
    const request = { method: 'POST', path: `/ai_gateway/runs/${id}/step`, sessionToken: 'asker' };
    await app.request({ ...request, body: Buffer.from('{}') }, faults).catch(() => {});
  };

  /** Takes steps until the run is idle, as others do whom nothing happens to. */
  async function rested(id: string): Promise<Json> {
    for (let round = 0; round < 5; round += 1) {
      // The lease of a dead process ends.
      app.site.clock.advance(11_000);
      const { state } = await runs('POST', `/${id}/step`);
      if (!['queued', 'running'].includes(state)) break;
    }
    return (await runs('GET', `/${id}`)).config;
  }

  for (const mode of ['crash', 'refused', 'lost'] satisfies FaultMode[]) {
    it(`${mode}: it is asked at most once, and the run ends or waits for a person`, async () => {
      const ends = new Set<string>();
      for (let at = 1; ; at += 1) {
        const id = await begin();
        const faults = new FaultPlan(at, mode);
        await step(id, faults);
        if (faults.calls < at) break;
        const where = `call ${at}: ${faults.trace[at - 1]}`;
        const run = await rested(id);
        const state = String(run.state);
        ends.add(state);
        expect(['succeeded', 'failed', 'waiting_for_approval'], where).to.include(state);
        expect(invocations(), where).to.be.at.most(1);
        if (state === 'succeeded') expect(run.output, where).to.equal('heard question');
        if (state !== 'waiting_for_approval') continue;
        await runs('POST', `/${id}/approve`, { step: 0, decision: 'approve' });
        expect(await rested(id), where).to.include({ state: 'succeeded', output: 'heard question' });
      }
      expect([...ends]).to.include('succeeded');
      if (mode === 'crash') expect([...ends]).to.include('waiting_for_approval');
    });

    it(`${mode} after an approval: it is repeated once, or a person is asked again`, async () => {
      const ends = new Set<string>();
      for (let at = 1; ; at += 1) {
        const id = await begin();
        // The process died during the call.
        const begun = { run_id: id, index: 0, kind: 'invoke', state: 'started', started_at: 1, input: 'question' };
        const key = `${id}.0000`;
        app.site.records.collection('ml_run_steps').set(key, JSON.stringify({ ...begun, _key: key }));
        expect((await rested(id)).state).to.equal('waiting_for_approval');
        expect(invocations()).to.equal(0);
        await runs('POST', `/${id}/approve`, { step: 0, decision: 'approve' });
        const faults = new FaultPlan(at, mode);
        await step(id, faults);
        if (faults.calls < at) break;
        const where = `call ${at}: ${faults.trace[at - 1]}`;
        const { state } = await rested(id);
        ends.add(String(state));
        expect(['succeeded', 'failed', 'waiting_for_approval'], where).to.include(state);
        expect(invocations(), where).to.be.at.most(1);
      }
      expect([...ends]).to.include('succeeded');
      if (mode === 'crash') expect([...ends]).to.include('waiting_for_approval');
    });
  }
});

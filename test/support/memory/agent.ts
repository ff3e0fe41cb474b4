import { expect } from 'chai';
import type { AgentAction } from '../../../src/contract/families/agents.ts';
import type { Json, MemoryApp } from './app.ts';
import type { FaultPlan } from './faults.ts';

export const MAKER = { capabilities: ['edit_agents', 'run_agents'] };

/** The agent `triage`, as the user `maker` moves it. */
export function oneAgent(app: () => MemoryApp) {
  const create = (faults?: FaultPlan) => send('POST', '/agents', { name: 'triage' }, faults);
  const remove = (faults?: FaultPlan) => send('DELETE', '/agents/triage', undefined, faults);
  const retry = (faults?: FaultPlan) => send('POST', '/agents/triage/retry', undefined, faults);
  /** A look of a monitor, which has waited since its last one. */
  const poll = async (action: AgentAction, faults?: FaultPlan) => {
    const { last_polled_at = null } = (record()?.tracking ?? {}) as { last_polled_at?: number | null };
    if (last_polled_at !== null && app().site.clock.seconds() - last_polled_at < 1) app().site.clock.advance(1000);
    return (await send('POST', '/agents/triage/status', { action }, faults)).json;
  };
  const state = async () => (await send('GET', '/agents/triage')).json.state;
  const record = () => app().site.records.all('ml_agents')[0] as Json | undefined;

  const tokenNow = () => (record() as { order: { token: string } } | undefined)?.order.token;

  function send(method: string, path: string, body?: Json, faults?: FaultPlan) {
    const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
    return app().request({ method, path: `/ml${path}`, body: bytes, sessionToken: 'maker' }, faults);
  }

  /** Follows until it is over, as a search does; a lease that a dead process holds runs out meanwhile. */
  async function followed(action: AgentAction): Promise<Json> {
    for (let round = 0; round < 20; round++) {
      const row = await poll(action);
      if (row.done === 1 || row.error_code === 'not_found') return row;
      app().site.clock.advance(20_000);
    }
    return expect.fail(`never done: ${JSON.stringify(record())}`);
  }
  return { create, remove, retry, poll, send, state, record, tokenNow, followed };
}

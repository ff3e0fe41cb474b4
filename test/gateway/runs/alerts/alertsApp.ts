import { expect } from 'chai';
import type { Answer, Json } from '../../../support/memory/app.ts';
import type { FaultPlan } from '../../../support/memory/faults.ts';
import { type RunsApp, runsApp } from '../runsApp.ts';

const LLM = { service: 'General_Chat', connection_name: 'up', model: 'm1' };
const SHARED = { sharing: 'app', perms: { read: ['*'], write: [] } };

export type AlertRow = Record<string, string | string[]>;

/** An app with the agent `triage`, and what an alert of the search `Failed logins` does there. */
export interface AlertsApp extends RunsApp {
  /** Hands rows over. @param more further fields of the alert, with `params` over those of the agent */
  alert(rows: readonly AlertRow[], more?: Json & { params?: Json }, faults?: FaultPlan, user?: string): Promise<Answer>;
  /** The same, and the outcomes in words: `started`, `refused busy`. */
  outcomes(rows: readonly AlertRow[], more?: Json & { params?: Json }): Promise<string[]>;
  /** Events of what was not started. */
  reported(): Json[];
  /** Answers that were sent to indexes. */
  answers(): { index: string; sourcetype: string; event: Json }[];
  /** Runs in the order of their start. */
  runs(): Json[];
}

export const outcomesOf = ({ status, json }: Answer): string[] => {
  expect(status, JSON.stringify(json)).to.equal(200);
  return json.alert.outcomes.map(({ outcome, error_code }: Json) =>
    error_code === undefined ? outcome : `${outcome} ${error_code}`,
  );
};

/** Rows `user=u0 …`. */
export const rowsOf = (count: number, from = 0): AlertRow[] =>
  Array.from({ length: count }, (_, at) => ({ user: `u${from + at}` }));

export async function alertsApp(agentMore: Json = {}): Promise<AlertsApp> {
  const runs = await runsApp();
  const agent = {
    name: 'triage',
    runtime_type: 'BUILT_IN',
    llm: LLM,
    acl: SHARED,
    mcps: [{ name: 'Desk' }],
    ...agentMore,
  };
  const { status, json } = await runs.app.call('asker', 'POST', '/agents', agent);
  expect(status, JSON.stringify(json)).to.equal(200);
  const alert: AlertsApp['alert'] = (rows, { params = {}, ...more } = {}, faults = undefined, user = 'asker') => {
    const body = {
      alert: {
        ...{ search_name: 'Failed logins', sid: 'scheduler_1', app: 'search', owner: 'asker' },
        ...{ params: { agent: 'triage', ...params }, rows, ...more },
      },
    };
    const path = '/ai_gateway/runs';
    return runs.app.request(
      { method: 'POST', path, body: Buffer.from(JSON.stringify(body)), sessionToken: user },
      faults,
    );
  };
  return {
    ...runs,
    alert,
    outcomes: async (rows, more) => outcomesOf(await alert(rows, more)),
    reported: () =>
      runs.app.events.filter(({ sourcetype }) => sourcetype === 'ml_extension:alert').map(({ event }) => event as Json),
    answers: () =>
      runs.app.events
        .filter(({ sourcetype }) => sourcetype === 'ml_extension:answer')
        .map((sent) => ({ ...sent, event: sent.event as Json })),
    runs: () => runs.stored('ml_runs').toSorted((a, b) => Number(a.started_at) - Number(b.started_at)),
  };
}

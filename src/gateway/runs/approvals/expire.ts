import { Fault } from '../../../contract/codes/faults.ts';
import { EXPIRY } from '../../../contract/families/runs.ts';
import { cancelKey, type DecisionDoc, decisionKey, type RunDoc, type StepDoc } from '../documents/stored.ts';
import type { RunStore } from '../runStore.ts';
import type { StepSite } from '../steps/stepWork.ts';
import { expiredText } from './expiry.ts';

/** Stores decisions about steps that have expired, each with an audit entry of the run's user. @throws Fault `store_unavailable` */
export async function expire(
  { store, deps }: Pick<StepSite, 'store' | 'deps'>,
  run: RunDoc,
  steps: readonly StepDoc[],
): Promise<void> {
  for (const decision of decisionsOf(store, run, steps)) {
    const action = decision.decision === 'cancel' ? 'cancel' : 'reject';
    const subject = { action, family: 'runs', name: run.agent ?? '', run_id: run._key } as const;
    await deps.stores.audit.runFor(run.user, subject, () => insert(store, decision)).catch(unlessDecided);
  }
}

function decisionsOf({ now }: RunStore, { _key, definition }: RunDoc, steps: readonly StepDoc[]): DecisionDoc[] {
  const made = { run_id: _key, decided_by: EXPIRY, decided_at: now(), comment: expiredText(definition) };
  if (definition.on_approval_timeout === 'cancel') {
    return [{ ...made, _key: cancelKey(_key), index: -1, round: 0, decision: 'cancel' }];
  }
  return steps.map(({ index, round = 1 }) => ({
    ...{ ...made, _key: decisionKey(_key, index, round), index, round, decision: 'reject' },
  }));
}

/** @throws Fault `invalid_state` if somebody has decided meanwhile */
async function insert(store: RunStore, decision: DecisionDoc): Promise<void> {
  if (!(await store.insertDecision(decision))) throw new Fault('invalid_state', 'Somebody has decided meanwhile');
}

function unlessDecided(error: unknown): void {
  if (!(error instanceof Fault) || error.code !== 'invalid_state') throw error;
}

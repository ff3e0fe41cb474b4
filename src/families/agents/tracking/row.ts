import type { AgentAction, ProgressRow, ReportedState } from '../../../contract/families/agents.ts';
import type { AgentStored } from '../definition.ts';
import { progressOf } from '../records/states.ts';

const SENTENCES: Readonly<Record<ReportedState, string>> = {
  Creating: 'The runtime is being created',
  Available: 'The agent is available',
  Failed: 'The creation failed',
  Deleting: 'The runtime is being deleted',
  'Delete Failed': 'The deletion failed',
  Deleted: 'The agent is deleted',
};

/**
 * @param before the record before the poll
 * @param record the record after the poll; undefined after deletion
 * @param now epoch seconds
 */
export function progressRow(
  action: AgentAction,
  before: AgentStored,
  record: AgentStored | undefined,
  now: number,
): ProgressRow {
  const last = record ?? before;
  const state: ReportedState = record?.state ?? 'Deleted';
  const row = {
    agent_name: last.name,
    action,
    state,
    previous_state: before.state,
    runtime_id: last.runtime_id ?? '',
    runtime_status: record ? (record.runtime_status ?? '') : 'GONE',
    attempt: record ? record.tracking.attempts : before.tracking.attempts + 1,
    elapsed_ms: Math.max(0, Math.round((now - last.tracking.started_at) * 1000)),
  };
  const progress = progressOf(action, state);
  if (!progress) {
    const message = `The agent is ${state}: there is no ${action === 'create' ? 'creation' : 'deletion'} to follow`;
    return { ...row, done: 1, outcome: 'fail', error_code: 'invalid_state', message };
  }
  const code = record?.state_code ?? '';
  return { ...row, ...progress, error_code: code, message: record?.state_reason ?? SENTENCES[state] };
}

import type { Clock } from '../ports/platform/clock.ts';
import type { AgentsApi } from '../ports/platform/ownApi.ts';
import { expectBody, type Output, pagesOf, type SearchInfo } from './command.ts';
import type { Row } from './rows.ts';

/** The fields of an agent's record that rows need. */
interface Agent {
  name: string;
  state: string;
  state_reason?: string;
  versions?: { runtime_params?: { runtime_id?: string | null } }[];
  tracking: { action: string; started_at: number; last_polled_at: number | null; attempts: number };
}

interface Page {
  result: Agent[];
  pagination: { next_offset: number | null };
}

/** The current state of one agent. */
export async function* oneAgent(agents: AgentsApi, clock: Clock, name: string): AsyncGenerator<Output> {
  const answer = await agents.read(name);
  if (answer.status !== 404) {
    yield { rows: [rowOf(expectBody('agents', answer).config as Agent, clock.now())], last: true };
    return;
  }
  const { error_code, message } = answer.body;
  const missing = { error_code: String(error_code), message: String(message) };
  const row = { _time: time(clock.now()), agent_name: name, done: 1, outcome: 'fail', ...missing };
  yield { rows: [row], messages: [['ERROR', `agentstatus: ${name}: ${missing.message}`]], last: true };
}

/** All agents that the owner of the search may read. */
export async function* readableAgents(agents: AgentsApi, clock: Clock, info: SearchInfo): AsyncGenerator<Output> {
  let offset: number | null = 0;
  while (offset !== null) {
    const { result = [], pagination } = expectBody('agents', await agents.list(offset)) as Partial<Page>;
    const next = pagination?.next_offset ?? null;
    const rows = result.map((agent) => rowOf(agent, clock.now()));
    yield* pagesOf(rows, info, { last: next === null });
    offset = next;
  }
}

function rowOf({ name, state, state_reason, versions, tracking }: Agent, now: number): Row {
  const isPending = state === 'Creating' || state === 'Deleting';
  const until = isPending ? now / 1000 : (tracking.last_polled_at ?? tracking.started_at);
  return {
    _time: time(now),
    agent_name: name,
    action: tracking.action,
    state,
    previous_state: '',
    runtime_id: versions?.[0]?.runtime_params?.runtime_id ?? '',
    runtime_status: '',
    attempt: tracking.attempts,
    elapsed_ms: Math.max(0, Math.round((until - tracking.started_at) * 1000)),
    done: isPending ? 0 : 1,
    outcome: isPending ? '' : state === 'Available' ? 'success' : 'fail',
    error_code: '',
    message: state_reason ?? '',
  };
}

const time = (now: number) => (now / 1000).toFixed(3);

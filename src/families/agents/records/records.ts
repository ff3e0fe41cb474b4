import { remedyOf } from '../../../contract/codes/codes.ts';
import { invalid } from '../../../contract/codes/faults.ts';
import type { AgentAction } from '../../../contract/families/agents.ts';
import { withoutUndefined } from '../../../domain/values/json.ts';
import { BY_LIST } from '../../../resources/access.ts';
import type { ResourceKind } from '../../../resources/kind.ts';
import type { AgentInput, AgentRecord, AgentStored, AgentUpdate, Order, StoredTracking } from '../definition.ts';
import { mergeAgent, problemsOf } from './input.ts';
import { cloudOf, runtimeWarnings } from './runtimeTypes.ts';
import { assertNotPending } from './states.ts';
import { runFieldsOf } from './stored.ts';

export const FAMILY = 'agents';
export const AGENTS = 'ml_agents';

export const agentKind = (newId: () => string): ResourceKind<AgentStored, AgentUpdate, AgentRecord> => ({
  family: FAMILY,
  collection: AGENTS,
  label: 'agent',
  access: BY_LIST,
  addresses: () => ({}),
  merge: (base, body, { now }, merged) => ({
    ...mergeAgent(base, body),
    ...(base ? {} : newFields(merged, newTracking('create', now), newOrder(newId(), null))),
  }),
  problems(next, _secrets, warnings) {
    const input = next as unknown as AgentInput;
    warnings.push(...runtimeWarnings(input));
    return problemsOf(input);
  },
  async assertMayMove(_records, before, { runtime_type }) {
    assertNotPending(before);
    if (runtime_type !== before.runtime_type) {
      throw invalid([{ field: 'runtime_type', message: `cannot be changed; it is ${before.runtime_type}` }]);
    }
  },
  // State changes made by the cloud are not changes by a user.
  audited(_record, view) {
    const { versions, tracking, state, state_reason, error_code, remedy, ...audited } = view as AgentRecord;
    return audited;
  },
  view: agentView,
});

const newFields = (agent: Pick<AgentStored, 'runtime_type'>, tracking: StoredTracking, order: Order) => ({
  state: cloudOf(agent) === undefined ? ('Available' as const) : ('Creating' as const),
  ...{ state_reason: null, state_code: null, ...NO_RUNTIME, tracking, order },
});

export function newTracking(action: AgentAction, now: number): StoredTracking {
  return { job_id: null, action, started_at: now, last_polled_at: null, attempts: 0 };
}

export const newOrder = (token: string, location: string | null, discarded: string | null = null): Order => ({
  token,
  place: location,
  refused: false,
  spent: false,
  discarded,
});

export const NO_RUNTIME = { runtime_id: null, runtime_arn: null, runtime_version: null, runtime_status: null } as const;

function failureOf({ state_code }: AgentStored): Pick<AgentRecord, 'error_code' | 'remedy'> {
  if (state_code === null) return {};
  const remedy = remedyOf(state_code);
  return { error_code: state_code, ...(remedy ? { remedy } : {}) };
}

/** Fields of the definition are repeated in `versions`, so that a read can be sent back as an update. */
function agentView(record: AgentStored, _now: number, planned: AgentStored) {
  const { state, runtime_id } = record;
  const { runtime_type, mcps, knowledge_bases, search_tools, ...fields } = runFieldsOf(
    planned as unknown as AgentInput,
  );
  const ofRun = withoutUndefined({ ...fields, llm: fields.llm ?? undefined });
  const params = { runtime_arn: record.runtime_arn ?? undefined, runtime_version: record.runtime_version ?? undefined };
  const runtime_params = { runtime_id, ...withoutUndefined(params) };
  const version = { ...ofRun, version: 1, state, tools: { mcps, knowledge_bases, search_tools }, runtime_params };
  const { llm } = ofRun;
  const versions = [version] as AgentRecord['versions'];
  return { llm, mcps, state_reason: record.state_reason ?? undefined, ...failureOf(record), versions };
}

import type { Json } from '../../contract/basics.ts';
import type { Caller } from '../../contract/caller.ts';
import { Fault, invalid } from '../../contract/codes/faults.ts';
import type { Pagination } from '../../contract/schemas/common.ts';
import type { ListQueryValues } from '../../domain/lists/lists.ts';
import { findPage, type IndexedList } from '../../domain/lists/storedLists.ts';
import { parseTime } from '../../domain/values/time.ts';
import type { AgentDefinition, AgentDefinitions, RunnableAgent } from '../../families/agents/public.ts';
import type { RecordStore } from '../../ports/stores/recordStore.ts';
import { assertSearchCapabilities } from '../search/searchTools.ts';
import { acceptedOf } from './acceptedTools.ts';
import type { Alert } from './alerts/schemas.ts';
import { expiredText, isExpired } from './approvals/expiry.ts';
import { unpacked } from './documents/packed.ts';
import {
  type AcceptedTools,
  type DecisionDoc,
  decisionKey,
  hasEnded,
  RUNS,
  type RunDoc,
  type StepDoc,
} from './documents/stored.ts';
import { noRun } from './heldRun.ts';
import { assertRuntime } from './invoke/runtimes.ts';
import type { RunStore } from './runStore.ts';
import { sessionOf } from './session.ts';
import { assertShallow } from './steps/calls.ts';
import { MAX_MEMORY } from './steps/messages.ts';

export interface StartInput {
  agent?: string;
  definition?: Parameters<AgentDefinitions['complete']>[1];
  input: string | Json;
  session_id?: string;
  worker?: 'job' | 'caller';
}

type StartBody = Omit<StartInput, 'input'> & Partial<Pick<StartInput, 'input'>> & { alert?: Alert; wait_s?: number };

/**
 * The part of a request that says what is started: a run, or those of an alert.
 * @throws Fault `validation_failed` for a run without input, and for an alert with what only a run takes
 */
export function startOf(body: StartBody): StartInput | { alert: Alert } {
  const { alert, input, ...run } = body;
  if (alert === undefined) {
    if (input === undefined) throw invalid([{ field: 'input', message: 'is required' }]);
    return { ...run, input };
  }
  const others = Object.keys({ ...run, ...(input === undefined ? {} : { input }) });
  if (others.length > 0) throw invalid(others.map((field) => ({ field, message: 'cannot be combined with alert' })));
  return { alert };
}

/** The parts that runs are made from, checked with the rights of a caller. */
export interface PreparedRun {
  /** Undefined for a definition. */
  agent: RunnableAgent | undefined;
  definition: AgentDefinition;
  accepted: AcceptedTools[];
}

export interface DecisionInput {
  step: number;
  decision: 'approve' | 'reject';
  arguments?: Json;
  result?: string;
  comment?: string;
}

const LIST: IndexedList = {
  collection: RUNS,
  sorts: { started_at: 'started_at' },
  defaultSort: 'started_at',
  unique: 'run_id',
  searched: ['agent', 'user', 'state', 'error_code'],
};
const LIST_FIELDS = [
  ...[
    'run_id',
    'agent',
    'definition',
    'accepted',
    'user',
    'state',
    'input',
    'json',
    'output',
    'evidence',
    'error_code',
    'message',
    'session_id',
    'source',
    'result',
  ],
  ...['job_id', 'started_at', 'ended_at', 'waits_since', 'expires_at', 'usage'],
];
/** Fields that a list can be narrowed to one value of. */
const FILTERS = ['agent', 'state', 'user', 'worker', 'search_name'] as const;
const ADMIN = 'admin_all_objects';

/** @throws Fault `unknown_reference` */
async function assertDefault(findDefault: () => Promise<unknown>): Promise<void> {
  try {
    await findDefault();
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'not_found') throw error;
    const errors = [{ field: 'llm.model', message: error.message }];
    throw new Fault('unknown_reference', error.message, { errors });
  }
}

/** A run that cannot begin. */
const ended = (run: RunDoc): RunDoc => ({
  ...{ ...run, history: [], state: 'failed', ended_at: run.started_at },
  ...{ error_code: 'context_length_exceeded', message: 'The session is longer than the 4 MB that a model is told' },
});

/** Starts, finds and decides runs. */
export class Runs {
  readonly #store: RunStore;
  readonly #records: RecordStore;
  readonly #agents: AgentDefinitions;

  constructor(store: RunStore, records: RecordStore, agents: AgentDefinitions) {
    this.#store = store;
    this.#records = records;
    this.#agents = agents;
  }

  /**
   * Stores a new run.
   * @param findDefault finds the model that is asked where none is named; throws Fault `not_found`
   * @param warnings receives what the definition has and its runtime ignores
   * @returns a run that has failed if the session is longer than what a model may be told
   * @throws Fault `unknown_reference` for what the caller may not read; `invalid_state` for an agent that cannot run;
   * `too_many_runs`
   */
  async start(
    caller: Caller,
    body: StartInput,
    findDefault: () => Promise<unknown>,
    warnings: string[],
  ): Promise<RunDoc> {
    assertShallow('input', body.input);
    const prepared = await this.prepare(caller, body, findDefault, warnings);
    const run = await this.newRun(caller, prepared, body, this.#store.newRunId());
    const stored = JSON.stringify(run.history).length > MAX_MEMORY ? ended(run) : run;
    await this.#store.insertRun(stored);
    return stored;
  }

  /** Reads and checks what runs are made from. @see Runs.start */
  async prepare(
    caller: Caller,
    body: Pick<StartInput, 'agent' | 'definition'>,
    findDefault: () => Promise<unknown>,
    warnings: string[],
  ): Promise<PreparedRun> {
    const agent = await this.#agentOf(caller, body);
    const definition = agent?.definition ?? (await this.#agents.complete(caller, body.definition ?? {}, warnings));
    assertSearchCapabilities(caller, definition.search_tools ?? []);
    if (agent) await this.#agents.assertReadable(caller, definition);
    if (definition.runtime_type === 'BUILT_IN' && definition.llm === null) await assertDefault(findDefault);
    await assertRuntime(this.#records, caller, definition, agent);
    return { agent, definition, accepted: await acceptedOf(this.#records, caller, definition) };
  }

  /** A run that is not stored yet. */
  async newRun(
    caller: Caller,
    { agent, definition, accepted }: PreparedRun,
    { input, session_id, worker = 'job' }: Pick<StartInput, 'input' | 'session_id' | 'worker'>,
    id: string,
  ): Promise<RunDoc> {
    return {
      ...{ _key: id, run_id: id, user: caller.user, definition, state: 'queued', input, worker, waited: 0, accepted },
      of_definition: agent === undefined,
      ...(agent ? { agent: agent.name, agent_created_at: agent.created_at } : {}),
      ...(session_id === undefined ? {} : { session_id }),
      ...(session_id === undefined
        ? { history: [] }
        : await sessionOf(this.#store, this.#records, caller.user, agent, session_id)),
      started_at: this.#store.now(),
      usage: { requests: 0, input_tokens: 0, output_tokens: 0 },
    };
  }

  /** Undefined for a definition. */
  async #agentOf(
    caller: Caller,
    { agent, definition }: Pick<StartInput, 'agent' | 'definition'>,
  ): Promise<RunnableAgent | undefined> {
    if ((agent === undefined) === (definition === undefined)) {
      throw invalid([{ field: 'agent', message: 'is required, unless there is a definition instead' }]);
    }
    if (agent === undefined) return undefined;
    const runnable = await this.#agents.read(caller, agent);
    if (!runnable) throw new Fault('unknown_reference', `There is no agent ${agent}, or you may not read it`);
    const { name, is_enabled, state } = runnable;
    if (!is_enabled) throw new Fault('invalid_state', `The agent ${name} is not enabled`);
    if (state !== 'Available') throw new Fault('invalid_state', `The agent ${name} is ${state}, not Available`);
    return runnable;
  }

  /** A run that the caller may read, step, decide and cancel. @throws Fault `not_found` */
  async open(caller: Caller, id: string): Promise<RunDoc> {
    const run = await this.#store.run(id);
    if (!run || !(await this.#maySee(caller, run))) throw noRun(id);
    return run;
  }

  async #maySee(caller: Caller, { user, agent, agent_created_at }: RunDoc): Promise<boolean> {
    if (user === caller.user || caller.capabilities.includes(ADMIN)) return true;
    const current = agent === undefined ? undefined : await this.#agents.read(caller, agent);
    return current?.mayWrite === true && current.created_at === agent_created_at;
  }

  async list(
    caller: Caller,
    query: ListQueryValues & Partial<Record<(typeof FILTERS)[number] | 'earliest' | 'latest', string>>,
  ): Promise<{ result: RunDoc[]; pagination: Pagination }> {
    const equal = FILTERS.flatMap((field) => (query[field] === undefined ? [] : [{ [field]: query[field] }]));
    const [earliest, latest] = [parseTime('earliest', query.earliest), parseTime('latest', query.latest)];
    const from = earliest === undefined ? [] : [{ started_at: { $gte: earliest } }];
    const to = latest === undefined ? [] : [{ started_at: { $lt: latest } }];
    const own = caller.capabilities.includes(ADMIN)
      ? []
      : [{ $or: [{ user: caller.user }, ...(await this.#agents.writable(caller))] }];
    const conditions = [...equal, ...from, ...to, ...own];
    const where = conditions.length > 0 ? { $and: conditions } : {};
    const sorted = { ...query, sort_dir: query.sort_dir ?? ('desc' as const) };
    const page = await findPage<RunDoc>(this.#records, LIST, where, sorted, LIST_FIELDS);
    return { result: page.records.map(unpacked), pagination: page.pagination };
  }

  /**
   * Stores a decision about a step that waits.
   * @param look whether what would be called has changed since it was shown, so that the decision is void; throws Fault
   * `validation_failed` for arguments that do not fit the tool
   * @returns what has changed
   * @throws Fault `invalid_state` if the step does not wait, or somebody has decided
   */
  async decide(
    caller: Caller,
    run: RunDoc,
    { step: index, decision, arguments: args, result, comment }: DecisionInput,
    look: (step: StepDoc, args: Json | undefined) => Promise<DecisionDoc['changed']>,
  ): Promise<DecisionDoc['changed']> {
    if (args !== undefined) assertShallow('arguments', args);
    if (args !== undefined && result !== undefined) {
      throw invalid([{ field: 'result', message: 'cannot be combined with arguments' }]);
    }
    const { steps } = hasEnded(run) ? { steps: [] } : await this.#store.history(run._key);
    const step = steps.find((candidate) => candidate.index === index);
    if (!step || (step.state !== 'waiting' && step.state !== 'unknown')) {
      throw new Fault('invalid_state', `Step ${index} of the run does not wait for a decision`);
    }
    const now = (): number => {
      const time = this.#store.now();
      if (isExpired(run, step, time))
        throw new Fault('invalid_state', `${expiredText(run.definition)}. Read the run again.`);
      return time;
    };
    now();
    const isCall = decision === 'approve' && result === undefined;
    const changed = isCall ? await look(step, args) : undefined;
    const round = step.round ?? 1;
    const doc: DecisionDoc = {
      ...{ _key: decisionKey(run._key, index, round), run_id: run._key, index, round, decision },
      ...(args === undefined ? {} : { arguments: args }),
      ...(result === undefined ? {} : { result }),
      ...(comment === undefined ? {} : { comment }),
      ...(changed === undefined ? {} : { changed }),
      ...{ decided_by: caller.user, decided_at: now() },
    };
    if (!(await this.#store.insertDecision(doc))) {
      throw new Fault('invalid_state', `Somebody has decided step ${index} already. Read the run again.`);
    }
    return changed;
  }

  /** @throws Fault `invalid_state` for a run that has ended */
  async cancel(caller: Caller, run: RunDoc): Promise<void> {
    if (hasEnded(run)) throw new Fault('invalid_state', `The run is ${run.state}: there is nothing to cancel`);
    await this.#store.insertCancel(run._key, caller.user);
  }
}

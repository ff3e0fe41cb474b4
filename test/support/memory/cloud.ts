import { Fault } from '../../../src/contract/codes/faults.ts';
import { type OutboundCode, OutboundError } from '../../../src/contract/codes/outbound.ts';
import type {
  AgentAnswer,
  AgentCloud,
  AgentClouds,
  AgentRequest,
  AgentRuntime,
  RuntimeRequest,
} from '../../../src/ports/cloud/agentCloud.ts';
import type { CloudEndpoints } from '../../../src/ports/cloud/cloudEndpoints.ts';
import type { CloudKnowledgeBases } from '../../../src/ports/cloud/cloudKnowledgeBases.ts';
import type { Passage } from '../../../src/ports/cloud/passages.ts';
import type { SearchJobs } from '../../../src/ports/platform/searchJobs.ts';
import { FaultPlan } from './faults.ts';

type Operation = 'create' | 'find' | 'get' | 'remove' | 'invoke' | 'stop';
/**
 * What becomes of a call: `refused` it says no; `busy` not now; `down` nothing happens and nobody answers; `lost` it
 * happens and nobody hears of it; `throttled` it says later.
 */
export type Trouble = 'refused' | 'busy' | 'down' | 'lost' | 'throttled';

export interface FakeRuntime extends RuntimeRequest {
  id: string;
  status: string;
  reason?: string;
}

const PHASES: Record<string, AgentRuntime['phase']> = {
  READY: 'ready',
  CREATE_FAILED: 'failed',
  DELETING: 'removing',
  DELETE_FAILED: 'remove_failed',
};

const failWith = (code: OutboundCode, httpStatus?: number) =>
  new OutboundError(code, `the cloud: ${code}`, { httpStatus });
const ERRORS: Record<Trouble, () => OutboundError> = {
  refused: () => failWith('permission_denied', 403),
  busy: () => failWith('upstream_error', 409),
  down: () => failWith('timeout'),
  lost: () => failWith('connection_reset'),
  throttled: () => failWith('rate_limited', 429),
};

/** A cloud that makes runtimes: idempotent by token, one runtime a name, as its documentation says. */
export class FakeCloud {
  readonly runtimes = new Map<string, FakeRuntime>();
  readonly calls: string[] = [];
  readonly tokens: string[] = [];
  /** Sessions that were stopped. */
  readonly stopped: { arn: string; session: string }[] = [];
  /** Troubles of the next calls of an operation, the first one first. */
  readonly troubles: Partial<Record<Operation, Trouble[]>> = {};
  /** Does the same to every call. */
  always: Partial<Record<Operation, Trouble>> = {};
  /** Status of a new runtime, and of one that is being deleted; `''` = it is gone at once. */
  newborn = 'CREATING';
  dying = '';
  lists = true;
  location: string | null = 'eu-central-1';
  readonly locations: (string | null)[] = [];
  deadlineMs = 900_000;
  /** What the agent in a runtime answers. */
  answer: (arn: string, request: AgentRequest) => AgentAnswer | Promise<AgentAnswer> = (_arn, { body }) => ({
    contentType: 'application/json',
    text: JSON.stringify(`heard ${JSON.parse(body).input}`),
  });
  #ids = 0;

  /** The cloud as a process sees it that may die. */
  seenBy(faults = new FaultPlan()): AgentClouds {
    return {
      settings: async () => ({ location: this.location, deadlineMs: this.deadlineMs }),
      at: (_kind, location) => {
        this.locations.push(location);
        return this.#service(faults);
      },
    };
  }

  /** Every runtime takes this status. */
  become(status: string, reason?: string): void {
    for (const runtime of this.runtimes.values()) Object.assign(runtime, { status, ...(reason ? { reason } : {}) });
  }

  #service(faults: FaultPlan): AgentCloud {
    return {
      create: async (order) => {
        const done = await this.#call('create', faults, () => this.#create(order));
        if (done.trouble === undefined && done.value) return { kind: 'created', runtime: toRuntime(done.value) };
        const refused = done.trouble === undefined || done.trouble === 'refused' || done.trouble === 'throttled';
        return { kind: refused ? 'refused' : 'unanswered', error: ERRORS[done.trouble ?? 'busy']() };
      },
      find: async (order) => {
        const done = await this.#call('find', faults, () => (this.lists ? this.#ofToken(order.token) : undefined));
        if (done.trouble) throw ERRORS[done.trouble]();
        return done.value && toRuntime(done.value);
      },
      get: async (id) => {
        const done = await this.#call('get', faults, () => this.runtimes.get(id));
        if (done.trouble) throw ERRORS[done.trouble]();
        return done.value && toRuntime(done.value);
      },
      remove: async (id) => {
        const done = await this.#call('remove', faults, () => this.#remove(id));
        if (done.trouble === undefined) return { kind: done.value ? 'accepted' : 'gone' };
        if (done.trouble === 'busy') return { kind: 'busy', error: ERRORS.busy() };
        const refused = done.trouble === 'refused' || done.trouble === 'throttled';
        return { kind: refused ? 'refused' : 'unanswered', error: ERRORS[done.trouble]() };
      },
      invoke: async (arn, request) => {
        const done = await this.#call('invoke', faults, () => this.answer(arn, request));
        if (done.trouble) throw ERRORS[done.trouble]();
        return done.value as AgentAnswer;
      },
      stop: async (arn, session) => {
        const done = await this.#call('stop', faults, () => this.stopped.push({ arn, session }));
        if (done.trouble) throw ERRORS[done.trouble]();
      },
    };
  }

  async #call<T>(operation: Operation, faults: FaultPlan, effect: () => T) {
    return faults.call(`cloud ${operation}`, () => {
      this.calls.push(operation);
      const trouble = this.troubles[operation]?.shift() ?? this.always[operation];
      const value = trouble === undefined || trouble === 'lost' ? effect() : undefined;
      return { trouble, value };
    });
  }

  #create({ name, token }: RuntimeRequest): FakeRuntime | undefined {
    this.tokens.push(token);
    const known = this.#ofToken(token);
    if (known) return known;
    if ([...this.runtimes.values()].some((runtime) => runtime.name === name)) return undefined;
    this.#ids += 1;
    const runtime = { id: `runtime-${this.#ids}`, name, token, status: this.newborn };
    this.runtimes.set(runtime.id, runtime);
    return runtime;
  }

  #remove(id: string): boolean {
    const runtime = this.runtimes.get(id);
    if (!runtime) return false;
    if (this.dying === '') this.runtimes.delete(id);
    else runtime.status = this.dying;
    return true;
  }

  #ofToken(token: string): FakeRuntime | undefined {
    return [...this.runtimes.values()].find((runtime) => runtime.token === token);
  }
}

const toRuntime = ({ id, status, reason }: FakeRuntime): AgentRuntime => ({
  id,
  arn: `arn:${id}`,
  version: '1',
  phase: PHASES[status] ?? 'pending',
  status,
  reason,
});

/** Search jobs that are only written down. */
export class FakeSearches implements SearchJobs {
  readonly dispatched: { user: string; search: string }[] = [];
  readonly active = new Set<string>();
  failure: string | undefined;

  async dispatch(user: string, search: string): Promise<string> {
    if (this.failure !== undefined) throw new Fault('store_unavailable', this.failure);
    this.dispatched.push({ user, search });
    const sid = `sid-${this.dispatched.length}`;
    this.active.add(sid);
    return sid;
  }

  async isActive(sid: string): Promise<boolean> {
    return this.active.has(sid);
  }

  async isKnown(_user: string, sid: string): Promise<boolean> {
    return this.active.has(sid);
  }
}

/** A cloud in which every endpoint serves, and predicts how many fields each row has. */
export const IN_SERVICE: CloudEndpoints = {
  describe: async () => ({ status: 'InService' }),
  visit: async () => ({
    invoke: async (_name, { body }) => {
      const { instances } = JSON.parse(body) as { instances: object[] };
      const predictions = instances.map((one) => Object.keys(one).length);
      return { kind: 'answered', contentType: 'application/json', body: JSON.stringify({ predictions }) };
    },
    close: () => {},
  }),
};

export const PASSAGE: Passage = {
  id: 'doc-1',
  text: 'Empty the spool directory.',
  score: 0.5,
  source: { type: 's3', uri: 's3://runbooks/disk.md' },
  metadata: { team: 'storage' },
};

/** A cloud in which every knowledge base answers with one passage. */
export const KNOWLEDGE_BASES: CloudKnowledgeBases = {
  visit: async () => ({
    assumeRole: async () => {},
    describe: async () => ({ status: 'ACTIVE' }),
    retrieve: async () => [PASSAGE],
    close: () => {},
  }),
};

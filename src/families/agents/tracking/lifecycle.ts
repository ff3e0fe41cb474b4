import type { Caller } from '../../../contract/caller.ts';
import { Fault } from '../../../contract/codes/faults.ts';
import { OutboundError } from '../../../contract/codes/outbound.ts';
import {
  AGENT_DEFAULTS,
  type AgentAction,
  type CloudRuntimeType,
  type ProgressRow,
} from '../../../contract/families/agents.ts';
import { startDeadline } from '../../../domain/async/deadline.ts';
import { Leases, LONG_LEASE_MS } from '../../../domain/locks/leases.ts';
import { recordKey } from '../../../domain/values/keys.ts';
import type { AgentClouds } from '../../../ports/cloud/agentCloud.ts';
import type { SearchJobs } from '../../../ports/platform/searchJobs.ts';
import type { AgentCreate, AgentStored } from '../definition.ts';
import { NO_RUNTIME, newOrder, newTracking } from '../records/records.ts';
import type { ImportTerms } from '../records/references.ts';
import { cloudOf } from '../records/runtimeTypes.ts';
import type { AgentRecords } from '../records/service.ts';
import { assertAllowed, nextState, progressOf } from '../records/states.ts';
import { Pace } from './pace.ts';
import { progressRow } from './row.ts';
import { type Progress, stepCreating, stepDeleting } from './step.ts';

/** Limit for all calls and retries of one step. */
const STEP_MS = 25_000;
/** The search outlasts the deadline, so that it reports the end. */
const GRACE_S = 60;

interface StepOptions {
  isRequest: boolean;
  isRepeat: boolean;
  /** Set for a monitor, whose polls are rate-limited; its longest wait between two polls, if it states one. */
  monitor?: { intervalS: number | undefined };
}
const POLL: StepOptions = { isRequest: false, isRepeat: true };

interface StepResult {
  /** Undefined after deletion. */
  record: AgentStored | undefined;
  progress: Progress;
}

/** Creates and deletes runtimes in the cloud and stores their state. */
export class AgentLifecycle {
  readonly #agents: AgentRecords;
  readonly #clouds: AgentClouds;
  readonly #searches: SearchJobs;
  readonly #leases: Leases;
  readonly #pace: Pace;

  constructor(agents: AgentRecords, clouds: AgentClouds, searches: SearchJobs) {
    this.#agents = agents;
    this.#clouds = clouds;
    this.#searches = searches;
    const { records, clock, newId } = agents.stores;
    this.#leases = new Leases(records, clock, newId);
    this.#pace = new Pace({ records, clock });
  }

  async create(caller: Caller, input: AgentCreate, warnings: string[], imported?: ImportTerms) {
    const cloud = cloudOf({ runtime_type: input.runtime_type ?? AGENT_DEFAULTS.runtime_type });
    const location = cloud === undefined ? null : (await this.#clouds.settings(cloud)).location;
    const record = await this.#agents.createAgent(caller, input, location, warnings, imported);
    if (cloud === undefined) return startedView(record, null);
    return this.#start(caller, record, { isRequest: true, isRepeat: false }, warnings);
  }

  async retry(caller: Caller, name: string, condition: number | undefined, warnings: string[]) {
    const key = recordKey(name);
    const before = await this.#agents.get(caller, key, 'write');
    assertAllowed(before, 'retry');
    const { location } = await this.#clouds.settings(requireCloud(before));
    const token = this.#agents.stores.newId();
    const record = await this.#agents.sealed.amend(key, async (now) => {
      this.#assertMayChange(caller, now, condition);
      assertAllowed(now, 'retry');
      return {
        open: {
          state: 'Creating',
          state_reason: null,
          state_code: null,
          tracking: newTracking('create', this.#agents.now()),
          ...renewOrder(now, token, location),
        },
      };
    });
    if (!record) throw this.#agents.sealed.notFound();
    return this.#start(caller, record, { isRequest: true, isRepeat: record.order.token !== token }, warnings);
  }

  async remove(caller: Caller, name: string, condition: number | undefined, warnings: string[]) {
    const key = recordKey(name);
    const before = await this.#agents.sealed.get(key);
    this.#assertMayChange(caller, before, condition);
    if (cloudOf(before) === undefined) return this.#removeNow(caller, before, condition);
    let isRepeat = false;
    const record = await this.#agents.sealed.amend(key, async (now) => {
      this.#assertMayChange(caller, now, condition);
      assertSameRuntime(before, now);
      isRepeat = now.state === 'Deleting';
      if (isRepeat) return undefined;
      const tracking = newTracking('delete', this.#agents.now());
      return { open: { state: 'Deleting', state_reason: null, state_code: null, tracking } };
    });
    if (!record) throw this.#agents.sealed.notFound();
    const { record: now } = await this.#step(record, isRepeat ? POLL : { isRequest: true, isRepeat: true });
    const jobId = now && (await this.#follow(caller, now, 'delete', warnings));
    return { agent_name: record.name, state: now?.state ?? ('Deleted' as const), tracking_job_id: jobId ?? null };
  }

  /** Without a runtime in a cloud the record is all that there is. */
  async #removeNow(caller: Caller, record: AgentStored, condition: number | undefined) {
    await this.#agents.sealed.remove(record._key, {
      condition,
      guard: (now) => {
        this.#agents.assertMay(caller, 'write', now);
        assertSameRuntime(record, now);
      },
    });
    return { agent_name: record.name, state: 'Deleted' as const, tracking_job_id: null };
  }

  /** Polls the cloud once, unless another monitor is polling or has just polled. */
  async follow(caller: Caller, name: string, action: AgentAction, intervalS?: number): Promise<ProgressRow> {
    const record = await this.#agents.get(caller, recordKey(name));
    const isUnderWay = progressOf(action, record.state)?.done === 0;
    const now = isUnderWay ? (await this.#step(record, { ...POLL, monitor: { intervalS } })).record : record;
    return progressRow(action, record, now, this.#agents.now());
  }

  async #start(caller: Caller, record: AgentStored, options: StepOptions, warnings: string[]) {
    const { record: now = record } = await this.#step(record, options);
    return startedView(now, await this.#follow(caller, now, now.tracking.action, warnings));
  }

  /**
   * Polls the cloud and stores the result; only reads the record while another process polls.
   * @throws Fault with the cloud's reason, if the caller's own request failed
   */
  async #step(record: AgentStored, options: StepOptions): Promise<StepResult> {
    const { monitor } = options;
    const isEarly = async (record: AgentStored) => monitor && !(await this.#pace.isDue(record, monitor.intervalS));
    if (await isEarly(record)) return { record, progress: {} };
    // The token is part of the key, so that a leftover lease does not block a new agent of the same name.
    const lease = await this.#leases.tryAcquire(`agents.${record._key}.${record.order.token}`, LONG_LEASE_MS);
    if (!lease) return { record: await this.#reread(record), progress: {} };
    try {
      // The previous lease holder may have finished the step.
      const fresh = await this.#reread(record);
      if (!fresh || fresh.state !== record.state || (await isEarly(fresh))) return { record: fresh, progress: {} };
      const progress = await this.#ask(fresh, options);
      const now = await this.#write(fresh, progress, !options.isRequest);
      const failure = progress.event === 'failed' || progress.event === 'remove_failed';
      if (options.isRequest && failure && progress.error) {
        throw Fault.of(progress.error, { agent_name: fresh.name, state: now?.state ?? 'Deleted' });
      }
      return { record: now, progress };
    } finally {
      await lease.release();
    }
  }

  async #ask(record: AgentStored, options: StepOptions): Promise<Progress> {
    using deadline = startDeadline(STEP_MS);
    const cloud = requireCloud(record);
    const { deadlineMs } = await this.#clouds.settings(cloud);
    const service = this.#clouds.at(cloud, record.order.place);
    const save = async (progress: Progress) => {
      await this.#write(record, progress, false);
    };
    const isCreating = record.state === 'Creating';
    const progress = await (isCreating ? stepCreating : stepDeleting)({ service, record, deadline, save, ...options });
    const isLate = this.#agents.now() * 1000 >= record.tracking.started_at * 1000 + deadlineMs;
    if (progress.event || options.isRequest || !isLate) return progress;
    const trouble = progress.error ? `; last error: ${progress.error.message}` : '';
    const text = `Not ${isCreating ? 'ready' : 'gone'} after ${Math.round(deadlineMs / 1000)} s${trouble}`;
    return { ...progress, event: isCreating ? 'failed' : 'remove_failed', error: new OutboundError('timeout', text) };
  }

  /** Stores the progress, but never in the record of another creation. @returns undefined after deletion */
  async #write(record: AgentStored, progress: Progress, isPoll: boolean): Promise<AgentStored | undefined> {
    const isSame = (now: AgentStored) => now.order.token === record.order.token && now.state === record.state;
    if (progress.event === 'removed') return this.#removed(record, isSame);
    return this.#agents.sealed.amend(record._key, async (now) => {
      if (now.order.token !== record.order.token) return undefined;
      const { runtime } = progress;
      const observed = {
        ...(runtime && { runtime_id: runtime.id, runtime_status: runtime.status }),
        ...(runtime?.arn !== undefined && { runtime_arn: runtime.arn }),
        ...(runtime?.version !== undefined && { runtime_version: runtime.version }),
        ...(progress.status !== undefined && { runtime_status: progress.status }),
        order: {
          ...now.order,
          ...(progress.cleared && { discarded: null }),
          ...(progress.refused && { refused: true }),
          ...(progress.spent && { spent: true }),
        },
      };
      // After a concurrent deletion the runtime's data is still valid, but the state is not.
      if (!isSame(now)) return { open: observed };
      const next = progress.event && nextState(now.state, progress.event);
      const { tracking } = now;
      const polled = { ...tracking, last_polled_at: this.#agents.now(), attempts: tracking.attempts + 1 };
      return {
        open: {
          ...observed,
          ...(next && next !== 'gone' && { state: next }),
          state_reason: progress.error?.message ?? null,
          state_code: progress.error?.code ?? null,
          ...(isPoll && { tracking: polled, polled: this.#pace.stamp(now, progress.error !== undefined) }),
        },
      };
    });
  }

  async #removed(record: AgentStored, isSame: (now: AgentStored) => boolean): Promise<AgentStored | undefined> {
    const changed = changedMeanwhile();
    try {
      await this.#agents.sealed.remove(record._key, {
        condition: undefined,
        guard: (now) => {
          if (!isSame(now)) throw changed;
        },
      });
      return undefined;
    } catch (error) {
      // Deleted, or replaced by another agent of this name.
      if (error instanceof Fault && (error === changed || error.code === 'not_found')) return this.#reread(record);
      throw error;
    }
  }

  /** @returns undefined if the agent was deleted, even if another one has its name now */
  async #reread(record: AgentStored): Promise<AgentStored | undefined> {
    const [now] = await this.#agents.sealed.find({ query: { _key: record._key }, limit: 1 });
    return now?.created_at === record.created_at ? now : undefined;
  }

  /** Reuses the monitoring search if it is active, else starts one. A failure to start it is only a warning. */
  async #follow(caller: Caller, record: AgentStored, action: AgentAction, warnings: string[]): Promise<string | null> {
    const { job_id } = record.tracking;
    try {
      if (job_id !== null && (await this.#searches.isActive(job_id))) return job_id;
      const { deadlineMs } = await this.#clouds.settings(requireCloud(record));
      const timeout = Math.ceil(deadlineMs / 1000) + GRACE_S;
      const search = `| agentstatus agent_name="${record.name}" action=${action} timeout=${timeout}`;
      const started = await this.#searches.dispatch(caller.user, search);
      await this.#agents.sealed.amend(record._key, async (now) =>
        now.tracking.started_at === record.tracking.started_at
          ? { open: { tracking: { ...now.tracking, job_id: started } } }
          : undefined,
      );
      return started;
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      warnings.push(
        `The monitoring search could not be started (${error.message}). Run | agentstatus agent_name=${record.name} action=${action}`,
      );
      return null;
    }
  }

  #assertMayChange(caller: Caller, record: AgentStored, condition: number | undefined): void {
    this.#agents.assertMay(caller, 'write', record);
    this.#agents.sealed.assertVersion(record, condition);
  }
}

/** A new token after a refusal or a failed runtime; otherwise repeating the old token is idempotent. */
function renewOrder(record: AgentStored, token: string, location: string | null) {
  const { order, runtime_id } = record;
  if (order.refused) return { order: newOrder(token, location, order.discarded) };
  if (!order.spent) return {};
  return { order: newOrder(token, location, runtime_id ?? order.discarded), ...NO_RUNTIME };
}

const startedView = ({ name: agent_name, runtime_type, state }: AgentStored, tracking_job_id: string | null) => ({
  agent_name,
  runtime_type,
  state,
  tracking_job_id,
});

const changedMeanwhile = () => new Fault('invalid_state', 'The agent was changed by another request. Try again.');

/** Another agent of the same name may have taken its place. @throws Fault `invalid_state` */
function assertSameRuntime(before: AgentStored, now: AgentStored): void {
  if (cloudOf(before) !== cloudOf(now)) throw changedMeanwhile();
}

/** Only agents of a cloud are ever on their way. */
function requireCloud({ name, runtime_type }: AgentStored): CloudRuntimeType {
  const cloud = cloudOf({ runtime_type });
  if (cloud === undefined) throw new Error(`The agent ${name} has no runtime in a cloud`);
  return cloud;
}

import { OutboundError } from '../../../contract/codes/outbound.ts';
import type { AgentCloud, AgentRuntime } from '../../../ports/cloud/agentCloud.ts';
import type { Deadline } from '../../../ports/platform/clock.ts';
import type { AgentStored } from '../definition.ts';
import type { AgentEvent } from '../records/states.ts';

/** Result of one poll of the cloud. */
export interface Progress {
  /** Absent while the cloud is still working or cannot be reached. */
  event?: Extract<AgentEvent, 'ready' | 'failed' | 'removed' | 'remove_failed'>;
  error?: OutboundError;
  runtime?: AgentRuntime;
  /** Runtime status, if there is no complete runtime to take it from. */
  status?: string;
  /** The runtime of an earlier attempt was removed. */
  cleared?: true;
  refused?: true;
  spent?: true;
}

export interface Step {
  service: AgentCloud;
  record: AgentStored;
  deadline: Deadline;
  /** A request reports an error to its caller; a poll is retried later. */
  isRequest: boolean;
  /** The creation may have been requested before. */
  isRepeat: boolean;
  /** Saves progress that must not be lost before the next call. */
  save(progress: Progress): Promise<void>;
}

/** One step towards `Available`. */
export async function stepCreating(step: Step): Promise<Progress> {
  const { service, record, deadline, isRequest } = step;
  const cleared = await clearDiscarded(step, 'failed');
  if (cleared && !('cleared' in cleared)) return cleared;
  // Saved first, since `discarded` implies that nothing was requested under the new token.
  if (cleared) await step.save(cleared);
  if (record.runtime_id === null) return order(step);
  const runtime = await service.get(record.runtime_id, deadline).catch(outboundErrorOf);
  if (runtime instanceof OutboundError) return isRequest && isFinal(runtime) ? failed(runtime) : { error: runtime };
  if (!runtime) return { ...failed(gone()), status: 'GONE', spent: true };
  switch (runtime.phase) {
    case 'ready':
      return { event: 'ready', runtime };
    case 'pending':
      return { runtime };
    default:
      return { ...failed(reasonOf(runtime)), runtime, spent: true };
  }
}

/** First looks for a runtime that was requested before, since the cloud forgets tokens. */
async function order({ service, record, deadline, isRequest, isRepeat }: Step): Promise<Progress> {
  const request = { name: record.name, token: record.order.token };
  const runtime = isRepeat ? await service.find(request, deadline).catch(outboundErrorOf) : undefined;
  // If the list cannot be read, the token still prevents a duplicate.
  if (runtime && !(runtime instanceof OutboundError)) return { runtime };
  const creation = await service.create(request, deadline);
  if (creation.kind === 'created') return { runtime: creation.runtime };
  const { kind, error } = creation;
  // A poll that is throttled or unanswered is retried later.
  if (!isRequest && (kind === 'unanswered' || error.code === 'rate_limited')) return { error };
  return { ...failed(error), ...(kind === 'refused' ? { refused: true } : {}) };
}

/** One step towards the end. */
export async function stepDeleting(step: Step): Promise<Progress> {
  const { record } = step;
  const cleared = await clearDiscarded(step, 'remove_failed');
  if (cleared && !('cleared' in cleared)) return cleared;
  let id = record.runtime_id;
  if (id === null) {
    // The discarded runtime is gone, and no other was requested.
    if (record.order.refused || record.order.discarded !== null) return { event: 'removed' };
    const lookup = await findRuntime(step);
    if ('progress' in lookup) return lookup.progress;
    id = lookup.id;
  }
  return removeRuntime(step, id, { event: 'removed' }, 'remove_failed');
}

/**
 * Finds the runtime of an unanswered request by repeating the request, which its token makes idempotent.
 * If the cloud does not list the runtime and refuses the request, there is none.
 */
async function findRuntime({ service, record, deadline, isRequest, save }: Step) {
  const request = { name: record.name, token: record.order.token };
  const runtime = await service.find(request, deadline).catch(outboundErrorOf);
  if (!runtime || runtime instanceof OutboundError) {
    const creation = await service.create(request, deadline);
    if (creation.kind === 'created') return saved(creation.runtime);
    if (creation.kind === 'refused' && !runtime && creation.error.code !== 'rate_limited') {
      return { progress: { event: 'removed' } satisfies Progress };
    }
    const isOver = isRequest || isFinal(creation.error);
    return { progress: { error: creation.error, ...(isOver ? { event: 'remove_failed' as const } : {}) } };
  }
  return saved(runtime);

  async function saved(runtime: AgentRuntime) {
    await save({ runtime });
    return { id: runtime.id };
  }
}

/** @returns undefined if there is nothing to remove; `cleared` after removal */
async function clearDiscarded(step: Step, failure: Failure): Promise<Progress | undefined> {
  const { discarded } = step.record.order;
  return discarded === null ? undefined : removeRuntime(step, discarded, { cleared: true }, failure);
}

type Failure = 'failed' | 'remove_failed';

/** A poll first checks whether the removal is still needed. */
async function removeRuntime(
  { service, deadline, isRequest }: Step,
  id: string,
  done: Progress,
  failure: Failure,
): Promise<Progress> {
  if (!isRequest) {
    const runtime = await service.get(id, deadline).catch(outboundErrorOf);
    if (runtime instanceof OutboundError) return { error: runtime };
    if (!runtime) return done;
    const { phase, status } = runtime;
    if (phase === 'removing') return { status };
    if (phase === 'remove_failed') return { event: failure, error: reasonOf(runtime), status };
  }
  const removal = await service.remove(id, deadline);
  switch (removal.kind) {
    case 'gone':
      return done;
    case 'accepted':
      return { status: 'DELETING' };
    case 'busy':
      return { error: removal.error };
    default: {
      const isOver = isRequest || (removal.kind === 'refused' && removal.error.code !== 'rate_limited');
      return { error: removal.error, ...(isOver ? { event: failure } : {}) };
    }
  }
}

const failed = (error: OutboundError) => ({ event: 'failed', error }) as const;
const gone = () => new OutboundError('upstream_error', 'The runtime no longer exists: it was deleted outside the app');

/** Whether a retry would bring the same answer. */
const isFinal = (error: OutboundError) =>
  error.httpStatus !== undefined && error.httpStatus < 500 && error.code !== 'rate_limited';

function reasonOf({ status, reason }: AgentRuntime): OutboundError {
  return new OutboundError('upstream_error', `The runtime is ${status}${reason ? `: ${reason}` : ''}`);
}

function outboundErrorOf(error: unknown): OutboundError {
  if (error instanceof OutboundError) return error;
  throw error;
}

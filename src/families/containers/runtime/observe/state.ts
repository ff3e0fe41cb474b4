import type { WorkloadState } from '../../../../ports/engines/containerEngine.ts';
import { ACTIVE, FAILED, type RuntimeStored, STOPPED, UNREACHABLE, WAITING } from '../records.ts';

/** Longer than any engine call except a pull, so the process of an older start has died. */
const CREATION_LIMIT_MS = 60_000;
/** The engine's reason for a created object that is not started yet. */
export const NOT_RELEASED = 'creating';
const PROBES_UNTIL_UNREACHABLE = 3;

export interface Observation {
  /** `gone`: the engine answered and has no such object. `unreachable`: it did not answer. */
  engine: WorkloadState | 'gone' | 'unreachable';
  /** '' = success; undefined = not probed. */
  probe: string | undefined;
  /** Whether the pull process is alive. */
  pulling: boolean;
  /** Epoch milliseconds. */
  now: number;
}

type RecordChange = Partial<RuntimeStored>;

/**
 * Status changes after an observation. Failed, Stopped and Unreachable need positive evidence: neither a failed probe
 * during a start nor an unreachable engine is enough.
 */
export function nextState(record: RuntimeStored, observation: Observation): RecordChange {
  const news = transition(record, observation);
  if (news.status === undefined || news.status === record.status) return news;
  return { ...news, status_since: new Date(observation.now).toISOString() };
}

function transition(record: RuntimeStored, observation: Observation): RecordChange {
  const { engine } = observation;
  if (engine === 'unreachable')
    return observation.probe === '' ? active(record) : { probe_error: 'engine_unreachable' };
  if (engine === 'gone') return withoutObject(record, observation);
  if (engine.reason === NOT_RELEASED) return interruptedStart(record, observation);
  const facts: RecordChange = { restarts: String(engine.restarts) };
  if (engine.phase === 'failed') return { ...facts, ...failed(engine.reason, engine.message) };
  if (engine.phase === 'ended') {
    return {
      ...facts,
      status: STOPPED,
      status_reason: engine.reason,
      status_message: engine.message,
      probe_failures: 0,
    };
  }
  if (observation.probe === '') return { ...facts, ...active(record) };
  return { ...facts, ...unanswered(record, engine, observation.probe) };
}

function active(record: RuntimeStored): RecordChange {
  // The application answers, so the start has succeeded.
  const step: RecordChange = record.step === '' ? {} : { step: '' };
  return { ...step, status: ACTIVE, status_reason: '', status_message: '', probe_error: '', probe_failures: 0 };
}

const failed = (status_reason: string, status_message: string): RecordChange => ({
  status: FAILED,
  status_reason,
  status_message,
  probe_failures: 0,
});

function unanswered(record: RuntimeStored, engine: WorkloadState, probe: string | undefined): RecordChange {
  const error: RecordChange = probe === undefined ? {} : { probe_error: probe };
  const { reason, message } = engine;
  if (record.status === ACTIVE || record.status === UNREACHABLE) {
    // A rejected token shows that the application is up.
    const counts = probe !== undefined && probe !== 'token_rejected';
    const failures = counts ? Math.min(record.probe_failures + 1, PROBES_UNTIL_UNREACHABLE) : record.probe_failures;
    const isUnreachable = record.status === UNREACHABLE || failures >= PROBES_UNTIL_UNREACHABLE;
    const status = isUnreachable ? UNREACHABLE : ACTIVE;
    return {
      ...error,
      status,
      probe_failures: failures,
      ...(isUnreachable ? { status_reason: reason, status_message: message } : {}),
    };
  }
  return { ...error, status: WAITING, status_reason: reason || 'starting', status_message: message };
}

function withoutObject(record: RuntimeStored, observation: Observation): RecordChange {
  if (record.step === 'pulling') {
    if (observation.pulling) return {};
    return {
      step: '',
      ...failed(
        'image_pull_interrupted',
        'The process that pulled the image has ended. Start again; finished layers are reused.',
      ),
    };
  }
  if (record.step === 'creating') return interruptedStart(record, observation);
  if (record.step === 'stopping') {
    return {
      step: '',
      status: STOPPED,
      status_reason: 'stopped',
      status_message: 'The container was stopped, but its record could not be removed. Stop it again.',
      probe_failures: 0,
    };
  }
  // A start that failed before the container existed keeps its status.
  if (record.id === '' || record.status === STOPPED) return {};
  return {
    status: STOPPED,
    status_reason: 'removed_externally',
    status_message: 'The container was removed from its engine, but not by this app',
    probe_failures: 0,
  };
}

/** A start that exceeds the deadlines of its calls has died. */
function interruptedStart(record: RuntimeStored, observation: Observation): RecordChange {
  if (observation.now - record.started_at < CREATION_LIMIT_MS) return {};
  return { step: '', ...failed('start_interrupted', 'The start was interrupted. Start again.') };
}

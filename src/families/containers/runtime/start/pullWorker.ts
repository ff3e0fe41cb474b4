import { Fault } from '../../../../contract/codes/faults.ts';
import { integerSetting } from '../../../../contract/settings/integerSetting.ts';
import { startDeadline } from '../../../../domain/async/deadline.ts';
import type { UnsealedRecord } from '../../../../domain/records/sealedRecord.ts';
import type { PullJob } from '../../../../ports/engines/containerDependencies.ts';
import { EngineFailure, type PullProgress } from '../../../../ports/engines/containerEngine.ts';
import type { ConnectionStored } from '../../connections/records.ts';
import type { Engines, OpenEngine } from '../engines.ts';
import { FAILED, pullLease, type RuntimeStored } from '../records.ts';
import type { Runtimes } from '../store.ts';
import { PULL_LEASE_MS } from './pullStart.ts';
import { create, ENGINE_MS } from './start.ts';

const HEARTBEAT_MS = 2000;
/** The pull is abandoned when the stores are unavailable for this time. */
const STORE_TIMEOUT_MS = 60_000;

/** Pulls the image, records the progress and starts the container. Ends early if its record or lease is lost. */
export async function runPull(engines: Engines, runtimes: Runtimes, job: PullJob): Promise<void> {
  const { clock, log, audit } = runtimes.stores;
  const start = { _key: job.key, mark: job.mark };
  const record = await runtimes.getByKey(job.key);
  if (record?.mark !== job.mark) return;
  const ended = new AbortController();
  const timeout = integerSetting(await engines.deps.settings.read(), 'containers', 'pull_timeout_s', log);
  const timer = setTimeout(
    () => ended.abort(new EngineFailure('image_pull_failed', timedOut(timeout))),
    timeout * 1000,
  );
  let progress: PullProgress | undefined;
  const beating = heartbeat(runtimes, job, ended, () => progress);
  const pullAndCreate = async () => {
    const before = await readConnection(engines, record);
    const make = async (open: OpenEngine) => {
      using deadline = startDeadline(ENGINE_MS);
      await create({ engines, runtimes, keepsUnrecorded: true }, record, open, deadline, []);
    };
    await engines.withUnsealedEngine(before, async (open) => {
      await pull(open, record, ended.signal, (now) => {
        progress = now;
      });
      const now = await readAgain(engines, record, before);
      // The open engine still works while the platform is unavailable.
      await (now === before ? make(open) : engines.withUnsealedEngine(now, make));
    });
  };
  try {
    await audit.runAsSystem({ action: 'start', family: 'containers', name: record.model }, async () => {
      try {
        await pullAndCreate();
      } catch (error) {
        throw ended.signal.aborted ? ended.signal.reason : error;
      }
    });
  } catch (cause) {
    log.warn('pull_ended', { model: record.model, reason: cause instanceof EngineFailure ? cause.reason : 'given_up' });
    if (cause instanceof Abandonment || isStopped(cause)) return;
    const failure = cause instanceof EngineFailure ? cause : new EngineFailure('start_failed', failureMessage(cause));
    await runtimes.change(start, () => failed(failure, clock.now()));
  } finally {
    clearTimeout(timer);
    ended.abort(new Abandonment());
    await beating;
    await runtimes.leases.drop(pullLease(job.key), job.owner).catch(() => {});
  }
}

/** The record or the lease was lost. */
class Abandonment extends Error {
  readonly reason = 'abandoned';
}

const isStopped = (error: unknown) => error instanceof Fault && error.code === 'invalid_state';
const failureMessage = (error: unknown) => (error instanceof Fault ? error.message : 'The start failed after the pull');

async function readConnection(
  { connections }: Engines,
  record: RuntimeStored,
): Promise<UnsealedRecord<ConnectionStored>> {
  return connections.sealed.unseal(await connections.sealed.get(record.connection_key));
}

/** Secrets and addresses may change during a long pull. */
async function readAgain(
  engines: Engines,
  record: RuntimeStored,
  before: UnsealedRecord<ConnectionStored>,
): Promise<UnsealedRecord<ConnectionStored>> {
  try {
    return await readConnection(engines, record);
  } catch (error) {
    // After a restart the platform may refuse our token; the connection read before is consistent.
    if (error instanceof Fault && error.code === 'store_unavailable') return before;
    throw error;
  }
}

async function pull(
  { engine }: OpenEngine,
  record: RuntimeStored,
  signal: AbortSignal,
  progress: (now: PullProgress) => void,
): Promise<void> {
  if (!engine.pull) throw new EngineFailure('not_supported', 'This engine pulls images itself');
  await engine.pull(record.image_reference, progress, signal);
}

/** Renews the lease, records the progress and aborts the work if the start was stopped. */
async function heartbeat(
  runtimes: Runtimes,
  { key, mark, owner }: PullJob,
  ended: AbortController,
  progress: () => PullProgress | undefined,
): Promise<void> {
  const { clock } = runtimes.stores;
  let lastContact = clock.now();
  while (!ended.signal.aborted) {
    try {
      const held = await runtimes.leases.renew(pullLease(key), owner, PULL_LEASE_MS);
      const now = progress();
      const record = await runtimes.change({ _key: key, mark }, (current) =>
        now && current.step === 'pulling' ? { status_message: pullMessage(current.image_reference, now) } : {},
      );
      if (!held || !record || record.step === 'stopping') ended.abort(new Abandonment());
      lastContact = clock.now();
    } catch {
      if (clock.now() - lastContact > STORE_TIMEOUT_MS) ended.abort(new Abandonment());
    }
    await clock.sleep(HEARTBEAT_MS, ended.signal).catch(() => {});
  }
}

function failed(failure: EngineFailure, now: number): Partial<RuntimeStored> {
  return {
    step: '',
    status: FAILED,
    status_reason: failure.reason,
    status_message: failure.message,
    status_since: new Date(now).toISOString(),
  };
}

const megabytes = (bytes: number) => (bytes / 1_000_000).toFixed(1);

function pullMessage(image: string, { layers, layersDone, bytes, bytesTotal }: PullProgress): string {
  return `Pulling ${image}: ${megabytes(bytes)} of ${megabytes(bytesTotal)} MB, ${layersDone} of ${layers} layers done`;
}

const timedOut = (seconds: number) =>
  `The pull took longer than ${seconds} s. Increase pull_timeout_s in [containers].`;

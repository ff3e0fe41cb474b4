import { Fault, invalid } from '../../../../contract/codes/faults.ts';
import { startDeadline, within } from '../../../../domain/async/deadline.ts';
import type { ContainerType } from '../../../../ports/engines/containerEngine.ts';
import { EngineFailure, ImageAbsent, type WorkloadState } from '../../../../ports/engines/containerEngine.ts';
import type { Deadline } from '../../../../ports/platform/clock.ts';
import type { ConnectionStored } from '../../connections/records.ts';
import { allowedAnnotations, annotationProblem } from '../../engines/ingressAnnotations.ts';
import { readCatalog } from '../catalog.ts';
import type { Engines, OpenEngine } from '../engines.ts';
import { engineFault, stoppedDuringStart } from '../engines.ts';
import { type Observer, observedChanges } from '../observe/observe.ts';
import { applicationNames, probeRecord } from '../observe/probes.ts';
import { DEAD, NO_URLS, type RuntimeStored, runtimeKey, WAITING } from '../records.ts';
import type { StartInput } from '../schemas.ts';
import type { Runtimes } from '../store.ts';
import { awaitPull, beginPull } from './pullStart.ts';
import { readStart, type StartRequest } from './startSpec.ts';
import { buildWorkload, containerName } from './workload.ts';

export const ENGINE_MS = 20_000;
/** Short, since the application has just been started. */
const FIRST_PROBE_MS = 500;

export interface StartParts {
  engines: Engines;
  runtimes: Runtimes;
  observer: Observer;
}

/** Starts a container or a deployment. A failed start leaves no record and no container. */
export async function startContainer(parts: StartParts, input: StartInput, warnings: string[]): Promise<RuntimeStored> {
  const { engines } = parts;
  const start = readStart(input, await readCatalog(engines.deps.images), engines.connections.kinds);
  const connection = await connectionFor(engines, start);
  const record = await newRecord(engines, start, connection);
  await claimModel(parts, record);
  try {
    // The connection may have changed before the record marked it as in use.
    const current = await engines.connections.getUnderLease(connection._key).catch((error: unknown) => {
      const isGone = error instanceof Fault && error.code === 'not_found';
      throw isGone ? unknownConnection(start.cluster, connection.connection_name) : error;
    });
    return await engines.withEngine(current, (open) => createOrPull(parts, record, open, warnings));
  } catch (error) {
    const isStopped = error instanceof EngineFailure && (await parts.runtimes.isStopped(record));
    await parts.runtimes.clear(record);
    if (isStopped) throw stoppedDuringStart(record);
    throw error instanceof EngineFailure ? engineFault(error, `${record.model} could not be started`) : error;
  }
}

async function connectionFor(engines: Engines, { cluster, connectionName }: StartRequest): Promise<ConnectionStored> {
  const connections = await engines.connections.all(cluster);
  const names = connections.map((connection) => connection.connection_name).sort();
  if (connectionName !== undefined) {
    const match = connections.find(
      (connection) => connection.connection_name.toLowerCase() === connectionName.toLowerCase(),
    );
    if (!match) throw unknownConnection(cluster, connectionName);
    return match;
  }
  const [first, second] = connections;
  if (first && !second) return first;
  const message = first
    ? `must be one of ${names.join(', ')}: there are several ${cluster} connections`
    : `there is no ${cluster} connection yet`;
  if (!first)
    throw new Fault('unknown_reference', `connection_name: ${message}`, {
      errors: [{ field: 'connection_name', message }],
    });
  throw new Fault('validation_failed', `connection_name: ${message}`, {
    errors: [{ field: 'connection_name', message }],
  });
}

function unknownConnection(cluster: ContainerType, name: string): Fault {
  const message = `there is no ${cluster} connection named ${name}`;
  return new Fault('unknown_reference', `connection_name: ${message}`, {
    errors: [{ field: 'connection_name', message }],
  });
}

async function newRecord(engines: Engines, start: StartRequest, connection: ConnectionStored): Promise<RuntimeStored> {
  const { stores } = engines.connections;
  const now = stores.clock.now();
  const installation = await engines.installation();
  return {
    ...start.spec,
    arguments: start.arguments,
    _key: runtimeKey(start.model),
    model: start.model,
    cluster: start.cluster,
    connection_key: connection._key,
    connection_name: connection.connection_name,
    container_name: containerName(start.model, installation, connection._key),
    id: '',
    mark: stores.newId(),
    step: 'creating',
    started_at: now,
    pull_owner: '',
    urls: NO_URLS,
    reach: '',
    status: WAITING,
    status_reason: 'starting',
    status_message: '',
    status_since: new Date(now).toISOString(),
    probe_error: '',
    restarts: '0',
    probe_failures: 0,
    fingerprint: '',
  };
}

const alreadyRunning = (record: RuntimeStored) =>
  new Fault('already_running', `${record.model} is already running (${record.status}). Stop it first.`);

/** Reserves the model's record and removes a dead container. @throws Fault `already_running` */
async function claimModel({ engines, runtimes, observer }: StartParts, record: RuntimeStored): Promise<void> {
  if (await runtimes.insert(record)) return;
  // The stored status may be older than the container's end.
  const [old] = await observer.observe(record.model);
  if (old) {
    if (!DEAD.includes(old.status)) throw alreadyRunning(old);
    await removeObject(engines, old);
    await runtimes.clear(old);
  }
  if (!(await runtimes.insert(record))) throw alreadyRunning(record);
}

/** @throws Fault when the engine does not remove the container */
export async function removeObject(engines: Engines, record: RuntimeStored): Promise<void> {
  const connection = await engines.connectionOf(record);
  // Without a connection the engine cannot be reached.
  if (!connection) return;
  using deadline = startDeadline(ENGINE_MS);
  try {
    const { id, container_name: name, mark } = record;
    await engines.withEngine(connection, ({ engine, scope }) => engine.stop({ id, name, mark }, scope, deadline));
  } catch (error) {
    throw engineFault(error, `${record.model} could not be removed`);
  }
}

async function createOrPull(
  parts: StartParts,
  record: RuntimeStored,
  open: OpenEngine,
  warnings: string[],
): Promise<RuntimeStored> {
  using deadline = startDeadline(ENGINE_MS);
  try {
    return await create(parts, record, open, deadline, warnings);
  } catch (error) {
    if (error instanceof ImageAbsent && open.engine.pull) {
      const pulling = await beginPull(parts, record);
      return awaitPull(parts.runtimes, pulling);
    }
    if (!(error instanceof EngineFailure) || error.reason !== 'name_conflict') throw error;
    await resolveNameConflict(parts, record, open, deadline, error);
    return await create(parts, record, open, deadline, warnings);
  }
}

type CreateParts = Pick<StartParts, 'engines' | 'runtimes'> & {
  /** Keeps a container that cannot be recorded; the next observation finds it by its labels. */
  keepsUnrecorded?: boolean;
};

/** Creates the container and completes the record. */
export async function create(
  { engines, runtimes, keepsUnrecorded: leavesUnrecorded = false }: CreateParts,
  record: RuntimeStored,
  open: OpenEngine,
  deadline: Deadline,
  warnings: string[],
): Promise<RuntimeStored> {
  await assertAnnotations(engines, open.connection);
  const { state, warnings: engineWarnings } = await open.engine.start(
    buildWorkload(engines.connections.kindOf(open.connection), record, open),
    deadline,
  );
  warnings.push(...engineWarnings, ...passwordWarning(record, open));
  try {
    const news = observedChanges(engines.connections.kindOf(open.connection), open.connection, record, state);
    const probe = news.urls?.api_url ? await firstProbe(engines, record, news.urls.api_url, open) : '';
    const reason = state.phase === 'pending' ? state.reason : 'starting';
    const done = await runtimes.changeUnlessStopping(record, () => ({
      ...news,
      step: '',
      status_reason: reason,
      status_message: state.message,
      probe_error: probe,
    }));
    if (done) return done;
  } catch (error) {
    // If the removal fails too, the next observation finds the container by its labels.
    if (!leavesUnrecorded) await undoStart(open, state).catch(() => {});
    throw error;
  }
  await undoStart(open, state);
  throw stoppedDuringStart(record);
}

async function undoStart({ engine, scope }: OpenEngine, state: WorkloadState): Promise<void> {
  using cleanup = startDeadline(ENGINE_MS);
  await engine.stop(state, scope, cleanup);
}

/** The administrator may have changed the allowed annotations after the save. */
async function assertAnnotations(engines: Engines, connection: ConnectionStored): Promise<void> {
  const { ingress_annotations: text, service_type } = connection;
  if (text === undefined || service_type !== 'ingress') return;
  const message = annotationProblem(text, await allowedAnnotations(engines.deps.settings));
  if (message) throw invalid([{ field: 'ingress_annotations', message }]);
}

/** The API starts without a password, so nothing else reports it. */
function passwordWarning({ mode }: RuntimeStored, { secrets }: OpenEngine): string[] {
  if (mode === 'PROD' || secrets.jupyter_passwd !== undefined) return [];
  return ['The connection has no jupyter_passwd: Jupyter does not start in images from 5.2.4 on'];
}

/** Only a later observation makes the record Active. */
async function firstProbe(engines: Engines, record: RuntimeStored, url: string, open: OpenEngine): Promise<string> {
  using deadline = startDeadline(FIRST_PROBE_MS);
  // Certificates are checked by later observations.
  if (url.startsWith('https:')) return '';
  const applications = await applicationNames(engines);
  const parts = { secrets: open.secrets, certificates: undefined, applications, deadline, ms: FIRST_PROBE_MS };
  return (await probeRecord(engines, open.connection, record, url, parts)).error;
}

/**
 * The name exists without a record. A running container of ours gets its record back and the start is refused; a dead one
 * is removed.
 */
async function resolveNameConflict(
  { runtimes, observer }: StartParts,
  record: RuntimeStored,
  { engine, scope }: OpenEngine,
  deadline: Deadline,
  conflict: EngineFailure,
): Promise<void> {
  using bound = within(deadline, ENGINE_MS);
  const workload = (await engine.list(scope, bound)).find((state) => runtimeKey(state.model) === record._key);
  if (!workload) throw conflict;
  if (workload.phase === 'running' || (workload.phase === 'pending' && workload.reason !== 'creating')) {
    await runtimes.clear(record);
    await observer.observe();
    throw alreadyRunning(record);
  }
  await engine.stop(workload, scope, bound);
}

import { Fault } from '../../../../contract/codes/faults.ts';
import { startDeadline, within } from '../../../../domain/async/deadline.ts';
import type { UnsealedRecord } from '../../../../domain/records/sealedRecord.ts';
import { SecretsLost } from '../../../../domain/records/sealedRecord.ts';
import { EngineFailure, type WorkloadState } from '../../../../ports/engines/containerEngine.ts';
import type { Deadline } from '../../../../ports/platform/clock.ts';
import type { ProbeResult } from '../../../../predictions/containers/probe.ts';
import { reachOf } from '../../connections/addresses.ts';
import type { ConnectionStored } from '../../connections/records.ts';
import type { EngineKind } from '../../engines/engineKind.ts';
import { SPEC_FIELDS, type StartSpec } from '../../engines/startFields.ts';
import type { Engines } from '../engines.ts';
import { NO_URLS, pullLease, type RuntimeStored, runtimeKey, WAITING } from '../records.ts';
import { hasChanges, type Runtimes } from '../store.ts';
import { urlsOf } from '../urls.ts';
import { CALL_MS, isReached, NOT_PROBED, Probes } from './probes.ts';
import { NOT_RELEASED, nextState } from './state.ts';

/** Leaves the rest of 6 s to the stores. */
const OBSERVATION_MS = 5400;

/** Wait for secrets that are not yet replicated to this cluster member. */
const SECRETS_MS = 500;

type EngineListing = WorkloadState[] | 'unreachable';

/** Queries engines and applications and updates the records. */
export class Observer {
  readonly #engines: Engines;
  readonly #runtimes: Runtimes;

  constructor(engines: Engines, runtimes: Runtimes) {
    this.#engines = engines;
    this.#runtimes = runtimes;
  }

  /** Updates all records or the record of one model, and restores lost records. */
  async observe(model?: string): Promise<RuntimeStored[]> {
    using deadline = startDeadline(OBSERVATION_MS);
    // Read before the engines are listed, so that a concurrent start is not taken for a lost record.
    const [records, connections] = await Promise.all([this.#records(model), this.#engines.connections.all()]);
    const only = model === undefined ? undefined : records[0]?.connection_key;
    const asked = only === undefined ? connections : connections.filter((connection) => connection._key === only);
    const byConnection = await Promise.all(
      asked.map((connection) => this.#observeConnection(connection, records, deadline, model)),
    );
    const askedKeys = new Set(asked.map((connection) => connection._key));
    const lost = records.filter((record) => !askedKeys.has(record.connection_key));
    return [...byConnection.flat(), ...lost].sort((a, b) => (a.model < b.model ? -1 : 1));
  }

  async #records(model: string | undefined): Promise<RuntimeStored[]> {
    if (model === undefined) return this.#runtimes.all();
    const record = await this.#runtimes.get(model);
    return record ? [record] : [];
  }

  async #observeConnection(
    stored: ConnectionStored,
    allRecords: readonly RuntimeStored[],
    deadline: Deadline,
    model: string | undefined,
  ): Promise<RuntimeStored[]> {
    const records = allRecords.filter((record) => record.connection_key === stored._key);
    const unsealed = await this.#unseal(stored);
    if (!unsealed) return records;
    const connection = unsealed.record;
    const pendingListing = this.#list(unsealed, deadline);
    const probes = new Probes(this.#engines, unsealed, deadline);
    // The last known addresses are probed in parallel with the engine.
    const kind = this.#engines.connections.kindOf(connection);
    const reached = records.filter((record) => isReached(kind, connection, record));
    const first = new Map(reached.map((record) => [record._key, probes.run(record, record.urls.api_url)] as const));
    // Not awaited until the engine has answered, which may fail.
    for (const probe of first.values()) probe.catch(() => {});
    const listing = await pendingListing;
    const adopted = listing === 'unreachable' ? [] : await this.#adopt(connection, listing, allRecords, model);
    const results = [...records, ...adopted].map((record) =>
      this.#update(connection, record, listing, probes, first.get(record._key)),
    );
    return (await Promise.all(results)).filter((record) => record !== undefined);
  }

  /** Undefined if the connection or its secrets are missing; the records are then not updated. */
  async #unseal(connection: ConnectionStored): Promise<UnsealedRecord<ConnectionStored> | undefined> {
    try {
      return await this.#engines.connections.sealed.unseal(connection, () => {}, SECRETS_MS);
    } catch (error) {
      const isGone = error instanceof Fault && error.code === 'not_found';
      if (!isGone && !(error instanceof SecretsLost)) throw error;
      this.#runtimes.stores.log.warn('connection_not_looked_through', { connection: connection._key });
      return undefined;
    }
  }

  async #list(unsealed: UnsealedRecord<ConnectionStored>, deadline: Deadline): Promise<EngineListing> {
    using bound = within(deadline, CALL_MS);
    const connection = unsealed.record;
    try {
      return await this.#engines.withUnsealedEngine(unsealed, ({ engine, scope }) => engine.list(scope, bound));
    } catch (error) {
      if (!(error instanceof EngineFailure)) throw error;
      const { reason } = error;
      this.#runtimes.stores.log.warn('engine_unreachable', { connection: connection._key, reason });
      return 'unreachable';
    }
  }

  async #update(
    connection: ConnectionStored,
    record: RuntimeStored,
    listing: EngineListing,
    probes: Probes,
    first: Promise<ProbeResult> | undefined,
  ): Promise<RuntimeStored | undefined> {
    const state = listing === 'unreachable' ? undefined : stateOf(record, listing);
    const news = state ? observedChanges(this.#engines.connections.kindOf(connection), connection, record, state) : {};
    const updated = { ...record, ...news };
    const hasMoved = updated.urls.api_url !== record.urls.api_url;
    const probe = await (hasMoved || !first ? probes.run(updated, updated.urls.api_url) : first);
    const pulling =
      record.step === 'pulling' && (await this.#runtimes.leases.holds(pullLease(record._key), record.pull_owner));
    const engine = listing === 'unreachable' ? 'unreachable' : (state ?? 'gone');
    const observation = { engine, probe: probe.error === NOT_PROBED ? undefined : probe.error, pulling } as const;
    const { fingerprint, protocol } = probe.error === '' ? probe : {};
    const answered = { ...(fingerprint ? { fingerprint } : {}), ...(protocol ? { protocol } : {}) };
    const make = (now: RuntimeStored) => ({
      ...news,
      ...answered,
      ...nextState({ ...now, ...news }, { ...observation, now: this.#runtimes.stores.clock.now() }),
    });
    if (!hasChanges(record, make(record))) return record;
    return this.#runtimes.change(record, make);
  }

  /** Restores the records of containers that have our labels but no record. */
  async #adopt(
    connection: ConnectionStored,
    workloads: readonly WorkloadState[],
    records: readonly RuntimeStored[],
    model: string | undefined,
  ): Promise<RuntimeStored[]> {
    const adopted: RuntimeStored[] = [];
    const recordKeys = new Set(records.map(({ _key }) => _key));
    const kind = this.#engines.connections.kindOf(connection);
    for (const state of workloads) {
      const isAsked = model === undefined || runtimeKey(state.model) === runtimeKey(model);
      if (!isAsked || !MODEL.test(state.model) || recordKeys.has(runtimeKey(state.model))) continue;
      const record = adoptedRecord(kind, connection, state, this.#runtimes.stores.clock.now());
      if (await this.#runtimes.insert(record)) adopted.push(record);
    }
    return adopted;
  }
}

/** Valid model names; containers with other names were not started by this app. */
const MODEL = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,62}$/;
/** For settings restored from labels. */
const MAX_SETTING_LENGTH = 300;
/** The container of this start; after an interrupted start the one with the record's id. */
function stateOf(record: RuntimeStored, workloads: readonly WorkloadState[]): WorkloadState | undefined {
  const sameModel = workloads.filter((state) => runtimeKey(state.model) === record._key);
  return sameModel.find((state) => state.mark === record.mark) ?? sameModel.find((state) => state.id === record.id);
}

/** Changes of the record according to the engine. */
export function observedChanges(
  kind: EngineKind,
  connection: ConnectionStored,
  record: RuntimeStored,
  state: WorkloadState,
): Partial<RuntimeStored> {
  const urls = urlsOf(kind, connection, state.published, record.https);
  // A stopped container publishes no ports; its last addresses are kept.
  const isPublished = Object.values(urls).some(Boolean);
  const addresses = isPublished ? { urls, reach: reachOf(kind, connection) } : {};
  const done = record.step === 'creating' && state.reason !== NOT_RELEASED ? { step: '' as const } : {};
  return { id: state.id, container_name: state.name, ...addresses, ...done };
}

function adoptedRecord(
  kind: EngineKind,
  connection: ConnectionStored,
  state: WorkloadState,
  now: number,
): RuntimeStored {
  const spec = Object.fromEntries(
    SPEC_FIELDS.map((name) => [name, (state.facts[name] ?? '').slice(0, MAX_SETTING_LENGTH)]),
  );
  return {
    ...(spec as StartSpec),
    _key: runtimeKey(state.model),
    model: state.model,
    cluster: connection.container_type,
    connection_key: connection._key,
    connection_name: connection.connection_name,
    container_name: state.name,
    id: state.id,
    mark: state.mark,
    step: '',
    started_at: Number(state.facts.started_at ?? now),
    pull_owner: '',
    urls: { ...NO_URLS, ...urlsOf(kind, connection, state.published, spec.https) },
    reach: reachOf(kind, connection),
    status: WAITING,
    status_reason: 'adopted',
    status_message: 'The record was restored from the running container',
    status_since: new Date(now).toISOString(),
    probe_error: '',
    restarts: String(state.restarts),
    probe_failures: 0,
    fingerprint: '',
  };
}

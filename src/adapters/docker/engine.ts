import type Docker from 'dockerode';
import { startDeadline } from '../../domain/async/deadline.ts';
import { redact } from '../../domain/net/redact.ts';
import {
  type ContainerEngine,
  type DockerTarget,
  EngineFailure,
  type EngineProblem,
  ImageAbsent,
  type LogQuery,
  type PullProgress,
  type Scope,
  type Workload,
  type WorkloadState,
} from '../../ports/engines/containerEngine.ts';
import type { Deadline } from '../../ports/platform/clock.ts';
import type { AddressPolicy } from '../outbound/guard.ts';
import { DockerCalls, waitBriefly } from './calls.ts';
import { type DockerClient, openDocker } from './client.ts';
import { engineFailure, reasonOf, statusOf } from './failures.ts';
import { belongs, LABEL, scopeFilter } from './labels.ts';
import { LogReader } from './logs.ts';
import { containerOptions } from './options.ts';
import { PullMeter, pullLines } from './pull.ts';
import { containerState, runningState } from './state.ts';

const CLEANUP_MS = 10_000;
const LOG_LIMIT = 8 * 1024 * 1024;
const OLDEST_API = [1, 25] as const;

type Reference = Pick<WorkloadState, 'id' | 'name'>;

/** A Docker Engine, by dockerode. */
export class DockerEngine implements ContainerEngine {
  readonly #client: DockerClient;
  readonly #target: DockerTarget;
  readonly #hidden: readonly string[];

  constructor(target: DockerTarget, hidden: readonly string[], policy: AddressPolicy) {
    this.#target = target;
    this.#hidden = hidden;
    this.#client = openDocker(target, policy);
  }

  close(): void {
    this.#client.close();
  }

  #failure = (error: unknown, signal?: AbortSignal) =>
    engineFailure(error, signal, this.#hidden, this.#target.tls.cert !== undefined);
  #within = (signal: AbortSignal) => new DockerCalls(this.#client.docker, signal);

  async verify({ signal }: Deadline) {
    const calls = this.#within(signal);
    const problems: EngineProblem[] = [];
    const failed = (error: unknown, what: string) => {
      const failure = this.#failure(error, signal);
      problems.push({ code: failure.reason, message: `${what}: ${failure.message}` });
    };
    try {
      const version = await calls.version();
      if (!isRecent(version)) {
        const message = `The engine speaks API version ${redact(version)}; at least ${OLDEST_API.join('.')} is needed`;
        problems.push({ code: 'not_supported', message });
      }
    } catch (error) {
      failed(error, 'The Docker engine cannot be used');
      return { problems, warnings: [] };
    }
    const { network } = this.#target;
    if (network !== undefined) {
      await calls.network(network).catch((error) => {
        if (statusOf(error) !== 404) return failed(error, `The network ${network} cannot be inspected`);
        problems.push({ code: 'network_missing', message: `The Docker network ${network} does not exist` });
      });
    }
    return { problems, warnings: [] };
  }

  #state = (info: Docker.ContainerInspectInfo) => containerState(info, this.#target.host);

  async start(workload: Workload, { signal }: Deadline) {
    try {
      const id = await this.#create(workload, signal);
      await this.#within(signal).start(id);
      // Ports are only assigned when the container starts.
      return { state: this.#state(await this.#within(signal).inspect(id)), warnings: [] };
    } catch (error) {
      const failure = this.#failure(error, signal);
      if (!(failure instanceof ImageAbsent) && failure.reason !== 'name_conflict') await this.#undo(workload);
      throw failure;
    }
  }

  async #create(workload: Workload, signal: AbortSignal): Promise<string> {
    try {
      return await this.#within(signal).create(containerOptions(workload));
    } catch (error) {
      const failure = this.#failure(error, signal);
      if (statusOf(error) === 404 && failure.reason === 'image_not_found') throw new ImageAbsent(failure.message);
      throw failure;
    }
  }

  /** Removes the container of this start, not one of another start. */
  async #undo({ name, mark }: Workload): Promise<void> {
    using deadline = startDeadline(CLEANUP_MS);
    try {
      const calls = this.#within(deadline.signal);
      const info = await calls.inspect(name);
      if (info.Config.Labels[LABEL.mark] === mark) await calls.remove(info.Id);
    } catch {
      // Nothing was created, or the engine is unreachable: a leftover is found again by its labels.
    }
  }

  async list(scope: Scope, { signal }: Deadline): Promise<WorkloadState[]> {
    const calls = this.#within(signal);
    try {
      const containers = (await calls.list(scopeFilter(scope))).filter(({ Labels }) => belongs(Labels, scope));
      const states = await Promise.all(containers.map((container) => this.#readState(container, calls)));
      return states.filter((state) => state !== undefined);
    } catch (error) {
      throw this.#failure(error, signal);
    }
  }

  /** Only stopped containers need an inspection for the cause. */
  async #readState(container: Docker.ContainerInfo, calls: DockerCalls): Promise<WorkloadState | undefined> {
    if (container.State === 'running') return runningState(container, this.#target.host);
    const info = await calls.find(container.Id);
    if (!info || !isFreshKill(info, Date.now())) return info && this.#state(info);
    // The engine reports an out-of-memory kill slightly later than the exit.
    await waitBriefly();
    const later = await calls.find(container.Id);
    return later && this.#state(later);
  }

  async logs({ id }: Reference, query: LogQuery, { signal }: Deadline) {
    const reader = new LogReader(LOG_LIMIT);
    const calls = this.#within(signal);
    try {
      if (query.previous) {
        // Crashed containers are not restarted, so a stopped container is the previous instance.
        const { State } = await calls.inspect(id);
        if (State.Running) return [];
      }
      for await (const chunk of await calls.logs(id, query)) reader.push(chunk as Buffer);
      return reader.lines();
    } catch (error) {
      if (statusOf(error) === 404) return [];
      throw this.#failure(error, signal);
    }
  }

  /** The engine stores no events; the container's state has the start error. */
  async events({ id }: Reference, { signal }: Deadline) {
    if (id === '') return [];
    try {
      const { State, Created } = await this.#within(signal).inspect(id);
      return State.Error ? [{ time: Created, line: `[event] ${redact(State.Error)}` }] : [];
    } catch (error) {
      if (statusOf(error) === 404) return [];
      throw this.#failure(error, signal);
    }
  }

  async stop(
    { id, name, mark }: Reference & Pick<WorkloadState, 'mark'>,
    scope: Scope,
    { signal }: Deadline,
  ): Promise<void> {
    const calls = this.#within(signal);
    try {
      for (const reference of new Set([id, name].filter(Boolean))) {
        const info = await calls.find(reference);
        if (!info || !belongs(info.Config.Labels, scope) || info.Config.Labels[LABEL.mark] !== mark) continue;
        await calls.stop(info.Id);
        await calls.remove(info.Id);
      }
    } catch (error) {
      throw this.#failure(error, signal);
    }
  }

  async pull(image: string, progress: (now: PullProgress) => void, signal: AbortSignal): Promise<void> {
    const meter = new PullMeter();
    const calls = this.#within(signal);
    try {
      for await (const line of pullLines(await calls.pull(image))) {
        const error = line.errorDetail?.message ?? line.error;
        if (error) throw pullFailure(error);
        meter.add(line);
        progress(meter.progress());
      }
      // A truncated stream ends like a complete one, so check that the image exists.
      await calls.image(image);
    } catch (error) {
      if (error instanceof EngineFailure || signal.aborted) throw error;
      const failure = this.#failure(error);
      throw statusOf(error) === undefined ? failure : pullFailure(failure.message);
    }
  }
}

function pullFailure(message: string): EngineFailure {
  const reason = reasonOf(message);
  const code = ['image_not_found', 'image_name_invalid'].includes(reason) ? reason : 'image_pull_failed';
  return new EngineFailure(code, `The image could not be pulled: ${redact(message)}`);
}

const KILLED = 137;
const FRESH_MS = 2000;

function isFreshKill({ State }: Docker.ContainerInspectInfo, now: number): boolean {
  return State.ExitCode === KILLED && !State.OOMKilled && now - Date.parse(State.FinishedAt) < FRESH_MS;
}

function isRecent(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.', 2).map(Number);
  return major > OLDEST_API[0] || (major === OLDEST_API[0] && minor >= OLDEST_API[1]);
}

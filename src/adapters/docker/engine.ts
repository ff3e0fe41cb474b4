import type { IncomingMessage } from 'node:http';
import type Docker from 'dockerode';
import { startDeadline } from '../../domain/deadline.ts';
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
} from '../../ports/containerEngine.ts';
import type { Deadline } from '../../ports/deadline.ts';
import type { AddressPolicy } from '../outbound/guard.ts';
import { type DockerClient, openDocker } from './client.ts';
import { engineFailure, reasonOf, statusOf } from './failures.ts';
import { belongs, LABEL, scopeFilter } from './labels.ts';
import { LogReader } from './logs.ts';
import { containerOptions } from './options.ts';
import { type PullLine, PullMeter } from './pull.ts';
import { containerState, runningState } from './state.ts';

/** Seconds between SIGTERM and SIGKILL. */
const GRACE_S = 10;
const CLEANUP_MS = 10_000;
const LOG_LIMIT = 8 * 1024 * 1024;
const OLDEST_API = [1, 25] as const;
const REST_MS = 300;

type Reference = Pick<WorkloadState, 'id' | 'name'>;

/** A Docker Engine, by dockerode. */
export class DockerEngine implements ContainerEngine {
  readonly #client: DockerClient;
  readonly #docker: Docker;
  readonly #target: DockerTarget;

  constructor(target: DockerTarget, policy: AddressPolicy) {
    this.#target = target;
    this.#client = openDocker(target, policy);
    this.#docker = this.#client.docker;
  }

  close(): void {
    this.#client.close();
  }

  async verify({ signal }: Deadline) {
    const problems: EngineProblem[] = [];
    const failed = (error: unknown, what: string) => {
      const failure = engineFailure(error, signal);
      problems.push({ code: failure.reason, message: `${what}: ${failure.message}` });
    };
    try {
      await until(signal, this.#docker.ping());
    } catch (error) {
      failed(error, 'The Docker engine cannot be reached');
      return { problems, warnings: [] };
    }
    const version = await until(signal, this.#docker.version()).catch((error) => failed(error, 'No version'));
    if (version && !isRecent(version.ApiVersion)) {
      const message = `The engine speaks API ${version.ApiVersion}; at least ${OLDEST_API.join('.')} is needed`;
      problems.push({ code: 'not_supported', message });
    }
    const { network } = this.#target;
    if (network !== undefined) {
      await until(signal, this.#docker.getNetwork(network).inspect()).catch((error) => {
        if (statusOf(error) !== 404) return failed(error, `The network ${network} cannot be looked at`);
        problems.push({ code: 'network_missing', message: `The Docker network ${network} does not exist` });
      });
    }
    return { problems, warnings: [] };
  }

  async start(workload: Workload, { signal }: Deadline) {
    const secrets = [...Object.values(workload.secretEnvironment), workload.docker?.log?.token ?? ''];
    try {
      const container = await this.#create(workload, signal, secrets);
      await container.start({ abortSignal: signal });
      // Ports are given out at the start, not before.
      return { state: containerState(await container.inspect({ abortSignal: signal })), warnings: [] };
    } catch (error) {
      const failure = engineFailure(error, signal, secrets);
      if (!(failure instanceof ImageAbsent) && failure.reason !== 'name_conflict') await this.#undo(workload);
      throw failure;
    }
  }

  async #create(workload: Workload, signal: AbortSignal, secrets: readonly string[]): Promise<Docker.Container> {
    try {
      return await this.#docker.createContainer({ ...containerOptions(workload), abortSignal: signal });
    } catch (error) {
      const failure = engineFailure(error, signal, secrets);
      if (statusOf(error) === 404 && failure.reason === 'image_not_found') throw new ImageAbsent(failure.message);
      throw failure;
    }
  }

  /** Takes back what this start has made, and nothing that another has. */
  async #undo({ name, mark }: Workload): Promise<void> {
    using deadline = startDeadline(CLEANUP_MS);
    try {
      const info = await this.#docker.getContainer(name).inspect({ abortSignal: deadline.signal });
      if (info.Config.Labels[LABEL.mark] === mark) await this.#remove(info.Id, deadline.signal);
    } catch {
      // Nothing was made, or the engine is away: what is left carries our labels and is found again.
    }
  }

  async list(scope: Scope, { signal }: Deadline): Promise<WorkloadState[]> {
    try {
      const found = await this.#docker.listContainers({ all: true, filters: scopeFilter(scope), abortSignal: signal });
      return (await Promise.all(found.map((container) => this.#look(container, signal)))).filter(
        (state) => state !== undefined,
      );
    } catch (error) {
      throw engineFailure(error, signal);
    }
  }

  /** Only what does not run has to be asked why. */
  async #look(container: Docker.ContainerInfo, signal: AbortSignal): Promise<WorkloadState | undefined> {
    if (container.State === 'running') return runningState(container);
    try {
      const info = await this.#docker.getContainer(container.Id).inspect({ abortSignal: signal });
      if (!isFreshKill(info, Date.now())) return containerState(info);
      // The engine learns of the end first and of its cause, memory, a moment later.
      await new Promise((resolve) => setTimeout(resolve, REST_MS));
      return containerState(await this.#docker.getContainer(container.Id).inspect({ abortSignal: signal }));
    } catch (error) {
      if (statusOf(error) === 404) return undefined;
      throw error;
    }
  }

  async logs({ id }: Reference, query: LogQuery, { signal }: Deadline) {
    const reader = new LogReader(LOG_LIMIT);
    try {
      if (query.previous) {
        // Crashed containers are kept as they are: the instance before the crash is the one that stands there.
        const { State } = await this.#docker.getContainer(id).inspect({ abortSignal: signal });
        if (State.Running) return [];
      }
      const stream = await this.#logStream(id, query, signal);
      for await (const chunk of stream) reader.push(chunk as Buffer);
      return reader.lines();
    } catch (error) {
      if (statusOf(error) === 404) return [];
      throw engineFailure(error, signal);
    }
  }

  /** `container.logs` would gather the whole answer first, however long it is. */
  #logStream(id: string, { tail, since }: LogQuery, signal: AbortSignal): Promise<IncomingMessage> {
    const options = {
      stdout: true,
      stderr: true,
      timestamps: true,
      tail,
      ...(since === undefined ? {} : { since: (since / 1000).toFixed(3) }),
    };
    return new Promise((resolve, reject) => {
      this.#docker.modem.dial(
        {
          path: `/containers/${id}/logs?`,
          method: 'GET',
          isStream: true,
          abortSignal: signal,
          statusCodes: { 200: true, 404: 'no such container', 500: 'server error' },
          options,
        },
        (error: unknown, stream: unknown) => (error ? reject(error) : resolve(stream as IncomingMessage)),
      );
    });
  }

  /** The engine keeps no events of its own; why a container did not come up stands in its state. */
  async events({ id }: Reference, { signal }: Deadline) {
    if (id === '') return [];
    try {
      const { State, Created } = await this.#docker.getContainer(id).inspect({ abortSignal: signal });
      return State.Error ? [{ time: Created, line: `[event] ${State.Error}` }] : [];
    } catch (error) {
      if (statusOf(error) === 404) return [];
      throw engineFailure(error, signal);
    }
  }

  async stop({ id, name }: Reference, scope: Scope, { signal }: Deadline): Promise<void> {
    try {
      for (const reference of new Set([id, name].filter(Boolean))) {
        const info = await this.#inspect(reference, signal);
        if (!info || !belongs(info.Config.Labels, scope)) continue;
        await accept([304, 404], this.#docker.getContainer(info.Id).stop({ t: GRACE_S, abortSignal: signal }));
        await this.#remove(info.Id, signal);
      }
    } catch (error) {
      throw engineFailure(error, signal);
    }
  }

  async #inspect(reference: string, signal: AbortSignal): Promise<Docker.ContainerInspectInfo | undefined> {
    try {
      return await this.#docker.getContainer(reference).inspect({ abortSignal: signal });
    } catch (error) {
      if (statusOf(error) === 404) return undefined;
      throw error;
    }
  }

  async #remove(id: string, signal: AbortSignal): Promise<void> {
    try {
      await this.#docker.getContainer(id).remove({ force: true, v: true, abortSignal: signal });
    } catch (error) {
      if (statusOf(error) === 404) return;
      if (statusOf(error) !== 409) throw error;
      // Somebody else removes it at this moment: done when it is gone.
      while (await this.#inspect(id, signal)) await new Promise((resolve) => setTimeout(resolve, REST_MS));
    }
  }

  async pull(image: string, progress: (now: PullProgress) => void, signal: AbortSignal): Promise<void> {
    const meter = new PullMeter();
    try {
      const stream = await this.#docker.pull(image, { abortSignal: signal });
      for await (const line of jsonLines(stream as AsyncIterable<Buffer>)) {
        const error = line.errorDetail?.message ?? line.error;
        if (error) throw pullFailure(error);
        meter.take(line);
        progress(meter.progress());
      }
      // A stream that was cut off ends like one that is complete.
      await until(signal, this.#docker.getImage(image).inspect());
    } catch (error) {
      if (error instanceof EngineFailure || signal.aborted) throw error;
      const failure = engineFailure(error, undefined);
      throw statusOf(error) === undefined ? failure : pullFailure(failure.message);
    }
  }
}

function pullFailure(said: string): EngineFailure {
  const reason = reasonOf(said);
  const known = ['image_not_found', 'image_name_invalid'].includes(reason) ? reason : 'image_pull_failed';
  return new EngineFailure(known, `The image could not be pulled: ${said.slice(0, 300)}`);
}

async function* jsonLines(stream: AsyncIterable<Buffer>): AsyncGenerator<PullLine> {
  let rest = '';
  for await (const chunk of stream) {
    const lines = (rest + chunk.toString('utf8')).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.trim() !== '') yield JSON.parse(line) as PullLine;
  }
  if (rest.trim() !== '') yield JSON.parse(rest) as PullLine;
}

/** For the calls of the library that take no signal: closing the client ends what still runs. */
function until<T>(signal: AbortSignal, call: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    call.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

async function accept(statuses: readonly number[], call: Promise<unknown>): Promise<void> {
  try {
    await call;
  } catch (error) {
    if (!statuses.includes(statusOf(error) ?? 0)) throw error;
  }
}

const KILLED = 137;
const FRESH_MS = 2000;

function isFreshKill({ State }: Docker.ContainerInspectInfo, now: number): boolean {
  return State.ExitCode === KILLED && !State.OOMKilled && now - Date.parse(State.FinishedAt) < FRESH_MS;
}

function isRecent(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > OLDEST_API[0] || (major === OLDEST_API[0] && minor >= OLDEST_API[1]);
}

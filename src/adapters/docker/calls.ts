import type { IncomingMessage } from 'node:http';
import type Docker from 'dockerode';
import type { LogQuery } from '../../ports/engines/containerEngine.ts';
import { statusOf } from './failures.ts';
import { assertObject, containersOf, detailsOf, notDocker, versionOf } from './shapes.ts';

/** Seconds between SIGTERM and SIGKILL. */
const GRACE_S = 10;
const WAIT_MS = 300;

type Texts = Record<string, unknown>;

/** The Docker API calls of the app. Replies are checked for their shape. */
export class DockerCalls {
  readonly #docker: Docker;
  readonly #signal: AbortSignal;

  constructor(docker: Docker, signal: AbortSignal) {
    this.#docker = docker;
    this.#signal = signal;
  }

  get #bound() {
    return { abortSignal: this.#signal };
  }

  /** @returns the version of the engine's API */
  async version(): Promise<string> {
    // Both accept options, which the library's types omit.
    const docker = this.#docker as unknown as Record<'ping' | 'version', (options: object) => Promise<unknown>>;
    await docker.ping(this.#bound);
    return versionOf(await docker.version(this.#bound));
  }

  async network(name: string): Promise<void> {
    assertObject(await this.#inspected(this.#docker.getNetwork(name)));
  }

  async image(name: string): Promise<void> {
    assertObject(await this.#inspected(this.#docker.getImage(name)));
  }

  #inspected(thing: Docker.Network | Docker.Image): Promise<unknown> {
    return (thing as unknown as { inspect(options: object): Promise<unknown> }).inspect(this.#bound);
  }

  /** @returns its id */
  async create({ name, ...options }: Docker.ContainerCreateOptions): Promise<string> {
    // Separated, since the library would otherwise put the environment with its secrets into the query string.
    const parts = { _query: { name }, _body: options, ...this.#bound };
    const { id } = await this.#docker.createContainer(parts as Docker.ContainerCreateOptions);
    if (typeof id !== 'string' || id === '') throw notDocker();
    return id;
  }

  async start(id: string): Promise<void> {
    await this.#docker.getContainer(id).start(this.#bound);
  }

  async inspect(reference: string): Promise<Docker.ContainerInspectInfo> {
    return detailsOf(await this.#docker.getContainer(reference).inspect(this.#bound));
  }

  /** Undefined when there is none. */
  async find(reference: string): Promise<Docker.ContainerInspectInfo | undefined> {
    try {
      return await this.inspect(reference);
    } catch (error) {
      if (statusOf(error) === 404) return undefined;
      throw error;
    }
  }

  async list(filters: Texts): Promise<Docker.ContainerInfo[]> {
    return containersOf(await this.#docker.listContainers({ all: true, filters: filters as never, ...this.#bound }));
  }

  async stop(id: string): Promise<void> {
    await ignoreStatuses([304, 404], this.#docker.getContainer(id).stop({ t: GRACE_S, ...this.#bound }));
  }

  async remove(id: string): Promise<void> {
    try {
      await this.#docker.getContainer(id).remove({ force: true, v: true, ...this.#bound });
    } catch (error) {
      if (statusOf(error) === 404) return;
      if (statusOf(error) !== 409) throw error;
      // Another removal is in progress: wait until the container is gone.
      while (await this.find(id)) await waitBriefly();
    }
  }

  /** Not `container.logs`, which buffers the complete log. */
  logs(id: string, { tail, since }: LogQuery): Promise<IncomingMessage> {
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
          ...this.#bound,
          statusCodes: { 200: true, 404: 'no such container', 500: 'server error' },
          options,
        },
        (error: unknown, stream: unknown) => (error ? reject(error) : resolve(stream as IncomingMessage)),
      );
    });
  }

  async pull(image: string): Promise<AsyncIterable<Buffer>> {
    return (await this.#docker.pull(image, this.#bound)) as AsyncIterable<Buffer>;
  }
}

export const waitBriefly = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, WAIT_MS));

async function ignoreStatuses(statuses: readonly number[], call: Promise<unknown>): Promise<void> {
  try {
    await call;
  } catch (error) {
    if (!statuses.includes(statusOf(error) ?? 0)) throw error;
  }
}

import type { Applications } from '../../../src/ports/engines/applications.ts';
import type { ContainerDependencies, PullJob } from '../../../src/ports/engines/containerDependencies.ts';
import type { EngineTarget } from '../../../src/ports/engines/containerEngine.ts';
import { MemoryEngine } from '../containers/memoryEngine.ts';
import { MemorySettings } from './platform.ts';

/** Engines in memory, and applications in their containers that answer as they are told. */
export class MemoryContainers implements ContainerDependencies {
  /** By address: what runs in one is not seen through the other. */
  readonly engines = new Map<string, MemoryEngine>();
  readonly images = new MemorySettings();
  readonly settings: MemorySettings;
  readonly pulls: PullJob[] = [];
  /** The calls of applications, and what they answer. */
  probed: { url: string; token: string | undefined }[] = [];
  answer: (path: string, body: string | undefined) => { status: number; text: string } = () => ({
    status: 200,
    text: JSON.stringify({ app: 'Splunk App for Data Science and Deep Learning' }),
  });

  constructor(settings = new MemorySettings()) {
    this.settings = settings;
    this.images.stanzas = { cpu: { image: 'cpu:1' } };
  }

  /** The engine of a Docker host. */
  docker(host: string): MemoryEngine {
    return this.engineAt({ cluster: 'docker', address: { url: `http://${host}:2375` }, tls: {} });
  }

  engineAt(target: EngineTarget): MemoryEngine {
    const location =
      'identity' in target ? [target.url, target.namespace] : 'address' in target ? target.address : target;
    const key = JSON.stringify(location);
    const engine = this.engines.get(key) ?? new MemoryEngine();
    this.engines.set(key, engine);
    return engine;
  }

  open = async (target: EngineTarget) => this.engineAt(target);
  spawnPull = (job: PullJob) => void this.pulls.push(job);
  certificates = { read: async () => undefined, readKey: async () => undefined, match: async () => false };
  applications: Applications = {
    request: async ({ url, token }, { path, body }) => {
      this.probed.push({ url: `${url}${path}`, token });
      return { headers: {}, ...this.answer(path, body) };
    },
  };
  conf = {
    write: async (stanza: string, values: Record<string, string>) => {
      const { stanzas } = this.settings;
      this.settings.stanzas = { ...stanzas, [stanza]: { ...stanzas[stanza], ...values } };
    },
  };
}

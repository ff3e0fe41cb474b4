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
  /** The looks at applications, and what they find: '' = all is well. */
  probed: { url: string; token: string | undefined }[] = [];
  banner = '';

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
  probe = {
    probe: async ({ url, token }: { url: string; token: string | undefined }) => {
      this.probed.push({ url, token });
      return { error: this.banner };
    },
  };
  conf = {
    write: async (stanza: string, values: Record<string, string>) => {
      const { stanzas } = this.settings;
      this.settings.stanzas = { ...stanzas, [stanza]: { ...stanzas[stanza], ...values } };
    },
  };
}

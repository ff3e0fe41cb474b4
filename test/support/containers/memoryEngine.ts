import {
  type ContainerEngine,
  EngineFailure,
  type Workload,
  type WorkloadState,
} from '../../../src/ports/engines/containerEngine.ts';

/** An engine in memory, shared by several processes. */
export class MemoryEngine implements ContainerEngine {
  readonly running = new Map<string, WorkloadState>();
  refuse: EngineFailure | undefined;
  #ids = 0;

  verify = async () => ({ problems: [], warnings: [] });
  async start(workload: Workload) {
    if (this.refuse) throw this.refuse;
    if (this.running.has(workload.name)) throw new EngineFailure('name_conflict', 'taken');
    this.#ids += 1;
    const { name, model, mark, facts, installation, connectionKey } = workload;
    const status = { phase: 'running', reason: '', message: '', since: undefined, restarts: 0 } as const;
    const state: WorkloadState = {
      ...status,
      id: `object${this.#ids}`,
      name,
      model,
      mark,
      facts,
      installation,
      connectionKey,
      published: { api: { port: 5000 } },
    };
    this.running.set(name, state);
    return { state, warnings: [] };
  }
  list = async () => [...this.running.values()];
  logs: ContainerEngine['logs'] = async () => [];
  events = async () => [];
  async stop({ name, mark }: { name: string; mark: string }) {
    if (this.refuse) throw this.refuse;
    if (this.running.get(name)?.mark === mark) this.running.delete(name);
  }
  close() {}
}

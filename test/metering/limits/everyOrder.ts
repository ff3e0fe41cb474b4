import type { Doc, RecordStore } from '../../../src/ports/stores/recordStore.ts';
import { MemoryLog } from '../../support/memory/log.ts';
import { memoryRecords, RecordData } from '../../support/memory/recordStore.ts';

/** One of `count` possibilities. */
type Choose = (count: number) => number;

/**
 * Runs a scenario once for every sequence of choices that it makes.
 * @returns how many there are
 */
export async function everyChoice(scenario: (choose: Choose) => Promise<void>, most: number): Promise<number> {
  let path: { taken: number; of: number }[] = [];
  for (let runs = 1; ; runs++) {
    let depth = 0;
    await scenario((of) => {
      const known = path[depth];
      const taken = known?.taken ?? 0;
      if (!known) path.push({ taken, of });
      depth += 1;
      return taken;
    });
    path = path.slice(0, depth);
    while (path.length > 0 && (path.at(-1) as { taken: number; of: number }).taken + 1 === path.at(-1)?.of) path.pop();
    const last = path.at(-1);
    if (!last) return runs;
    last.taken += 1;
    if (runs >= most) throw new Error(`more than ${most} orders: the scenario is too large`);
  }
}

/** What may go wrong in one run. */
interface Mishaps {
  /** So many processes die, each before any of its calls. */
  crashes: number;
  /** So many reads see what the member saw last, not what is stored. */
  lateReads: number;
}

class Dead extends Error {}

/** Processes on one store, of which one at a time makes a call: the choices say which. */
export class Stage {
  data = new RecordData();
  crashed = 0;
  readonly #choose: Choose;
  readonly #left: Mishaps;
  #waiting: { process: number; go(isAlive: boolean): void }[] = [];
  /** The store as a member saw it last. */
  readonly #seen = new Map<number, RecordData>();
  #isActing = false;

  constructor(choose: Choose, mishaps: Mishaps) {
    this.#choose = choose;
    this.#left = { ...mishaps };
  }

  /** The stores of a process; until `act` its calls are done at once. */
  stores(process: number, now = () => Date.UTC(2026, 0, 1)) {
    const sleep = () => this.#turn(process);
    const clock = { now, monotonic: now, sleep, domain: 'host', member: 'host' };
    return { records: this.#records(process), clock, log: new MemoryLog(), newId: () => `${process}` };
  }

  /** Runs the processes to their ends. A dead one never ends. */
  async act(processes: readonly (() => Promise<void>)[]): Promise<void> {
    this.#isActing = true;
    let running = processes.length;
    const failures: unknown[] = [];
    for (const run of processes) {
      run()
        .catch((error) => error instanceof Dead || failures.push(error))
        .finally(() => {
          running -= 1;
        });
    }
    for (;;) {
      // All that a call sets off is done before the next one.
      await new Promise((resolve) => setImmediate(resolve));
      if (running === 0) break;
      const mayCrash = this.#left.crashes > 0;
      const choice = this.#choose(this.#waiting.length * (mayCrash ? 2 : 1));
      const [next] = this.#waiting.splice(choice % this.#waiting.length, 1);
      const isAlive = choice < this.#waiting.length + 1;
      if (!isAlive) {
        this.#left.crashes -= 1;
        this.crashed += 1;
      }
      next?.go(isAlive);
    }
    this.#isActing = false;
    if (failures.length > 0) throw failures[0];
  }

  async #turn(process: number): Promise<void> {
    if (!this.#isActing) return;
    const isAlive = await new Promise<boolean>((go) => this.#waiting.push({ process, go }));
    if (!isAlive) throw new Dead();
  }

  #records(process: number): RecordStore {
    const write = async <T>(work: (records: RecordStore) => Promise<T>): Promise<T> => {
      await this.#turn(process);
      return work(memoryRecords(this.data));
    };
    const read = async <T>(work: (records: RecordStore) => Promise<T>): Promise<T> => {
      await this.#turn(process);
      return work(memoryRecords(this.#view(process)));
    };
    return {
      ...memoryRecords(this.data),
      insert: (collection, doc) => write((records) => records.insert(collection, doc)),
      replace: (collection, doc) => write((records) => records.replace(collection, doc)),
      remove: (collection, key, match) => write((records) => records.remove(collection, key, match)),
      get: <D extends Doc>(collection: string, key: string) => read((records) => records.get<D>(collection, key)),
      find: (collection, options) => read((records) => records.find(collection, options)),
    };
  }

  #view(process: number): RecordData {
    const before = this.#seen.get(process);
    if (this.#isActing && this.#left.lateReads > 0 && before && this.#choose(2) === 1) {
      this.#left.lateReads -= 1;
      return before;
    }
    const now = new RecordData();
    for (const [name, docs] of this.data.collections) now.collections.set(name, new Map(docs));
    this.#seen.set(process, now);
    return now;
  }
}

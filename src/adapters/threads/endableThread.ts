import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** In all. */
const TIMEOUT_MS = 10_000;
/** How often the thread's time is read. */
const LOOK_MS = 250;
/** More than the largest order needs, since a thread that reaches it may end the process. */
const HEAP_MB = 512;

/** One thread, which answers one order after the other, and is ended by an order that takes too long or too much memory. */
export class EndableThread<Order, Answer> {
  readonly #program: URL;
  readonly #cpuMs: number;
  #last: Promise<unknown> = Promise.resolve();
  #thread: Promise<Worker> | undefined;

  /**
   * @param program the file that calls `serveOrders`
   * @param cpuMs most time of an order: the thread's own, since others may keep the machine busy
   */
  constructor(program: URL, cpuMs: number) {
    this.#program = program;
    this.#cpuMs = cpuMs;
  }

  /** @returns undefined if the order had to be ended, or failed */
  run(order: Order): Promise<Answer | undefined> {
    const answer = this.#last.then(() => this.#runNow(order));
    this.#last = answer.catch(() => {});
    return answer;
  }

  async #runNow(order: Order): Promise<Answer | undefined> {
    this.#thread ??= this.#start();
    const thread = await this.#thread;
    // An idle thread must not keep the process alive.
    thread.ref();
    const answer = await answerOf<Answer>(thread, order, this.#cpuMs);
    thread.unref();
    if (answer === undefined) await thread.terminate();
    return answer;
  }

  async #start(): Promise<Worker> {
    const thread = new Worker(this.#program, {
      execArgv: ['--no-warnings'],
      // The driver speaks its protocol on stdout.
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    });
    const ended = () => {
      this.#thread = undefined;
    };
    // Without a listener of its errors it would end the process.
    thread.on('error', ended).on('exit', ended);
    await once(thread, 'message');
    return thread;
  }
}

async function answerOf<Answer>(thread: Worker, order: unknown, cpuMs: number): Promise<Answer | undefined> {
  const { promise, resolve } = Promise.withResolvers<Answer | undefined>();
  const failed = () => resolve(undefined);
  const before = await thread.cpuUsage();
  const end = performance.now() + TIMEOUT_MS;
  const timer = setInterval(async () => {
    const { user, system } = await thread.cpuUsage(before);
    if ((user + system) / 1000 > cpuMs || performance.now() > end) failed();
  }, LOOK_MS);
  thread.once('message', resolve);
  thread.once('error', failed);
  thread.once('exit', failed);
  thread.postMessage(order);
  return promise.finally(() => {
    clearInterval(timer);
    thread.off('message', resolve);
    thread.off('error', failed);
    thread.off('exit', failed);
  });
}

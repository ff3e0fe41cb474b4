import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { CheckAnswer, CheckOrder } from './messages.ts';

/** A caller's pattern or nesting may take forever. Of the thread's own time, since others may keep the machine busy. */
const CPU_MS = 1000;
/** In all. */
const TIMEOUT_MS = 10_000;
/** How often the thread's time is read. */
const LOOK_MS = 250;
/** More than the largest schema needs, since a thread that reaches it may end the process. */
const HEAP_MB = 512;

/** One thread, which checks one value after the other, and is ended by a check that takes too long or too much memory. */
export class CheckThread {
  readonly #program: URL;
  #last: Promise<unknown> = Promise.resolve();
  #thread: Promise<Worker> | undefined;

  /** @param program the file that calls `serveChecks` */
  constructor(program: URL) {
    this.#program = program;
  }

  /** @returns undefined if the check had to be ended, or failed */
  run(order: CheckOrder): Promise<CheckAnswer | undefined> {
    const answer = this.#last.then(() => this.#runNow(order));
    this.#last = answer.catch(() => {});
    return answer;
  }

  async #runNow(order: CheckOrder): Promise<CheckAnswer | undefined> {
    this.#thread ??= this.#start();
    const thread = await this.#thread;
    // An idle thread must not keep the process alive.
    thread.ref();
    const answer = await answerOf(thread, order);
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

async function answerOf(thread: Worker, order: CheckOrder): Promise<CheckAnswer | undefined> {
  const { promise, resolve } = Promise.withResolvers<CheckAnswer | undefined>();
  const failed = () => resolve(undefined);
  const before = await thread.cpuUsage();
  const end = performance.now() + TIMEOUT_MS;
  const timer = setInterval(async () => {
    const { user, system } = await thread.cpuUsage(before);
    if ((user + system) / 1000 > CPU_MS || performance.now() > end) failed();
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

import { once } from 'node:events';
import { parentPort, Worker } from 'node:worker_threads';
import { type CheckAnswer, type CheckOrder, READY } from './messages.ts';

/** A caller's pattern or nesting may take forever. */
const TIMEOUT_MS = 1000;
/** A schema that needs more ends the thread. */
const HEAP_MB = 128;

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

function answerOf(thread: Worker, order: CheckOrder): Promise<CheckAnswer | undefined> {
  const { promise, resolve } = Promise.withResolvers<CheckAnswer | undefined>();
  const failed = () => resolve(undefined);
  const timer = setTimeout(failed, TIMEOUT_MS);
  thread.once('message', resolve);
  thread.once('error', failed);
  thread.once('exit', failed);
  thread.postMessage(order);
  return promise.finally(() => {
    clearTimeout(timer);
    thread.off('message', resolve);
    thread.off('error', failed);
    thread.off('exit', failed);
  });
}

/** Answers orders in this thread. An error of a check ends it. */
export async function serveChecks(): Promise<void> {
  const { createChecker } = await import('./checker.ts');
  const check = createChecker();
  parentPort?.on('message', (order: CheckOrder) => parentPort?.postMessage(check(order)));
  parentPort?.postMessage(READY);
}

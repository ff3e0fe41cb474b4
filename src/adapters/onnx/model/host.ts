import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { unlessAborted } from '../../../domain/async/deadline.ts';
import type { Deadline } from '../../../ports/platform/clock.ts';
import type { RunnerOrder, RunnerReply } from '../runner/messages.ts';
import { startThread } from '../runner/thread.ts';

/** `process` where a model must not take its caller down; `thread` where the caller serves only this model. */
export type Isolation = 'process' | 'thread';

/** The runner ended before it answered: out of memory, or a crash of the runtime. */
export class RunnerEnded extends Error {
  override readonly name = 'RunnerEnded';
}

/** The runner ended before the order was sent, by another order or a close. */
export class RunnerGone extends Error {
  override readonly name = 'RunnerGone';
}

interface Runner {
  send(order: RunnerOrder): void;
  kill(): void;
  /** Only while it works, it keeps its caller alive. */
  hold(isWorking: boolean): void;
}

type Listen = { reply(reply: RunnerReply): void; ended(): void };

/** A runner that answers one order at a time. It is killed when an order is not answered in time. */
export class RunnerHost {
  readonly #runner: Runner;
  #last: Promise<unknown> = Promise.resolve();
  #settle: ((reply: RunnerReply | Error) => void) | undefined;
  #isEnded = false;

  /** @param exited told when its memory is free again */
  constructor(program: URL, isolation: Isolation, exited: () => void = () => {}) {
    const start = isolation === 'thread' ? threadRunner : processRunner;
    this.#runner = start(program, {
      reply: (reply) => this.#settle?.(reply),
      ended: () => {
        this.#end(new RunnerEnded('The runtime ended'));
        exited();
      },
    });
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /**
   * Orders are queued.
   * @throws RunnerEnded, or the reason of the deadline, after which the runner has ended unless the order was in the queue; RunnerGone
   */
  ask(order: RunnerOrder, deadline: Deadline): Promise<RunnerReply> {
    const answer = this.#last.then(() => this.#askNow(order, deadline));
    this.#last = answer.catch(() => {});
    return unlessAborted(answer, deadline.signal);
  }

  close(): void {
    this.#end(new RunnerEnded('The model was closed'));
    this.#runner.kill();
  }

  async #askNow(order: RunnerOrder, { signal }: Deadline): Promise<RunnerReply> {
    signal.throwIfAborted();
    if (this.#isEnded) throw new RunnerGone('The runtime has ended');
    const { promise, resolve } = Promise.withResolvers<RunnerReply | Error>();
    const expire = (): void => {
      this.#end(signal.reason);
      this.#runner.kill();
    };
    this.#settle = resolve;
    signal.addEventListener('abort', expire, { once: true });
    this.#runner.hold(true);
    try {
      this.#runner.send(order);
      const reply = await promise;
      if (reply instanceof Error) throw reply;
      return reply;
    } finally {
      this.#settle = undefined;
      this.#runner.hold(false);
      signal.removeEventListener('abort', expire);
    }
  }

  #end(reason: Error): void {
    this.#isEnded = true;
    this.#settle?.(reason);
  }
}

function threadRunner(program: URL, listen: Listen): Runner {
  const thread = startThread(program);
  thread.on('message', listen.reply);
  // A failure is an end, which follows.
  thread.on('error', () => {});
  thread.on('exit', listen.ended);
  return {
    send: (order) => thread.postMessage(order),
    kill: () => void thread.terminate(),
    hold: (isWorking) => (isWorking ? thread.ref() : thread.unref()),
  };
}

function processRunner(program: URL, listen: Listen): Runner {
  const child = fork(fileURLToPath(program), [], {
    // Only what the runtime needs: the driver's variables may hold secrets.
    env: {},
    execArgv: ['--no-warnings', '--max-old-space-size=512'],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  child.on('message', (reply) => listen.reply(reply as RunnerReply));
  child.on('error', listen.ended);
  child.on('exit', listen.ended);
  return {
    send: (order) => child.send(order, () => {}),
    kill: () => child.kill('SIGKILL'),
    hold(isWorking) {
      for (const each of [child, child.channel]) isWorking ? each?.ref() : each?.unref();
    },
  };
}

import { spawn } from 'node:child_process';

export interface ActionProgram {
  /** The program and its arguments. */
  words: readonly [string, ...string[]];
  env: Readonly<Record<string, string | undefined>>;
  input: string;
  /** Seconds until the process and its children are ended. */
  maxTime: number;
  /** Ends it early. */
  signal: AbortSignal;
  /** A line of its stderr. */
  onLine(text: string): void;
}

export interface ActionExit {
  /** Null if it was ended by a signal. */
  code: number | null;
  isLate: boolean;
}

/** How long its processes have from SIGTERM to SIGKILL. */
const GRACE_MS = 2000;
/** The longest timer that Node has. */
const LONGEST_MS = 2_147_483_647;
/** How long to wait for text still in the pipe after the exit. */
const DRAIN_MS = 250;
/** A line without an end is cut here, so that stderr cannot fill the memory. */
const MOST_CHARACTERS = 65_536;

/** Runs the program of an action in a process group of its own. Rejects with the error of a program that cannot be started. */
export async function runAction({ words, env, input, maxTime, signal, onLine }: ActionProgram): Promise<ActionExit> {
  const { promise, resolve, reject } = Promise.withResolvers<ActionExit>();
  const [path, ...args] = words;
  // The working directory of splunkd is not documented; the root exposes programs that rely on one.
  const child = spawn(path, args, {
    cwd: '/',
    env,
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
    windowsHide: true,
  });
  let isLate = false;
  let hard: NodeJS.Timeout | undefined;
  const kill = (name: NodeJS.Signals): void => {
    if (child.pid === undefined) return;
    try {
      process.kill(-child.pid, name);
    } catch (error) {
      // The group may be gone already.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  };
  const end = (): void => {
    kill('SIGTERM');
    hard ??= setTimeout(() => kill('SIGKILL'), GRACE_MS);
  };
  const timer = setTimeout(
    () => {
      isLate = hard === undefined;
      end();
    },
    Math.min(maxTime * 1000, LONGEST_MS),
  );
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  const finish = (settle: () => void): void => {
    clearTimeout(timer);
    clearTimeout(hard);
    signal.removeEventListener('abort', end);
    settle();
  };
  const lines = lineReader(onLine);
  child.stderr.setEncoding('utf8');
  child.stderr.on('data', lines.push);
  // A program may exit before it has read its payload; its exit says what became of it.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  child.on('error', (error) => {
    // Also emitted when a signal could not be sent; only a child without pid never started.
    if (child.pid === undefined) finish(() => reject(error));
  });
  child.on('exit', (code) => {
    // Children that outlive a program which was ended are ended with it; those of others may hold its stderr open.
    if (hard !== undefined) kill('SIGKILL');
    const drained = new Promise<void>((done) => {
      const late = setTimeout(done, DRAIN_MS);
      child.on('close', () => {
        clearTimeout(late);
        done();
      });
    });
    void drained.then(() => {
      child.stderr.destroy();
      lines.end();
      finish(() => resolve({ code, isLate }));
    });
  });
  return promise;
}

function lineReader(onLine: (text: string) => void): { push(text: string): void; end(): void } {
  let open = '';
  const emit = (line: string): void => {
    if (line.trim() !== '') onLine(line.trimEnd());
  };
  return {
    push(text) {
      const lines = (open + text).split(/\r?\n/);
      open = lines.pop() ?? '';
      if (open.length > MOST_CHARACTERS) lines.push(open.slice(0, MOST_CHARACTERS));
      if (open.length > MOST_CHARACTERS) open = '';
      lines.forEach(emit);
    },
    end() {
      emit(open);
      open = '';
    },
  };
}

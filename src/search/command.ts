import type { Readable, Writable } from 'node:stream';
import { Fault } from '../contract/faults.ts';
import { ChunkError, encodeChunk, type Metadata, readChunks } from './chunks.ts';
import { csv, type Row } from './rows.ts';

/** What the user typed is wrong, or the search cannot be done at all: its text becomes the search's error. */
export class SearchError extends Error {
  override readonly name = 'SearchError';
}

/** The part of `searchinfo` that a command may use. Holds the user's session: never log it. */
export interface SearchInfo {
  sessionKey: string;
  serverUri: string;
  maxRows: number;
}

export interface Output {
  rows: readonly Row[];
  messages?: readonly (readonly ['ERROR' | 'WARN' | 'INFO', string])[];
  /** Nothing comes after it. */
  last?: boolean;
}

export interface Command {
  /** The answer to getinfo. */
  configuration: Metadata;
  fields: readonly string[];
  /** Looks at the arguments and does nothing else: getinfo comes without a search, too. @throws SearchError */
  prepare(args: string): (info: SearchInfo) => AsyncGenerator<Output>;
}

/**
 * A generating command of version 2: one getinfo, then one chunk of rows for each execute until it is finished.
 * Ends when the input ends: then the search is over or cancelled, and whatever is under way does not matter any more.
 * @returns the exit code
 */
async function serveCommand(
  { input, output }: { input: Readable; output: Writable },
  command: Command,
): Promise<number> {
  const inbox = new Inbox(input);
  const send = (metadata: Metadata, body?: string) => output.write(encodeChunk(metadata, body));
  try {
    const hello = await inbox.next();
    if (!hello) return 0;
    if (hello.action !== 'getinfo') throw new ChunkError('The first chunk is not getinfo');
    const run = command.prepare(argumentsOf(hello));
    send(command.configuration);
    await generate(inbox, send, command.fields, () => run(infoOf(hello)));
    return 0;
  } catch (error) {
    send({ finished: true, error: textOf(error) });
    if (!(error instanceof SearchError || error instanceof Fault)) return 1;
    await inbox.end();
    return 0;
  }
}

/** Runs a command as the program of this process, speaking chunks on stdin and stdout and nothing on stderr, and ends it. */
export async function serveProcess(command: Command): Promise<never> {
  // The search is cancelled or nobody reads its rows any more: an answer that is under way does not matter.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => process.exit(0));
  process.stdout.on('error', () => process.exit(0));
  process.exit(await serveCommand({ input: process.stdin, output: process.stdout }, command));
}

async function generate(
  inbox: Inbox,
  send: (metadata: Metadata, body?: string) => void,
  fields: readonly string[],
  start: () => AsyncGenerator<Output>,
): Promise<void> {
  let outputs: AsyncGenerator<Output> | undefined;
  for (;;) {
    const message = await inbox.next();
    if (!message) return;
    if (message.action !== 'execute') throw new ChunkError('A chunk is neither getinfo nor execute');
    outputs ??= start();
    const next = await Promise.race([outputs.next(), inbox.end()]);
    // Cancelled: what is under way is left behind.
    if (next === ENDED) return;
    const { rows = [], messages = [], last = false } = next.done ? { last: true } : next.value;
    const inspector = messages.length > 0 ? { inspector: { messages } } : {};
    send({ finished: last, ...inspector }, csv(fields, rows));
    if (!last) continue;
    await inbox.end();
    return;
  }
}

const ENDED = Symbol('the input has ended');

/** Messages as they arrive, and the end of the input also while nobody asks for a message. */
class Inbox {
  readonly #messages: Metadata[] = [];
  readonly #done: Promise<typeof ENDED>;
  #failure: unknown;
  #wake: () => void = () => {};
  #isOver = false;

  constructor(input: Readable) {
    this.#done = this.#read(input);
  }

  /** Undefined: there are no more. @throws ChunkError */
  async next(): Promise<Metadata | undefined> {
    while (this.#messages.length === 0 && !this.#isOver) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const message = this.#messages.shift();
    if (!message && this.#failure) throw this.#failure;
    return message;
  }

  end(): Promise<typeof ENDED> {
    return this.#done;
  }

  async #read(input: Readable): Promise<typeof ENDED> {
    try {
      for await (const message of readChunks(input)) {
        this.#messages.push(message);
        this.#wake();
      }
    } catch (error) {
      this.#failure = error;
    }
    this.#isOver = true;
    this.#wake();
    return ENDED;
  }
}

const searchInfo = (hello: Metadata) => Object(hello.searchinfo) as Record<string, unknown>;

/** As typed, if the platform says so; otherwise spaces around `=` have cut it into pieces. */
function argumentsOf(hello: Metadata): string {
  const { raw_args, args } = searchInfo(hello);
  const pieces = Array.isArray(raw_args) ? raw_args : Array.isArray(args) ? args : [];
  return pieces.filter((piece) => typeof piece === 'string').join(' ');
}

const MOST_ROWS = 50_000;

function infoOf(hello: Metadata): SearchInfo {
  const { session_key, splunkd_uri, maxresultrows } = searchInfo(hello);
  if (typeof session_key !== 'string' || session_key === '' || typeof splunkd_uri !== 'string') {
    throw new SearchError('The platform gave the command no session');
  }
  const maxRows = Number(maxresultrows);
  return { sessionKey: session_key, serverUri: splunkd_uri, maxRows: maxRows >= 1 ? Math.floor(maxRows) : MOST_ROWS };
}

/** A bug's own text may quote anything: it is not shown. */
function textOf(error: unknown): string {
  if (error instanceof SearchError || error instanceof ChunkError || error instanceof Fault) return error.message;
  return `Something went wrong inside the command (${error instanceof Error ? error.name : typeof error})`;
}

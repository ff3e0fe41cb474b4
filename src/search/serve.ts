import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { errorName } from '../contract/basics.ts';
import { Fault } from '../contract/codes/faults.ts';
import { unlessAborted } from '../domain/async/deadline.ts';
import { parseArguments } from './arguments.ts';
import { type Chunk, ChunkError, ChunkReader, encodeChunk, type Metadata } from './chunks.ts';
import {
  type ColumnStep,
  type Command,
  type CommandParts,
  type Output,
  SearchError,
  type SearchInfo,
  type Transform,
} from './command.ts';
import { CsvTable } from './csvTable.ts';
import { readRows, writeRows } from './rows.ts';

const MAX_END_MS = 3000;
/** Of ending at a signal, if something does not. */
const MAX_STOP_MS = MAX_END_MS + 1000;

/**
 * Serves a search command (protocol version 2): replies to getinfo, then to each execute until finished. The end of the
 * input means that the search has ended or was cancelled, so work in progress is abandoned.
 * @returns the exit code
 */
export async function serveCommand(
  { input, output }: { input: Readable; output: Writable },
  command: Command,
  parts: CommandParts,
): Promise<number> {
  const conversation = new Conversation(input, output);
  try {
    const hello = await conversation.next();
    if (!hello) return 0;
    if (hello.metadata.action !== 'getinfo') throw new ChunkError('The first chunk is not getinfo');
    const { values, others } = parseArguments(
      argumentsOf(hello.metadata),
      command.arguments,
      command.others !== undefined,
    );
    const info = () => infoOf(hello.metadata);
    if (command.kind === 'generating') {
      const start = command.prepare(values);
      await conversation.send({ type: 'stateful', generating: true });
      await generate(conversation, command.columns?.(values) ?? command.fields, () => start(info(), parts));
    } else if (command.kind === 'columns') {
      const start = command.prepare(values);
      await conversation.send({ type: 'stateful', required_fields: ['*'] });
      await addColumns(conversation, start(info(), parts));
    } else {
      const generation = command.generates?.(values);
      if (generation) {
        await conversation.send({ type: 'stateful', generating: true });
        await generate(conversation, generation.fields, () => generation.start(info(), parts));
        return 0;
      }
      const start = command.prepare(values, others);
      await conversation.send({ type: command.type?.(values) ?? 'stateful', required_fields: ['*'] });
      await transform(conversation, () => start(info(), parts));
    }
    return 0;
  } catch (error) {
    await conversation.send({ finished: true, error: textOf(error) });
    if (!(error instanceof SearchError || error instanceof Fault)) return 1;
    await conversation.drain();
    return 0;
  }
}

/** Serves a command on stdin and stdout and exits; any output on stderr would end the search. */
export async function serveProcess(command: Command, parts: CommandParts): Promise<never> {
  let isStopped = false;
  // The search was cancelled or its reader has gone: as at the end of the input, what was begun is ended.
  const stop = (): void => {
    isStopped = true;
    process.stdin.destroy();
    globalThis.setTimeout(() => process.exit(0), MAX_STOP_MS).unref();
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop);
  process.stdout.on('error', stop);
  const code = await serveCommand({ input: process.stdin, output: process.stdout }, command, parts);
  process.exit(isStopped ? 0 : code);
}

async function generate(
  conversation: Conversation,
  fields: readonly string[],
  start: () => AsyncGenerator<Output>,
): Promise<void> {
  let outputs: AsyncGenerator<Output> | undefined;
  while (await conversation.nextExecute()) {
    outputs ??= start();
    const next = await conversation.unlessEnded(outputs.next());
    if (next === ENDED) return;
    const { rows, messages, last = false }: Output = next.done ? { rows: [], last: true } : next.value;
    await conversation.reply(last, messages, writeRows(fields, rows));
    if (last) return conversation.drain();
  }
}

async function transform(conversation: Conversation, start: () => Transform): Promise<void> {
  const { signal } = conversation;
  let step: Transform | undefined;
  for (let chunk = await conversation.nextExecute(); chunk; chunk = await conversation.nextExecute()) {
    step ??= start();
    const { fields, rows } = await readRows(chunk.body);
    const isLast = chunk.metadata.finished === true;
    const output = await conversation.unlessEnded(step(rows, { isLast, signal }));
    if (output === ENDED) return;
    const finished = isLast || output.last === true;
    await conversation.reply(finished, output.messages, writeRows(fieldsOf(fields, output.rows), output.rows));
    if (finished) return conversation.drain();
  }
}

async function addColumns(conversation: Conversation, step: ColumnStep): Promise<void> {
  const { signal } = conversation;
  try {
    for (let chunk = await conversation.nextExecute(); chunk; chunk = await conversation.nextExecute()) {
      if (chunk.size > 0) step.prepare();
      const table = new CsvTable(await text(chunk.body));
      const isLast = chunk.metadata.finished === true;
      const added = await conversation.unlessEnded(step.add(table, { isLast, signal }));
      if (added === ENDED) return;
      await conversation.reply(isLast, added.messages, table.with(added.columns));
      if (isLast) return conversation.drain();
    }
  } finally {
    // A search does not wait for its report.
    await Promise.race([step.end(), setTimeout(MAX_END_MS)]);
  }
}

/** Incoming fields in order, followed by fields that the command added. */
function fieldsOf(fields: readonly string[], rows: Output['rows']): string[] {
  const found = new Set(fields);
  for (const row of rows) for (const name of Object.keys(row)) found.add(name);
  return [...found];
}

const ENDED = Symbol('the input has ended');

class Conversation {
  readonly #reader: ChunkReader;
  readonly #output: Writable;
  readonly #abort = new AbortController();

  constructor(input: Readable, output: Writable) {
    this.#reader = new ChunkReader(input);
    this.#output = output;
    void this.#reader.ended.then(() => this.#abort.abort());
  }

  /** Aborts at the end of the input. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  next(): Promise<Chunk | undefined> {
    return this.#reader.next();
  }

  drain(): Promise<void> {
    return this.#reader.drain();
  }

  async nextExecute(): Promise<Chunk | undefined> {
    const chunk = await this.next();
    if (chunk && chunk.metadata.action !== 'execute') throw new ChunkError('A chunk is neither getinfo nor execute');
    return chunk;
  }

  /** Abandons work at the end of the input. */
  async unlessEnded<T>(work: T | Promise<T>): Promise<T | typeof ENDED> {
    try {
      // Nothing that lives as long as the input may hold a result, such as the other side of a race.
      return await unlessAborted(Promise.resolve(work), this.signal);
    } catch (error) {
      if (this.signal.aborted) return ENDED;
      throw error;
    }
  }

  reply(finished: boolean, messages: Output['messages'] = [], body = ''): Promise<void> {
    return this.send({ finished, ...(messages.length > 0 ? { inspector: { messages } } : {}) }, body);
  }

  /** Waits until the platform has read the message. */
  async send(metadata: Metadata, body?: string): Promise<void> {
    const isTaken = new Promise<void>((resolve) => this.#output.write(encodeChunk(metadata, body), () => resolve()));
    await this.unlessEnded(isTaken);
  }
}

const searchInfo = (hello: Metadata) => Object(hello.searchinfo) as Record<string, unknown>;

/** `args` is split at spaces around `=`; `raw_args` is not, but older releases lack it. */
function argumentsOf(hello: Metadata): string {
  const { raw_args, args } = searchInfo(hello);
  const pieces = Array.isArray(raw_args) ? raw_args : Array.isArray(args) ? args : [];
  return pieces.filter((piece) => typeof piece === 'string').join(' ');
}

const MOST_ROWS = 50_000;

function infoOf(hello: Metadata): SearchInfo {
  const { session_key, splunkd_uri, maxresultrows, sid } = searchInfo(hello);
  if (typeof session_key !== 'string' || session_key === '' || typeof splunkd_uri !== 'string') {
    throw new SearchError('The platform gave the command no session');
  }
  const maxRows = Number(maxresultrows);
  return {
    sessionKey: session_key,
    serverUri: splunkd_uri,
    sid: typeof sid === 'string' && /^[\x21-\x7e]+$/.test(sid) ? sid : '',
    maxRows: maxRows >= 1 ? Math.floor(maxRows) : MOST_ROWS,
  };
}

/** The message of an unexpected error may quote secrets: it is not shown. */
function textOf(error: unknown): string {
  if (error instanceof SearchError || error instanceof ChunkError || error instanceof Fault) return error.message;
  return `Something went wrong inside the command (${errorName(error)})`;
}

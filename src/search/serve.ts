import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { errorName } from '../contract/basics.ts';
import { Fault } from '../contract/codes/faults.ts';
import { planOf } from './arguments.ts';
import { type Chunk, ChunkError, ChunkReader, encodeChunk, type Metadata } from './chunks.ts';
import {
  type AddedColumns,
  type Command,
  type CommandParts,
  type Messages,
  type Output,
  SearchError,
  type SearchInfo,
  type Step,
} from './command.ts';
import { CsvTable } from './csvTable.ts';
import { writeRows } from './rows.ts';
import { untilAborted } from './untilAborted.ts';

const MAX_END_MS = 3000;
/** Limit for ending after a signal. */
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
    const plan = planOf(command, argumentsOf(hello.metadata));
    const info = () => infoOf(hello.metadata);
    if ('generate' in plan) {
      await conversation.send({ type: 'stateful', generating: true });
      await generate(conversation, plan.fields, () => plan.generate(info(), parts));
    } else {
      await conversation.send({ type: plan.type ?? 'stateful', required_fields: ['*'] });
      await transform(conversation, () => plan.start(info(), parts));
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
    if (!next) return;
    const { rows, messages, last = false }: Output = next.done ? { rows: [], last: true } : next.value;
    await conversation.reply(last, messages, writeRows(fields, rows));
    if (last) return conversation.drain();
  }
}

async function transform(conversation: Conversation, start: () => Step): Promise<void> {
  const { signal } = conversation;
  let step: Step | undefined;
  try {
    for (let chunk = await conversation.nextExecute(); chunk; chunk = await conversation.nextExecute()) {
      step ??= start();
      if (chunk.size > 0) step.prepare?.();
      const table = new CsvTable(await text(chunk.body));
      const isLast = chunk.metadata.finished === true;
      const output = await conversation.unlessEnded(step.next(table, { isLast, signal }));
      if (!output) return;
      await conversation.reply(isLast, output.messages, writeReply(table, output));
      if (isLast) return conversation.drain();
    }
  } finally {
    // A search does not wait for its report.
    if (step?.end) await Promise.race([step.end(), setTimeout(MAX_END_MS)]);
  }
}

/** The body of a reply: rows with the fields of their chunk first, or the rows of the chunk with columns added. */
function writeReply(table: CsvTable, output: Output | AddedColumns): string {
  if ('columns' in output) return table.with(output.columns);
  const fields = new Set(table.fields);
  for (const row of output.rows) for (const name of Object.keys(row)) fields.add(name);
  return writeRows([...fields], output.rows);
}

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
  unlessEnded<T>(work: Promise<T>): Promise<T | undefined> {
    // Nothing that lives as long as the input may hold a result, such as the other side of a race.
    return untilAborted(work, this.signal);
  }

  reply(finished: boolean, messages: Messages = [], body = ''): Promise<void> {
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

import type { PlatformMessage } from '../../http/reply.ts';
import { chunkHeader, readBatch, writeChunkRows } from '../results/csv.ts';
import { type Batch, EMPTY } from '../results/rows.ts';
import type { CustomCommand } from './catalog.ts';
import type { Chunk } from './chunks.ts';
import { type CommandExit, CommandFailure, CommandProcess, EXITED } from './commandProcess.ts';

/** The job's context for a running command. */
export interface CommandContext {
  /** `searchinfo` of getinfo. */
  searchinfo: Record<string, unknown>;
  /** The dispatch folder given to the probe: it does not exist, as may happen on splunkd. */
  probeFolder: string;
  graceMs: number;
  /** Maximum rows per chunk. */
  maxRows: number;
  signal: AbortSignal;
  message(type: PlatformMessage['type'], text: string): void;
  log(level: string, component: string, text: string): void;
  /** Called for each process, so that a shutdown can wait for it. */
  started(process: CommandProcess): void;
  /** Called when the real run begins. */
  running(pid: number | undefined): void;
  /** Waits while the job is paused. */
  gate(): Promise<void>;
}

type Listener = Pick<CommandContext, 'log' | 'message'>;
type ProbeContext = Omit<CommandContext, 'message' | 'running' | 'gate' | 'maxRows'>;

const LEVELS = new Set(['DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL']);

export const NOT_FIRST = 'This command must be the first command of a search.';

/**
 * Runs a command and yields its rows as they come. Throws CommandFailure; on abort the rows just end. @param input rows
 * of the command before it; undefined for the first of a search
 */
export async function* runCommand(
  command: CustomCommand,
  context: CommandContext & {
    /** Start the program with getinfo only before the real run. */
    probe: boolean;
  },
  input: AsyncIterable<Batch> | undefined,
): AsyncGenerator<Batch> {
  try {
    if (context.probe) await probe(command, context);
    yield* converse(command, context, input);
  } catch (error) {
    if (context.signal.aborted) return;
    // An error that passed through here already names the command before.
    if (error instanceof CommandFailure) error.command ??= command.name;
    throw error;
  }
}

async function* converse(
  command: CustomCommand,
  context: CommandContext,
  input: AsyncIterable<Batch> | undefined,
): AsyncGenerator<Batch> {
  if (context.signal.aborted) throw new CommandFailure(EXITED);
  const process = start(command, context);
  const abort = () => void process.terminate(context.graceMs);
  context.signal.addEventListener('abort', abort, { once: true });
  let ended = false;
  try {
    context.running(process.pid);
    const info = await ask(process, command, context, getinfo(context.searchinfo), '', command.maxwait);
    const settings = readSettings(info, context);
    if (info.metadata.finished !== true) {
      assertPosition(settings, input);
      const maxwait = settings.maxwait ?? command.maxwait;
      const execute = async (finished: boolean, body: string): Promise<Chunk> => {
        await context.gate();
        return ask(process, command, context, { action: 'execute', finished }, body, maxwait);
      };
      yield* input === undefined
        ? runGenerating(execute, settings.body)
        : runStreaming(execute, input, Math.min(context.maxRows, settings.maxinputs));
    }
    ended = true;
    checkExit(await process.end(context.graceMs), command, context);
  } finally {
    context.signal.removeEventListener('abort', abort);
    // No more requests: it failed, its job ended, or the later commands have enough.
    if (process.failed) void process.terminate(context.graceMs);
    else if (!ended) void process.end(context.graceMs);
  }
}

function assertPosition(settings: CommandSettings, input: unknown): void {
  if (input === undefined && !settings.generating)
    throw new CommandFailure('The command is not generating, so it cannot be the first of a search.');
  if (input !== undefined && settings.generating) throw new CommandFailure(NOT_FIRST);
}

type Execute = (finished: boolean, body: string) => Promise<Chunk>;

async function* runGenerating(execute: Execute, body: string): AsyncGenerator<Batch> {
  for (;;) {
    const chunk = await execute(true, body);
    yield readRows(chunk);
    if (chunk.metadata.finished === true) return;
  }
}

/** Sends each chunk after the reply to the one before. After the last, a command may still send several. */
async function* runStreaming(execute: Execute, input: AsyncIterable<Batch>, maxRows: number): AsyncGenerator<Batch> {
  for await (const batch of chunksOf(input, maxRows)) {
    const isLast = batch.isLast === true;
    let body = writeChunkRows(batch);
    for (;;) {
      const chunk = await execute(isLast, body);
      yield withoutIndex(readRows(chunk));
      if (chunk.metadata.finished === true) return;
      if (!isLast) break;
      body = '';
    }
  }
}

/** Splits rows into chunks. The last is marked, and empty if the end of the rows was not known before. */
async function* chunksOf(input: AsyncIterable<Batch>, maxRows: number): AsyncGenerator<Batch> {
  for await (const { columns, rows, isLast = false } of input) {
    for (let from = 0; from < rows.length; from += maxRows) {
      const last = isLast && from + maxRows >= rows.length;
      yield { columns, rows: rows.slice(from, from + maxRows), isLast: last };
      if (last) return;
    }
  }
  yield { ...EMPTY, isLast: true };
}

/** Removes the column with the row number, which is internal to the exchange. */
function withoutIndex({ columns, rows }: Batch): Batch {
  for (const row of rows) delete row._chunked_idx;
  return { columns: columns.filter((name) => name !== '_chunked_idx'), rows };
}

/**
 * splunkd starts commands more often than it uses them; such a start sees only getinfo. @returns whether the command is
 * generating; undefined if it did not say
 */
export async function probe(command: CustomCommand, probed: ProbeContext): Promise<boolean | undefined> {
  const context = { ...probed, message: () => {} };
  const process = start(command, context);
  const searchinfo = { ...context.searchinfo, dispatch_dir: context.probeFolder };
  const abort = () => void process.terminate(context.graceMs);
  context.signal.addEventListener('abort', abort, { once: true });
  try {
    const info = await ask(process, command, context, getinfo(searchinfo), '', command.maxwait);
    return readSettings(info, context).generating;
  } catch (error) {
    // The real run fails in the same way and reports it.
    context.log(
      'WARN',
      'ChunkedExternProcessor',
      `getinfo of '${command.name}' before the run: ${(error as Error).message}`,
    );
    return undefined;
  } finally {
    context.signal.removeEventListener('abort', abort);
    void process.end(context.graceMs);
  }
}

function getinfo(searchinfo: Record<string, unknown>): Record<string, unknown> {
  return { action: 'getinfo', preview: false, streaming_command_will_restart: false, searchinfo };
}

function start(command: CustomCommand, context: Pick<CommandContext, 'log' | 'started'>): CommandProcess {
  const { program, name } = command;
  const process = new CommandProcess(program, (text) =>
    context.log('ERROR', 'ChunkedExternProcessor', `stderr: ${text}`),
  );
  context.started(process);
  context.log(
    'INFO',
    'ChunkedExternProcessor',
    `Running process of '${name}': ${[program.path, ...program.args].join(' ')}`,
  );
  process.exited.then(({ code, signal }) =>
    context.log(
      'INFO',
      'ChunkedExternProcessor',
      `Process ${process.pid} ended ${signal ? `by ${signal}` : `with code ${code}`}`,
    ),
  );
  return process;
}

async function ask(
  process: CommandProcess,
  command: CustomCommand,
  context: Listener,
  metadata: Record<string, unknown>,
  body: string,
  maxwait: number,
): Promise<Chunk> {
  process.send(metadata, body);
  const chunk = await process.receive(maxwait * 1000);
  inspect(chunk.metadata.inspector, context);
  const { error } = chunk.metadata;
  if (error !== undefined && error !== null) {
    context.log('ERROR', 'ChunkedExternProcessor', `'${command.name}' reported: ${error}`);
    throw new CommandFailure(String(error));
  }
  return chunk;
}

/** `{"messages":[["INFO","text"]],"metric.x":[1,2,3,4]}` */
function inspect(inspector: unknown, context: Listener): void {
  if (typeof inspector !== 'object' || inspector === null) return;
  for (const [key, value] of Object.entries(inspector)) {
    if (key !== 'messages') {
      context.log('INFO', 'ChunkedExternProcessor', `${key} = ${JSON.stringify(value)}`);
      continue;
    }
    for (const message of Array.isArray(value) ? value : []) {
      const [level, text] = Array.isArray(message) ? message : [];
      const type = LEVELS.has(level) ? (level as PlatformMessage['type']) : 'INFO';
      context.log(type, 'ChunkedExternProcessor', String(text));
      context.message(type, String(text));
    }
  }
}

/** The reply to getinfo. */
interface CommandSettings {
  generating: boolean;
  /** Sent with execute to a generating command: a header with the fields it requires. */
  body: string;
  maxwait: number | undefined;
  maxinputs: number;
}

function readSettings(reply: Chunk, context: Pick<CommandContext, 'log'>): CommandSettings {
  const { type = 'streaming', generating, required_fields: required, maxwait, maxinputs } = reply.metadata;
  context.log('INFO', 'ChunkedExternProcessor', `getinfo: ${JSON.stringify(reply.metadata)}`);
  if (!['streaming', 'stateful', 'events', 'reporting'].includes(String(type)))
    throw new CommandFailure(`'${type}' is not a command type.`);
  const fields = Array.isArray(required) ? required.map(String) : [];
  return {
    generating: generating === true,
    body: fields.length === 0 ? '' : chunkHeader(fields),
    maxwait: typeof maxwait === 'number' && maxwait >= 0 ? maxwait : undefined,
    maxinputs: typeof maxinputs === 'number' && maxinputs >= 1 ? Math.floor(maxinputs) : Number.POSITIVE_INFINITY,
  };
}

function readRows(chunk: Chunk): Batch {
  try {
    return readBatch(chunk.body);
  } catch (error) {
    throw new CommandFailure(`The rows of the command cannot be read: ${(error as Error).message}.`);
  }
}

function checkExit({ code, signal }: CommandExit, command: CustomCommand, context: CommandContext): void {
  if (code === 0) return;
  if (code === null)
    context.log(
      'WARN',
      'ChunkedExternProcessor',
      `'${command.name}' had to be ended by ${signal} after its last chunk`,
    );
  else throw new CommandFailure(EXITED);
}

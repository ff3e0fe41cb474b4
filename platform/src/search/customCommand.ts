import type { PlatformMessage } from '../http/reply.ts';
import type { CustomCommand } from './catalog.ts';
import type { Chunk } from './chunks.ts';
import { type CommandExit, CommandFailure, CommandProcess, EXITED } from './commandProcess.ts';
import { readBatch } from './csv.ts';
import type { Batch } from './rows.ts';

/** What a running command needs of its job. */
export interface CommandContext {
  /** `searchinfo` of getinfo. */
  searchinfo: Record<string, unknown>;
  /** Where an extra start is told to look: a folder that does not exist, as it may be on the platform. */
  probeFolder: string;
  /** Start the program once more, before the real run, with getinfo alone. */
  probe: boolean;
  graceMs: number;
  signal: AbortSignal;
  message(type: PlatformMessage['type'], text: string): void;
  log(level: string, component: string, text: string): void;
  /** Called for each process, so that the end of the platform can wait for it. */
  started(process: CommandProcess): void;
  /** The real run begins. */
  running(pid: number | undefined): void;
  /** Waits while the job is paused. */
  gate(): Promise<void>;
}

const LEVELS = new Set(['DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL']);

/** Runs a generating command to its end and gives its rows as they come. Failures are CommandFailure. */
export async function* runCommand(command: CustomCommand, context: CommandContext): AsyncGenerator<Batch> {
  if (context.probe) await probe(command, context);
  if (context.signal.aborted) throw new CommandFailure(EXITED);
  const process = start(command, context);
  const abort = () => void process.terminate(context.graceMs);
  context.signal.addEventListener('abort', abort, { once: true });
  let ended = false;
  try {
    context.running(process.pid);
    const info = await ask(process, command, context, getinfo(context.searchinfo), '', command.maxwait);
    const settings = readSettings(info, context);
    const maxwait = settings.maxwait ?? command.maxwait;
    let finished = info.metadata.finished === true;
    while (!finished) {
      await context.gate();
      const chunk = await ask(process, command, context, { action: 'execute', finished: true }, settings.body, maxwait);
      finished = chunk.metadata.finished === true;
      yield readRows(chunk);
    }
    ended = true;
    checkExit(await process.end(context.graceMs), command, context);
  } finally {
    context.signal.removeEventListener('abort', abort);
    // It is not asked again: it failed, its job ended, or the commands behind it have enough.
    if (process.failed) void process.terminate(context.graceMs);
    else if (!ended) void process.end(context.graceMs);
  }
}

/** splunkd starts a command more often than it uses it; those starts see getinfo and nothing else. */
async function probe(command: CustomCommand, context: CommandContext): Promise<void> {
  const process = start(command, context);
  const searchinfo = { ...context.searchinfo, dispatch_dir: context.probeFolder };
  const abort = () => void process.terminate(context.graceMs);
  context.signal.addEventListener('abort', abort, { once: true });
  try {
    const messages: CommandContext = { ...context, message: () => {} };
    readSettings(await ask(process, command, messages, getinfo(searchinfo), '', command.maxwait), context);
  } catch (error) {
    // The real run meets the same and tells it.
    context.log(
      'WARN',
      'ChunkedExternProcessor',
      `getinfo of '${command.name}' before the run: ${(error as Error).message}`,
    );
  } finally {
    context.signal.removeEventListener('abort', abort);
    void process.end(context.graceMs);
  }
}

function getinfo(searchinfo: Record<string, unknown>): Record<string, unknown> {
  return { action: 'getinfo', preview: false, streaming_command_will_restart: false, searchinfo };
}

function start(command: CustomCommand, context: CommandContext): CommandProcess {
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
  context: CommandContext,
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
function inspect(inspector: unknown, context: CommandContext): void {
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

function readSettings(reply: Chunk, context: CommandContext): { body: string; maxwait: number | undefined } {
  const { type = 'streaming', generating, required_fields: required, maxwait } = reply.metadata;
  context.log('INFO', 'ChunkedExternProcessor', `getinfo: ${JSON.stringify(reply.metadata)}`);
  if (!['streaming', 'stateful', 'events', 'reporting'].includes(String(type)))
    throw new CommandFailure(`'${type}' is not a type of command.`);
  if (generating !== true && reply.metadata.finished !== true)
    throw new CommandFailure('The command is not generating, so it cannot be the first of a search.');
  const fields = Array.isArray(required) ? required.map(String) : [];
  const header = [...fields, '_chunked_idx', ...fields.map((name) => `__mv_${name}`)];
  return {
    body: fields.length === 0 ? '' : `${header.map((name) => `"${name.replaceAll('"', '""')}"`).join(',')}\n`,
    maxwait: typeof maxwait === 'number' && maxwait >= 0 ? maxwait : undefined,
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

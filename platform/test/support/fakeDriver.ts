import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DriverConfig } from '../../src/drivers/restmap.ts';
import type { PlatformLog } from '../../src/home/log.ts';

/**
 * A driver written by hand from the protocol's description. What it does with a request stands in the request: the
 * block itself, or the JSON in its payload.
 */
const SOURCE = String.raw`
import { closeSync, readSync, writeSync } from 'node:fs';

const input = Buffer.alloc(1);
const byte = () => (readSync(0, input, 0, 1) === 1 ? input[0] : -1);
const number = () => {
  let text = '';
  for (;;) {
    const next = byte();
    if (next < 0) process.exit(9);
    if (next === 10) {
      if (text !== '') return Number(text);
    } else text += String.fromCharCode(next);
  }
};
const string = () => {
  const size = number();
  const bytes = Buffer.alloc(size);
  for (let done = 0; done < size; ) {
    const count = readSync(0, bytes, done, size - done);
    if (count === 0) process.exit(9);
    done += count;
  }
  return bytes.toString('utf8');
};
const write = (text) => {
  const bytes = Buffer.from(text, 'utf8');
  for (let done = 0; done < bytes.length; ) done += writeSync(1, bytes, done);
};
const frame = (text) => Buffer.byteLength(text) + '\n' + text;
const wait = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
const env = (names) => Object.fromEntries(names.map((name) => [name, process.env[name]]));

let served = 0;
for (;;) {
  const opcode = byte();
  if (opcode < 0) {
    if (process.argv.includes('--linger')) wait(60000);
    process.exit(0);
  }
  if (opcode === 10) continue;
  const command = [];
  for (let count = number(); count > 0; count -= 1) command.push(string());
  const commandArg = string();
  const raw = string();
  const block = JSON.parse(raw);
  const asked = block.payload ? JSON.parse(block.payload) : block;
  served += 1;
  const echo = { opcode, command, commandArg, block, served, pid: process.pid, cwd: process.cwd(), argv: process.argv.slice(2) };
  if (asked.env) echo.env = env(asked.env);
  const reply = frame(asked.text ?? JSON.stringify(asked.reply ?? { payload: echo }));
  switch (asked.do) {
    case 'exit': write('0\n'); process.exit(asked.code ?? 3); break;
    case 'reply then exit': write('0\n' + reply); process.exit(0); break;
    case 'kill': process.kill(process.pid, 'SIGKILL'); wait(5000); break;
    case 'raw': write(asked.bytes); break;
    case 'load error': write(frame(asked.error) + '0\n'); break;
    case 'load error, then exit': write(frame(asked.error)); process.exit(1); break;
    case 'half': write('0\n100\n{"status":'); process.exit(0); break;
    case 'hang': wait(60000); break;
    case 'close stdout': closeSync(1); wait(60000); break;
    case 'slow': wait(asked.ms); write('0\n' + reply); break;
    case 'huge': write('0\n' + frame(JSON.stringify({ payload: 'ä'.repeat(asked.size / 2) }))); break;
    case 'split': for (const one of Buffer.from('0\n' + reply)) { writeSync(1, Buffer.of(one)); wait(1); } break;
    case 'newlines': write('\n\n0\n\n' + reply + '\n\n'); break;
    case 'stray after': write('0\n' + reply + asked.bytes); break;
    case 'stderr': writeSync(2, asked.bytes); write('0\n' + reply); break;
    default: write('0\n' + reply);
  }
}
`;

/** A fake driver's report about a request. */
export interface Echo {
  opcode: number;
  command: string[];
  commandArg: string;
  block: Record<string, unknown>;
  served: number;
  pid: number;
  cwd: string;
  argv: string[];
  env?: Record<string, string>;
}

export interface FakeDriver {
  dir: string;
  script: string;
  config(...args: string[]): DriverConfig;
  remove(): void;
}

export function createFakeDriver(): FakeDriver {
  const dir = mkdtempSync(join(tmpdir(), 'driver-'));
  const script = join(dir, 'driver.mjs');
  writeFileSync(script, SOURCE);
  return {
    dir,
    script,
    config: (...args) => ({ path: process.execPath, args: [script, ...args], env: {} }),
    remove: () => rmSync(dir, { recursive: true, force: true }),
  };
}

export class MemoryLog implements PlatformLog {
  readonly lines: string[] = [];
  write(level: string, component: string, message: string): void {
    this.lines.push(`${level} ${component} ${message}`);
  }
}

/** The error a promise rejects with. */
export async function failure(promise: Promise<unknown>): Promise<Error> {
  try {
    await promise;
  } catch (error) {
    return error as Error;
  }
  throw new Error('did not fail');
}

import { readFileSync } from 'node:fs';
import type { MlExtension } from '../client.ts';
import { MlExtensionError, TransportError } from '../errors.ts';
import { codeOf } from '../untrusted.ts';
import { certificateRemedy } from './certificates.ts';
import { connect } from './connect.ts';
import { doctor } from './doctor/doctor.ts';
import { exportRecords } from './exporting.ts';
import { apply, plan } from './importing.ts';
import { status } from './status.ts';
import { plain, processTerminal, type Terminal } from './terminal.ts';
import { test } from './testing.ts';
import { type Arguments, type Command, HELP, readArguments, UsageError } from './usage.ts';

const RUN: Readonly<
  Record<Exclude<Command, 'doctor'>, (ml: MlExtension, args: Arguments, terminal: Terminal) => Promise<number>>
> = {
  export: exportRecords,
  plan,
  apply,
  test,
  status,
};

/** @returns the exit code */
export async function main(argv: readonly string[]): Promise<number> {
  const terminal = processTerminal();
  try {
    const [first] = argv;
    if (first === undefined || first === '--help' || first === '-h') terminal.out(HELP.mlx.trimEnd());
    else if (first === '--version') terminal.out(version());
    else return await run(readArguments(argv), terminal);
    return first === undefined ? 1 : 0;
  } catch (error) {
    for (const line of describeError(error)) terminal.note(line);
    return 1;
  }
}

async function run(args: Arguments, terminal: Terminal): Promise<number> {
  if (args.help) {
    terminal.out(HELP[args.command].trimEnd());
    return 0;
  }
  const { command } = args;
  if (command === 'doctor') return doctor(args, terminal, version());
  return RUN[command](await connect(args, terminal), args, terminal);
}

function version(): string {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  return String(version);
}

function describeError(error: unknown): string[] {
  if (error instanceof UsageError) return [`mlx: ${plain(error.message)}`];
  if (error instanceof MlExtensionError) {
    const fields = error.errors.map(({ field, message }) => `    ${field}: ${message}`);
    const what = fields.length > 0 ? 'The request is invalid:' : error.message;
    const about = [error.remedy, error.requestId === undefined ? undefined : `Request id: ${error.requestId}`];
    return [`mlx: ${what}`, ...fields, ...about.flatMap((line) => line ?? [])].map(plain);
  }
  if (error instanceof TransportError) {
    const remedy = certificateRemedy(codeOf(error.cause));
    const hint = error.mayBeDone ? ['Some changes may have been made. Run the same command again to continue.'] : [];
    return [plain(`mlx: ${error.message}`), ...(remedy === undefined ? [] : [remedy]), ...hint];
  }
  if (error instanceof Error) return [plain(`mlx: ${error.message}`)];
  return ['mlx: unknown error'];
}

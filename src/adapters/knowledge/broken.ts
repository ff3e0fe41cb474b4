import { Fault } from '../../contract/codes/faults.ts';
import { SQLITE, sqliteCode } from '../sqlite.ts';

/** A file that cannot be read as this version writes it: it is made again from the store. */
export class BrokenFile extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'BrokenFile';
  }
}

const BROKEN: readonly (number | undefined)[] = [SQLITE.ERROR, SQLITE.CORRUPT, SQLITE.NOT_A_DATABASE];
/** Codes of files that are missing or shorter than they were. */
const MISSING = ['ENOENT', 'EISDIR', 'ENOTDIR'];

/** Whether another attempt, with a new file, can help. */
export const isBroken = (error: unknown): boolean =>
  error instanceof BrokenFile ||
  BROKEN.includes(sqliteCode(error)) ||
  MISSING.includes((error as NodeJS.ErrnoException).code ?? '');

/** The error as a failure of this machine, such as a full disk. */
export function asFault(error: unknown, folder: string): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (sqliteCode(error) === undefined && !(code?.startsWith('E') && !code.startsWith('ERR_'))) return error;
  const text = `Passages cannot be kept in ${folder}: ${message}. The account of splunkd must be able to write there.`;
  return new Fault('store_unavailable', text, {}, { cause: error });
}

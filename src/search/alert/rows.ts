import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { withoutHidden } from '../../contract/families/alerts.ts';
import { ChunkError } from '../chunks.ts';
import { CsvTable } from '../csvTable.ts';
import { rowsOf } from '../rows.ts';

/** A value of a field as text, or the values of a multivalue field. */
type AlertCell = string | readonly string[];
export type AlertRow = Readonly<Record<string, AlertCell>>;

/** The rows of an alert that this process hands over, and how many there were. */
export interface AlertRows {
  rows: readonly AlertRow[];
  count: number;
}

/** The file of the rows cannot be read. */
export class ResultsError extends Error {
  override readonly name = 'ResultsError';
}

/** Largest unpacked file; the platform writes at most 50,000 rows. */
const MAX_BYTES = 256 * 1024 * 1024;

/**
 * The first rows of the platform's results file, gzip or plain.
 * @param most rows that are returned; the others are counted
 * @returns undefined if there is no such file, or it has not even a header
 * @throws ResultsError
 */
export async function readResults(path: string, most: number): Promise<AlertRows | undefined> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new ResultsError(`results_file cannot be read (${error.code ?? error.name})`);
  });
  if (bytes === undefined) return undefined;
  try {
    const table = new CsvTable((await unpacked(bytes)).toString('utf8'));
    if (table.fields.length === 0) return undefined;
    return { rows: rowsOf(table, most).map((row) => withoutHidden(row as AlertRow)), count: table.count };
  } catch (error) {
    if (error instanceof ChunkError) throw new ResultsError(`results_file is not CSV: ${error.message}`);
    throw error;
  }
}

/** @throws ResultsError */
async function unpacked(bytes: Buffer): Promise<Buffer> {
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
  if (!isPacked && bytes.length > MAX_BYTES) throw tooLarge();
  try {
    return isPacked ? await promisify(gunzip)(bytes, { maxOutputLength: MAX_BYTES }) : bytes;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge();
    throw new ResultsError(`results_file cannot be unpacked (${code})`);
  }
}

const tooLarge = (): ResultsError =>
  new ResultsError(`results_file has more than ${MAX_BYTES} bytes: have the search return fewer fields or rows`);

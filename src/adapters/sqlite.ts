export type Sqlite = typeof import('node:sqlite');

let loaded: Sqlite | undefined;

/** Loads the module without the warning that it is experimental, which would be a line in the platform's log. */
export function sqlite(): Sqlite {
  if (loaded) return loaded;
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    loaded = process.getBuiltinModule('node:sqlite');
  } finally {
    process.emitWarning = emitWarning;
  }
  return loaded;
}

/** Result codes of SQLite, without their extensions. */
export const SQLITE = { ERROR: 1, BUSY: 5, CORRUPT: 11, CANNOT_OPEN: 14, NOT_A_DATABASE: 26 } as const;

/** The code of an error of SQLite; undefined for any other error. */
export function sqliteCode(error: unknown): number | undefined {
  const code = (error as { errcode?: unknown }).errcode;
  return typeof code === 'number' ? code & 0xff : undefined;
}

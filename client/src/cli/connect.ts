import { readFileSync } from 'node:fs';
import { MlExtension } from '../client.ts';
import type { Credentials } from '../options.ts';
import { nodeFetch, type Trust } from './nodeFetch.ts';
import { askSecretly } from './prompt.ts';
import type { Terminal } from './terminal.ts';
import { type Arguments, UsageError } from './usage.ts';

export const DEFAULT_URL = 'https://localhost:8089';

/** @throws UsageError */
export async function connect(args: Arguments, terminal: Terminal): Promise<MlExtension> {
  const { ML_URL } = process.env;
  const baseUrl = args.url ?? (ML_URL || DEFAULT_URL);
  const auth = await credentials(args, terminal);
  const fetch = nodeFetch(trustOf(args));
  try {
    return new MlExtension({ baseUrl, auth, fetch });
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(error.message.replace('baseUrl', '--url'));
    throw error;
  }
}

/** @throws UsageError */
export function trustOf({ ca, insecure }: Arguments): Trust {
  return { ...(ca === undefined ? {} : { ca: read(ca) }), isVerified: insecure !== true };
}

/** @throws UsageError */
export async function credentials({ user }: Arguments, terminal: Terminal): Promise<Credentials> {
  const { ML_TOKEN, ML_USER, ML_PASSWORD } = process.env;
  if (user === undefined && ML_TOKEN) return { token: ML_TOKEN };
  const username = user ?? ML_USER;
  if (!username) throw new UsageError('No credentials: set ML_TOKEN or pass --user');
  if (ML_PASSWORD) return { username, password: ML_PASSWORD };
  if (!terminal.isInteractive) throw new UsageError('Cannot ask for the password without a terminal: set ML_PASSWORD');
  return { username, password: await askSecretly(`Password of ${username}: `) };
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${file} cannot be read (${(error as { code?: string }).code})`);
  }
}

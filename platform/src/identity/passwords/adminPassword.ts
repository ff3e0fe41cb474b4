import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomic } from '../../home/atomicFile.ts';
import type { Identity } from '../identity.ts';

const ADMIN = { realname: 'Administrator', email: 'changeme@example.com', roles: ['admin'] };

/** The file of a generated password, and whether this start created it. */
export interface GeneratedPassword {
  file: string;
  fresh: boolean;
}

/**
 * Makes sure that `admin` exists. Sets a configured password; without one, the first start generates it into a file of
 * mode 600.
 */
export async function ensureAdmin(
  identity: Identity,
  folder: string,
  configuredPassword: string | undefined,
): Promise<GeneratedPassword | undefined> {
  const file = join(folder, 'admin.password');
  const admin = identity.users.get('admin');
  if (configuredPassword === undefined) {
    if (admin !== undefined) return (await stillValid(identity, file)) ? { file, fresh: false } : undefined;
    const password = randomBytes(18).toString('base64url');
    // Write the file first: after a crash in between there is no admin, and the next start creates both.
    writeFileAtomic(file, `${password}\n`, 0o600);
    await identity.users.create('admin', password, ADMIN);
    return { file, fresh: true };
  }
  if (admin === undefined) await identity.users.create('admin', configuredPassword, ADMIN);
  else if (!(await identity.users.verify('admin', configuredPassword))) {
    await identity.users.update('admin', { password: configuredPassword });
    identity.passwordChanged('admin');
  }
  return undefined;
}

async function stillValid(identity: Identity, file: string): Promise<boolean> {
  try {
    return await identity.users.verify('admin', readFileSync(file, 'utf8').trim());
  } catch {
    return false;
  }
}

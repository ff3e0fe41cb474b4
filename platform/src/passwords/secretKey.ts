import { hkdfSync, randomBytes } from 'node:crypto';
import { chmodSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The key of the password storage, from `$SPLUNK_HOME/etc/auth/splunk.secret`; the first start creates it. */
export function secretKey(home: string): Buffer {
  const dir = join(home, 'etc', 'auth');
  const file = join(dir, 'splunk.secret');
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const secret = read(file) ?? create(file);
  if (secret.length < 16) throw new Error(`${file} is too short to be a secret`);
  chmodSync(file, 0o600);
  return Buffer.from(hkdfSync('sha256', secret, '', 'embedded platform storage/passwords', 32));
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Linked into place complete, so that two concurrent first starts end up with the same secret. */
function create(file: string): string {
  const temporary = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  writeFileSync(temporary, randomBytes(190).toString('base64url'), { mode: 0o600, flag: 'wx', flush: true });
  try {
    linkSync(temporary, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
  return readFileSync(file, 'utf8').trim();
}

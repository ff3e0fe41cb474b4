import { hkdfSync } from 'node:crypto';
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { readSecretFile } from '../home/secretFile.ts';

/** The key of the password storage, from `$SPLUNK_HOME/etc/auth/splunk.secret`; the first start creates it. */
export function secretKey(home: string): Buffer {
  const dir = join(home, 'etc', 'auth');
  const file = join(dir, 'splunk.secret');
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const secret = readSecretFile(file);
  if (secret.length < 16) throw new Error(`${file} is too short to be a secret`);
  chmodSync(file, 0o600);
  return Buffer.from(hkdfSync('sha256', secret, '', 'embedded platform storage/passwords', 32));
}

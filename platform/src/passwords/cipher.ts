import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const PREFIX = '$7$';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** AES-256-GCM. `context` identifies the entry, so a ciphertext moved to another entry cannot be decrypted. */
export function seal(key: Buffer, context: string, clear: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(context));
  const body = Buffer.concat([cipher.update(clear, 'utf8'), cipher.final()]);
  return PREFIX + Buffer.concat([iv, body, cipher.getAuthTag()]).toString('base64');
}

/** Undefined if the text has another key or entry, or is damaged. */
export function open(key: Buffer, context: string, sealed: string): string | undefined {
  if (!sealed.startsWith(PREFIX)) return undefined;
  const bytes = Buffer.from(sealed.slice(PREFIX.length), 'base64');
  if (bytes.length < IV_BYTES + TAG_BYTES) return undefined;
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(-TAG_BYTES));
    const clear = decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES));
    return Buffer.concat([clear, decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}

import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';

const COST: ScryptOptions = { N: 16384, r: 8, p: 1 };
const LENGTH = 32;

function derive(password: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password, salt, LENGTH, COST, (error, key) => (error === null ? resolve(key) : reject(error)));
  });
}

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  return `scrypt$${salt.toString('base64')}$${(await derive(password, salt)).toString('base64')}`;
}

/** Also does the whole work for an unknown user (`stored` undefined): the time tells nobody which names exist. */
export async function checkPassword(password: string, stored: string | undefined): Promise<boolean> {
  const [, salt = '', key = ''] = (stored ?? '').split('$');
  const wanted = Buffer.from(key, 'base64');
  const found = await derive(password, Buffer.from(salt, 'base64'));
  return wanted.length === LENGTH && timingSafeEqual(found, wanted);
}

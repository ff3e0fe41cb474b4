import { createHmac, randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';

const COST: ScryptOptions = { N: 16384, r: 8, p: 1 };
const LENGTH = 32;

function derive(password: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password, salt, LENGTH, COST, (error, key) => (error === null ? resolve(key) : reject(error)));
  });
}

export class PasswordHashes {
  /** A key of this process. */
  readonly #key = randomBytes(32);
  /** MACs of passwords that were verified, since scrypt costs 50 ms. */
  readonly #verified = new Map<string, Buffer>();

  async hash(password: string): Promise<string> {
    const salt = randomBytes(16);
    const hash = `scrypt$${salt.toString('base64')}$${(await derive(password, salt)).toString('base64')}`;
    this.#verified.set(hash, this.#mac(hash, password));
    return hash;
  }

  /** Also runs for an unknown user (`hash` undefined), so that timing does not reveal which names exist. */
  async check(password: string, hash = ''): Promise<boolean> {
    const mac = this.#mac(hash, password);
    const verified = this.#verified.get(hash);
    if (verified !== undefined && timingSafeEqual(verified, mac)) return true;
    const [, salt = '', key = ''] = hash.split('$');
    const expected = Buffer.from(key, 'base64');
    const actual = await derive(password, Buffer.from(salt, 'base64'));
    const isRight = expected.length === LENGTH && timingSafeEqual(actual, expected);
    if (isRight) this.#verified.set(hash, mac);
    return isRight;
  }

  #mac(hash: string, password: string): Buffer {
    return createHmac('sha256', this.#key).update(`${hash}\0${password}`).digest();
  }
}

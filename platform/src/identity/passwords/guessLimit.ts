import { PlatformError } from '../../http/reply.ts';
import { hashKey } from '../sessions.ts';

/** Wrong passwords of a name in a row before the next one must wait. */
const FREE_GUESSES = 5;
const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 60_000;
/** Names remembered; the one whose last guess is oldest is forgotten first. */
const MAX_NAMES = 10_000;

/** 401, as splunkd answers for a user that it locked out. */
export class MustWait extends PlatformError {
  constructor(seconds: number) {
    super(401, `Too many wrong passwords for this user name. Try again in ${seconds} s.`, 'WARN', [
      ['Retry-After', String(seconds)],
    ]);
  }
}

/** Slows down guessing of passwords: after some wrong ones each further one doubles the wait for that name. */
export class GuessLimit {
  readonly #now: () => number;
  readonly #names = new Map<string, { wrong: number; until: number }>();
  readonly #running = new Map<string, Promise<unknown>>();

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /**
   * Checks a password, one of a name at a time, so that parallel guesses count too.
   * @param check false or undefined for a wrong password
   * @throws MustWait without a check, which would tell whether the password is right
   */
  async limit<T>(name: string, check: () => Promise<T>): Promise<T> {
    // Hashed, since names are as long as the caller likes.
    const key = hashKey(name.toLowerCase());
    const earlier = this.#running.get(key) ?? Promise.resolve();
    const mine = earlier.catch(() => undefined).then(() => this.#check(key, check));
    this.#running.set(key, mine);
    try {
      return await mine;
    } finally {
      if (this.#running.get(key) === mine) this.#running.delete(key);
    }
  }

  async #check<T>(key: string, check: () => Promise<T>): Promise<T> {
    const { wrong, until } = this.#names.get(key) ?? { wrong: 0, until: 0 };
    const left = until - this.#now();
    if (left > 0) throw new MustWait(Math.ceil(left / 1000));
    const result = await check();
    this.#names.delete(key);
    if (result) return result;
    const wait = wrong + 1 < FREE_GUESSES ? 0 : FIRST_WAIT_MS * 2 ** (wrong + 1 - FREE_GUESSES);
    this.#names.set(key, { wrong: wrong + 1, until: this.#now() + Math.min(wait, MAX_WAIT_MS) });
    const [oldest] = this.#names.keys();
    if (this.#names.size > MAX_NAMES && oldest !== undefined) this.#names.delete(oldest);
    return result;
  }
}

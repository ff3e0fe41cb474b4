import { createHash, timingSafeEqual } from 'node:crypto';
import type { SecretStore } from '../../ports/secretStore.ts';
import type { Secrets } from '../secrets.ts';

/** A secret store that reads from another one and keeps to itself what it is given. */
export class RehearsedSecrets implements SecretStore {
  readonly #store: SecretStore;
  readonly #written = new Map<string, string>();
  readonly #read = new Map<string, Promise<string | undefined>>();

  constructor(store: SecretStore) {
    this.#store = store;
  }

  reference(family: string, value: string): string {
    return this.#store.reference(family, value);
  }

  async put(ref: string, value: string): Promise<void> {
    this.#written.set(ref, value);
  }

  async get(ref: string): Promise<string | undefined> {
    const written = this.#written.get(ref);
    if (written !== undefined) return written;
    const reading = this.#read.get(ref) ?? this.#store.get(ref);
    this.#read.set(ref, reading);
    return reading;
  }

  /** Nothing goes: what a record had before is still to be compared with what it would have. */
  async remove(): Promise<boolean> {
    return true;
  }

  status(): Promise<string> {
    return this.#store.status();
  }

  /** Paths whose values differ between two references. What cannot be read differs. */
  async changed(before: string | null, after: string | null): Promise<string[]> {
    const [old, now] = await Promise.all([this.#open(before), this.#open(after)]);
    const paths = [...new Set([...Object.keys(old), ...Object.keys(now)])];
    return paths.filter((path) => !isSame(old[path], now[path])).sort();
  }

  async #open(ref: string | null): Promise<Secrets> {
    const text = ref === null ? undefined : await this.get(ref);
    return text === undefined ? {} : (JSON.parse(text) as Secrets);
  }
}

/** Takes as long for a value that is nearly right as for one that is all wrong. */
function isSame(a: string | undefined, b: string | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return timingSafeEqual(digest(a), digest(b));
}

const digest = (text: string) => createHash('sha256').update(text).digest();

import type { Secrets } from './secrets.ts';

/**
 * A record and its secrets in the clear, both of one reading. Where a secret goes is to be taken from this record and from
 * no other: between two readings somebody may have changed the address and the secret. Lives as long as the call.
 */
export class Unsealed<R> {
  readonly record: R;
  readonly secrets: Readonly<Secrets>;

  constructor(record: R, secrets: Secrets) {
    this.record = record;
    this.secrets = Object.freeze({ ...secrets });
    Object.freeze(this);
  }

  /** What must not appear in anything said about a call: every secret of the record, as the schema marks them. */
  get hidden(): string[] {
    return Object.values(this.secrets);
  }

  /** Secrets do not get into logs and JSON by accident. */
  toJSON(): string {
    return '[unsealed]';
  }
}

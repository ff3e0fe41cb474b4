import type { Unsealed } from '../domain/records/sealedRecord.ts';
import type { Secrets } from '../domain/secrets/secrets.ts';
import type { FamilyFields } from './kind.ts';
import type { Resource } from './records.ts';

/** The target of a test: a record as it is or would be, with its secrets in the clear. Lives as long as the call. */
export class Target<R extends Resource> {
  readonly record: FamilyFields<R>;
  readonly secrets: Readonly<Secrets>;
  /** What must not appear in anything said about the call. */
  readonly hidden: readonly string[];
  /** The saved record, if it is tested as it is; undefined for sent fields, after which nothing is written. */
  readonly saved: R | undefined;
  readonly warnings: readonly string[];

  private constructor(unsealed: Unsealed<FamilyFields<R>>, saved: R | undefined, warnings: readonly string[]) {
    this.record = unsealed.record;
    this.secrets = unsealed.secrets;
    this.hidden = unsealed.hidden;
    this.saved = saved;
    this.warnings = warnings;
  }

  /** Address and secrets of one reading. */
  static saved<R extends Resource>(unsealed: Unsealed<R>): Target<R> {
    return new Target<R>(unsealed, unsealed.record, []);
  }

  static draft<R extends Resource>(unsealed: Unsealed<FamilyFields<R>>, warnings: readonly string[]): Target<R> {
    return new Target<R>(unsealed, undefined, warnings);
  }

  /** Secrets do not get into logs and JSON by accident. */
  toJSON(): string {
    return '[target]';
  }
}

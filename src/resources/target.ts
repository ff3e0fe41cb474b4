import type { UnsealedRecord } from '../domain/records/sealedRecord.ts';
import type { Secrets } from '../domain/secrets/secrets.ts';
import type { FamilyFields } from './kind.ts';
import type { Resource } from './records.ts';

/** The record to test, saved or not, with its secrets in plain text. */
export class Target<R extends Resource> {
  readonly record: FamilyFields<R>;
  readonly secrets: Readonly<Secrets>;
  /** Values that must not appear in messages and logs. */
  readonly hidden: readonly string[];
  /** The saved record; undefined for a test of unsaved fields, whose result is not stored. */
  readonly saved: R | undefined;
  readonly warnings: readonly string[];

  private constructor(
    { record, secrets, hidden }: Pick<UnsealedRecord<FamilyFields<R>>, 'record' | 'secrets' | 'hidden'>,
    saved: R | undefined,
    warnings: readonly string[],
  ) {
    this.record = record;
    this.secrets = secrets;
    this.hidden = hidden;
    this.saved = saved;
    this.warnings = warnings;
  }

  static saved<R extends Resource>(unsealed: UnsealedRecord<R>): Target<R> {
    return new Target<R>(unsealed, unsealed.record, []);
  }

  static draft<R extends Resource>(unsealed: UnsealedRecord<FamilyFields<R>>, warnings: readonly string[]): Target<R> {
    return new Target<R>(unsealed, undefined, warnings);
  }

  /** The same, which hides the secrets of another reading too. */
  hiding({ hidden }: Pick<Target<R>, 'hidden'>): Target<R> {
    const { record, secrets } = this;
    const hiddenTexts = [...new Set([...this.hidden, ...hidden])];
    return new Target<R>({ record, secrets, hidden: hiddenTexts }, this.saved, this.warnings);
  }

  /** Keeps secrets out of logs. */
  toJSON(): string {
    return '[target]';
  }
}

import type { LastTest } from '../contract/schemas/common.ts';
import type { Plan } from '../domain/records/sealedRecord.ts';
import type { SubmittedSecrets } from '../domain/secrets/secrets.ts';
import type { FamilyFields } from './kind.ts';
import type { Resource } from './records.ts';
import type { Target } from './target.ts';

/** A body with its secrets separated. */
export interface ParsedBody<F> {
  open: F;
  submitted: SubmittedSecrets;
}

/** A body and the record that it would create. */
export interface RecordDraft<R extends Resource, F> {
  body: ParsedBody<F>;
  target: Target<R>;
}

/** The result of a test, to be saved with the record. */
export interface TestResult<R extends Resource> {
  last_test?: LastTest | undefined;
  /** Fields that only the server writes. @param own the record as it will be otherwise */
  discovered?: ((record: FamilyFields<R>) => Partial<FamilyFields<R>>) | undefined;
}

export interface Terms {
  /** The version that the caller read. */
  condition: number | undefined;
  /** Ignores users of the record. */
  force?: boolean | undefined;
}

export interface UpdateTerms<R extends Resource> extends Terms, TestResult<R> {
  /** The record, if already read. */
  seen?: R | undefined;
  /** Receives warnings about the record. */
  warnings?: string[] | undefined;
}

/** A merged and checked update, not saved yet. */
export interface PlannedUpdate<R extends Resource> {
  plan: Plan<R>;
  actor: string;
  /** Warnings of the last merge. */
  warnings: readonly string[];
}

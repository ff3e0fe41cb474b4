import type { LastTest } from '../contract/schemas/common.ts';
import type { Plan } from '../domain/records/sealedRecord.ts';
import type { SubmittedSecrets } from '../domain/secrets/secrets.ts';
import type { FamilyFields } from './kind.ts';
import type { Resource } from './records.ts';
import type { Target } from './target.ts';

/** A body that was read, with its secrets separated from the rest. */
export interface ParsedBody<F> {
  open: F;
  submitted: SubmittedSecrets;
}

/** A body, and the record that it would make. */
export interface RecordDraft<R extends Resource, F> {
  body: ParsedBody<F>;
  target: Target<R>;
}

/** What a test of a record found, to be saved with it. */
export interface TestResult<R extends Resource> {
  last_test?: LastTest | undefined;
  /** Fields that only the server writes. @param own the record as it will be otherwise */
  discovered?: ((record: FamilyFields<R>) => Partial<FamilyFields<R>>) | undefined;
}

/** How an update or a removal is made. */
export interface Terms {
  /** The version that the caller read. */
  condition: number | undefined;
  /** Done although something still uses the record. */
  force?: boolean | undefined;
}

export interface UpdateTerms<R extends Resource> extends Terms, TestResult<R> {
  /** The record, if it was read already. */
  seen?: R | undefined;
  /** Takes warnings about the record. */
  warnings?: string[] | undefined;
}

/** An update that was merged and checked, and can still be tested before it is saved. */
export interface PlannedUpdate<R extends Resource> {
  plan: Plan<R>;
  actor: string;
  /** Those of the last record that the change was merged into. */
  warnings: readonly string[];
}

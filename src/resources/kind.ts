import type { Caller } from '../contract/caller.ts';
import type { Acl, AclInput } from '../contract/common.ts';
import type { Problem } from '../contract/faults.ts';
import type { Metadata, Open, SealSpec } from '../domain/sealed.ts';
import type { SecretChange } from '../domain/secrets.ts';
import type { RecordStore } from '../ports/recordStore.ts';
import type { Tested } from './records.ts';

/** A record with secrets and an access list, and with what its last test found. */
export interface Resource extends Tested {
  acl: Acl;
}

/** What the family keeps of a record: all but what the kernel keeps. */
export type Own<R extends Resource> = Omit<Open<R>, '_key' | 'acl' | 'last_test'>;

/** The fields of a body, secrets apart: of a create, an update or a test, so none of them need be there. */
export interface Fields {
  acl?: AclInput | undefined;
}

/** What every read shows; the family's view has the rest. */
export type Shown = Metadata & Pick<Resource, 'acl' | 'last_test'>;

/**
 * What is particular to one kind of record with secrets and an access list. `Resources` does the rest, with the secrets that
 * the family's schema marks.
 */
export interface ResourceKind<R extends Resource, F extends Fields, V extends Shown> extends SealSpec<R> {
  /** What a list can be sorted by. */
  sortKeys: readonly string[];
  /** Sort keys that are worked out of other fields. */
  derived?: { fields: readonly (keyof R & string)[]; of(record: R, now: number): object };
  /** Checks a body before anything is made of it. @throws Fault `validation_failed` */
  assertReadable?(sent: F): void;
  /** Applies what is sent to the stored record, or to nothing. @throws Fault `validation_failed` for what cannot be changed */
  merge(base: R | undefined, sent: F): Own<R>;
  /**
   * Everything that is wrong with a whole record beyond its schema.
   * @param warnings takes what is worth saying although nothing is wrong
   */
  problems(next: Own<R>, secrets: SecretChange, warnings: string[]): Problem[];
  /** What the server itself had learned, and what of it still holds for the record as it will be. @param now epoch seconds */
  settle?(next: Own<R>, before: R | undefined, secrets: SecretChange, now: number): Own<R>;
  /** What a read shows beside access list, metadata and last test; secrets are masked after it. @param now epoch seconds */
  view(record: R, now: number): Omit<V, keyof Shown>;
  /** Whether a test is given something to try, or only the name of a saved record. */
  gives(sent: F): boolean;
  /** What is missing for a test of what is sent, without a saved record. */
  missing(sent: F): Problem[];
  /** What a test states about the saved record although it is not so. */
  contradictions?(record: R, sent: F): Problem[];
  /** @throws Fault `in_use` */
  assertUnused?(records: RecordStore, caller: Caller, record: R): Promise<void>;
}

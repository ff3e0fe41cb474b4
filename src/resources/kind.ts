import type { Caller } from '../contract/caller.ts';
import type { Problem } from '../contract/codes/faults.ts';
import type { Metadata, Open, SealSpec } from '../domain/records/sealedRecord.ts';
import type { KeysOf, SecretChange } from '../domain/secrets/secrets.ts';
import type { RecordStore } from '../ports/stores/recordStore.ts';
import type { Access } from './access.ts';
import type { Derived, Resource } from './records.ts';

/** What the family keeps of a record: all but what the kernel keeps. */
export type Own<R extends Resource> = Omit<Open<R>, '_key' | 'acl' | 'last_test'>;

/** What a merge may depend on beside the stored record and the body. */
export interface MergeContext {
  secrets: SecretChange;
  /** Epoch seconds. */
  now: number;
  /** Takes what is worth saying about the change. */
  warnings: string[];
}

/** What every read shows, beside the access list of a kind that has one; the family's view has the rest. */
export type Shown = Metadata & Pick<Resource, 'last_test'>;

/**
 * What is particular to one kind of record with secrets. `Resources` does the rest, with the secrets that the family's schema
 * marks.
 * @template F the fields of a body, secrets apart: of a create, an update or a test, so few of them need be there
 * @template V a record as a read shows it
 */
export interface ResourceKind<R extends Resource, F extends object, V extends Shown>
  extends Omit<SealSpec<R>, 'audited'> {
  access: Access<R, F>;
  /** The field that names a record. `name` unless this says otherwise. */
  nameField?: string;
  derived?: Derived<R>;
  /** Checks a body before anything is made of it. @throws Fault `validation_failed` */
  assertReadable?(sent: F): void;
  /** Applies what is sent to the stored record, or to nothing. @throws Fault `validation_failed` for what cannot be changed */
  merge(base: R | undefined, sent: F, context: MergeContext): Own<R>;
  /**
   * Everything that is wrong with a whole record beyond its schema. Also asked of the record under its lease.
   * @param warnings takes what is worth saying although nothing is wrong
   */
  problems(next: Own<R>, secrets: SecretChange, warnings: string[]): Problem[] | Promise<Problem[]>;
  /** What the server itself had learned, and what of it still holds for the record as it will be. @param now epoch seconds */
  settle?(next: Own<R>, before: R | undefined, secrets: SecretChange, now: number): Own<R>;
  /** What a read shows beside access list, metadata and last test; secrets are masked after it. @param now epoch seconds */
  view(record: R, now: number): Omit<V, keyof Shown | 'acl'>;
  /** The keys in a view that lead to a secret, by its path. The parts of the path unless this says otherwise. */
  keysOf?: KeysOf;
  /** What the audit trail compares. The view unless this says otherwise. */
  audited?(record: R): object;
  /** Whether a test is given something to try, or only the name of a saved record. Always something unless this says otherwise. */
  gives?(sent: F): boolean;
  /** What is missing for a test of what is sent, without a saved record. */
  missing?(sent: F): Problem[];
  /** What a test states about the saved record although it is not so. */
  contradictions?(record: R, sent: F): Problem[];
  /**
   * Whether a change that is otherwise good takes something away from what uses the record. Also asked under the lease.
   * @throws Fault `in_use`, unless the change is forced: then what it does is a warning
   */
  assertMayMove?(
    records: RecordStore,
    before: R,
    next: Own<R>,
    terms: { isForced: boolean; warnings: string[] },
  ): Promise<void>;
  /** @throws Fault `in_use` */
  assertUnused?(records: RecordStore, caller: Caller, record: R): Promise<void>;
}

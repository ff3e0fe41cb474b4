import type { Caller } from '../contract/caller.ts';
import type { Problem } from '../contract/codes/faults.ts';
import type { Metadata, Open, SealSpec } from '../domain/records/sealedRecord.ts';
import type { KeysOf, SecretChange } from '../domain/secrets/secrets.ts';
import type { RecordStore } from '../ports/stores/recordStore.ts';
import type { Access } from './access.ts';
import type { DerivedKey, Resource } from './records.ts';

/** The fields of a stored record that belong to its family. */
export type FamilyFields<R extends Resource> = Omit<Open<R>, '_key' | 'acl' | 'last_test'>;

/** Fields with new values; `undefined` removes one. */
type Changes<T> = { [K in keyof T]?: T[K] | undefined };

export interface MergeContext {
  secrets: SecretChange;
  /** Epoch seconds. */
  now: number;
  /** Receives messages about the change. */
  warnings: string[];
}

/** Fields of every reply. */
export type ReplyFields = Metadata & Pick<Resource, 'last_test'>;

/**
 * Merging, checks and view of one kind of record with secrets; `Resources` does the rest.
 * @template F the fields of a body of a create, an update or a test, without secrets
 * @template V a record in a reply
 */
export interface ResourceKind<R extends Resource, F extends object, V extends ReplyFields>
  extends Omit<SealSpec<R>, 'audited'> {
  access: Access<R, F>;
  /** The field with the name of a record; default: `name`. */
  nameField?: string;
  derived?: DerivedKey<R>;
  /** Checks a body before it is merged. @throws Fault `validation_failed` */
  assertReadable?(body: F): void;
  /**
   * Merges what the plan of the record does not: fields of the result replace those that were merged by the plan.
   * @param merged the fields by the plan
   * @throws Fault `validation_failed` for a field that cannot be changed
   */
  merge?(base: R | undefined, body: F, context: MergeContext, merged: FamilyFields<R>): Changes<FamilyFields<R>>;
  /**
   * Problems of a merged record that its schema cannot express.
   * @param warnings receives messages that do not fail the request
   */
  problems?(next: FamilyFields<R>, secrets: SecretChange, warnings: string[]): Problem[] | Promise<Problem[]>;
  /** Drops discovered fields that the change makes obsolete. @param now epoch seconds */
  carryOver?(next: FamilyFields<R>, before: R | undefined, secrets: SecretChange, now: number): FamilyFields<R>;
  /** The keys of a secret in a view; default: the parts of its path. */
  keysOf?: KeysOf;
  /** Returns the object that the audit trail compares; default: the view. */
  audited?(record: R, view: object): object;
  /** Fields of a reply that the plan of the record does not show. @param now epoch seconds @param planned the fields that it shows */
  view?(record: R, now: number, planned: R): Changes<Omit<V, keyof ReplyFields | 'acl'>>;
  /** Whether the body of a test has more than the name of a saved record; default: yes. */
  hasInlineConfig?(body: F): boolean;
  /** Fields that a test without a saved record needs. */
  missingForTest?(body: F): Problem[];
  /** Fields of a test that contradict the saved record. */
  conflictsWithSaved?(record: R, body: F): Problem[];
  /**
   * Checks that users of the record do not depend on fields that change. Repeated under the lease.
   * @throws Fault `in_use`; a forced change gets a warning instead
   */
  assertMayMove?(
    records: RecordStore,
    before: R,
    next: FamilyFields<R>,
    terms: { isForced: boolean; warnings: string[] },
  ): Promise<void>;
  /** @throws Fault `in_use` */
  assertUnused?(records: RecordStore, caller: Caller, record: R): Promise<void>;
}

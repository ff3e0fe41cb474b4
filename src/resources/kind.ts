import type { Caller } from '../contract/caller.ts';
import type { Problem } from '../contract/codes/faults.ts';
import type { Metadata, Open, SealSpec } from '../domain/records/sealedRecord.ts';
import type { KeysOf, SecretChange } from '../domain/secrets/secrets.ts';
import type { RecordStore } from '../ports/stores/recordStore.ts';
import type { Access } from './access.ts';
import type { Derived, Resource } from './records.ts';

/** The fields of a stored record that belong to its family. */
export type FamilyFields<R extends Resource> = Omit<Open<R>, '_key' | 'acl' | 'last_test'>;

/** For `satisfies`: a view that names every field of its family. */
export type AllFields<V extends Shown> = Record<Exclude<keyof V, keyof Shown | 'acl'>, unknown>;

/** A view. An optional field may be `undefined`, which a reply leaves out. */
type View<V extends Shown> = {
  [K in keyof V as Exclude<K, keyof Shown | 'acl'>]: V[K] | (object extends Pick<V, K> ? undefined : never);
};

/** The result of a merge: it names each field that a body can change, also those that it removes. */
export type Merged<R extends Resource, F> = Omit<FamilyFields<R>, keyof F> & {
  [K in keyof F & keyof FamilyFields<R>]-?:
    | FamilyFields<R>[K]
    | (object extends Pick<FamilyFields<R>, K> ? undefined : never);
};

/** What a merge may depend on beside the stored record and the body. */
export interface MergeContext {
  secrets: SecretChange;
  /** Epoch seconds. */
  now: number;
  /** Takes messages about the change. */
  warnings: string[];
}

/** Fields that every read shows. */
export type Shown = Metadata & Pick<Resource, 'last_test'>;

/**
 * One kind of record with secrets: how it is merged, checked and shown. `Resources` does the rest.
 * @template F the fields of a body of a create, an update or a test, without secrets
 * @template V a record as a read shows it
 */
export interface ResourceKind<R extends Resource, F extends object, V extends Shown>
  extends Omit<SealSpec<R>, 'audited'> {
  access: Access<R, F>;
  /** The field that names a record. `name` unless this says otherwise. */
  nameField?: string;
  derived?: Derived<R>;
  /** Checks a body before it is merged. @throws Fault `validation_failed` */
  assertReadable?(body: F): void;
  /** Merges a body into the stored record. @throws Fault `validation_failed` for a field that cannot be changed */
  merge(base: R | undefined, body: F, context: MergeContext): Merged<R, F>;
  /**
   * Problems of a merged record that its schema cannot express.
   * @param warnings takes messages for the caller that are not a reason to fail
   */
  problems(next: FamilyFields<R>, secrets: SecretChange, warnings: string[]): Problem[] | Promise<Problem[]>;
  /** Drops what the server learned about the former record and is no longer true. @param now epoch seconds */
  carryOver?(next: FamilyFields<R>, before: R | undefined, secrets: SecretChange, now: number): FamilyFields<R>;
  /** The keys in a view that lead to a secret, by its path. The parts of the path unless this says otherwise. */
  keysOf?: KeysOf;
  /** What the audit trail compares. The view unless this says otherwise. */
  audited?(record: R): object;
  /**
   * The fields that a read shows, beside those of every record.
   * @param now epoch seconds
   */
  view(record: R, now: number): View<V>;
  /** Whether a test is sent a configuration, not only the name of a saved record. By default it is. */
  hasInlineConfig?(body: F): boolean;
  /** Fields that a test without a saved record needs. */
  missingForTest?(body: F): Problem[];
  /** Fields of a test that contradict the saved record. */
  conflictsWithSaved?(record: R, body: F): Problem[];
  /**
   * Checks that users of the record do not depend on what a change moves. Repeated under the lease.
   * @throws Fault `in_use`, unless the change is forced: then it is a warning
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

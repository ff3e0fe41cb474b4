import { append } from '../contract/basics.ts';
import type { Caller } from '../contract/caller.ts';
import type { Fault } from '../contract/codes/faults.ts';
import type { AclInput } from '../contract/schemas/common.ts';
import { assertMay, changedAcl, mayRead, newAcl, type WithAcl } from '../domain/access/acl.ts';
import type { Doc, RecordStore } from '../ports/stores/recordStore.ts';

/** Access checks of one kind of records, in addition to the gate of the endpoint. */
export interface Access<R, F = unknown> {
  /** The fields that the checks read. */
  fields: readonly string[];
  mayRead(caller: Caller, record: R): boolean;
  /** @param missing creates the fault for a record that does not exist. @throws Fault */
  assertMay(caller: Caller, right: 'read' | 'write', record: R, missing: () => Fault): void;
  /** The fields after a write. @throws Fault `acl_denied` */
  after(caller: Caller, before: R | undefined, body: F): object;
}

/** The access list of each record decides. */
export const BY_LIST: Access<WithAcl, { acl?: AclInput | undefined }> = {
  fields: ['acl'],
  mayRead,
  assertMay,
  after: (caller, before, { acl }) => ({ acl: before ? changedAcl(caller, before.acl, acl) : newAcl(caller, acl) }),
};

/** The stored fields that the access checks read. */
export function accessOf<R extends object>({ fields }: Pick<Access<R>, 'fields'>, record: R): object {
  return Object.fromEntries(fields.map((field) => [field, record[field as keyof R]]));
}

/** The gate of the endpoint alone decides. */
export const BY_GATE: Access<object> = {
  fields: [],
  mayRead: () => true,
  assertMay: () => {},
  after: () => ({}),
};

/** All records of a collection that the caller may read. */
export async function readableRecords<R extends Doc & WithAcl>(
  records: RecordStore,
  caller: Caller,
  collection: string,
  fields: readonly (keyof R & string)[],
): Promise<R[]> {
  const permitted: R[] = [];
  for await (const chunk of records.chunks<R>(collection, { fields }))
    append(
      permitted,
      chunk.filter((record) => mayRead(caller, record)),
    );
  return permitted;
}

/** Undefined if the caller may not read the record, or nobody can. */
export async function readableRecord<R extends Doc & WithAcl>(
  records: RecordStore,
  caller: Caller,
  { collection, key, fields }: { collection: string; key: string; fields: readonly (keyof R & string)[] },
): Promise<R | undefined> {
  const [record] = await records.find<R>(collection, { query: { _key: key }, fields, limit: 1 });
  return record && mayRead(caller, record) ? record : undefined;
}

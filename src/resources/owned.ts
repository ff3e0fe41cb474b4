import type { Caller } from '../contract/caller.ts';
import type { Pagination } from '../contract/common.ts';
import { Fault } from '../contract/faults.ts';
import { assertMay, mayRead, type WithAcl } from '../domain/acl.ts';
import type { ListQueryValues } from '../domain/lists.ts';
import type { Unsealed } from '../domain/unsealed.ts';
import type { Doc, RecordStore } from '../ports/recordStore.ts';
import { type Derived, ResourceRecords, type Tested } from './records.ts';

/** A record as it is stored, if the caller may read it. */
export async function readableRecord<R extends Doc & WithAcl>(
  records: RecordStore,
  caller: Caller,
  collection: string,
  key: string,
): Promise<R | undefined> {
  const record = await records.get<R>(collection, key);
  return record && mayRead(caller, record) ? record : undefined;
}

/** Sealed records of a family whose records have an access list. */
export class OwnedRecords<R extends Tested & WithAcl> extends ResourceRecords<R> {
  /** A page of what the caller may read; nothing else is even counted. @param keys what the list can be sorted by */
  page(
    caller: Caller,
    query: ListQueryValues,
    keys: readonly string[],
    derived?: Derived<R>,
  ): Promise<{ records: R[]; pagination: Pagination }> {
    const keep = { fields: ['acl'], of: (record: R) => mayRead(caller, record) };
    return this.listed(query, { keys, name: 'name', derived, keep });
  }

  /** @throws Fault `not_found`, `acl_denied` */
  async get(caller: Caller, key: string, access: 'read' | 'write' = 'read'): Promise<R> {
    const record = await this.sealed.get(key);
    this.assertMay(caller, access, record);
    return record;
  }

  /**
   * A record that the caller may read, with its secrets: both of one reading.
   * @throws Fault `not_found`, `acl_denied`
   */
  async unsealed(caller: Caller, key: string, access: 'read' | 'write' = 'read'): Promise<Unsealed<R>> {
    const record = await this.get(caller, key, access);
    return this.sealed.unseal(record, (fresh) => this.assertMay(caller, access, fresh));
  }

  /**
   * The record that lends its secrets to a test of given details. A form that tests before its first save sends the name of a
   * record that does not exist yet: that is not an error if what it sends is complete.
   * @throws Fault `not_found`, `acl_denied`
   */
  async lender(caller: Caller, key: string, isWhole: boolean): Promise<R | undefined> {
    try {
      return await this.get(caller, key, 'write');
    } catch (error) {
      if (isWhole && error instanceof Fault && error.code === 'not_found') return undefined;
      throw error;
    }
  }

  /** @throws Fault `not_found`, `acl_denied` */
  assertMay(caller: Caller, access: 'read' | 'write', record: R): void {
    assertMay(caller, access, record, this.sealed.missing);
  }
}

import type { Caller } from '../contract/caller.ts';
import type { Pagination } from '../contract/common.ts';
import { Fault } from '../contract/faults.ts';
import { assertMay, mayRead, type WithAcl } from '../domain/acl.ts';
import { type ListQueryValues, pageOfRows } from '../domain/lists.ts';
import { type Sealed, SealedRecords, type SealSpec, type Stores } from '../domain/sealed.ts';
import type { Unsealed } from '../domain/unsealed.ts';
import type { Doc, RecordStore } from '../ports/recordStore.ts';

interface Named extends Doc {
  name: string;
}

const picked = (record: Doc, keys: readonly string[]): Named =>
  Object.fromEntries(['_key', ...keys].map((key) => [key, record[key as keyof Doc]])) as unknown as Named;

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
export class OwnedRecords<R extends Sealed & WithAcl> {
  readonly sealed: SealedRecords<R>;
  readonly stores: Stores;

  constructor(spec: SealSpec<R>, stores: Stores) {
    this.stores = stores;
    this.sealed = new SealedRecords(spec, stores);
  }

  /** Epoch seconds. */
  now = (): number => this.stores.clock.now() / 1000;

  /**
   * A page of what the caller may read; the rest is not even counted. Only the page's own records are read whole.
   * @param keys what the list can be sorted by; the search looks at name and description
   * @param derived keys that are worked out of other fields, and those fields
   */
  async page(
    caller: Caller,
    query: ListQueryValues,
    keys: readonly string[],
    derived: { fields: readonly string[]; of(record: R): object } = { fields: [], of: () => ({}) },
  ): Promise<{ records: R[]; pagination: Pagination }> {
    const { records } = this.stores;
    const { collection } = this.sealed.spec;
    const keep = (record: R) => mayRead(caller, record);
    const fields = [...new Set([...keys, ...derived.fields, 'acl'])];
    const rows: Named[] = [];
    for await (const chunk of records.chunks<R>(collection, { fields })) {
      for (const record of chunk.filter(keep)) rows.push({ ...picked(record, keys), ...derived.of(record) });
    }
    return pageOfRows<R, Named>({ records, collection, keep }, rows, query, 'name');
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
   * The record that lends its secrets to a test of given details. A form that tests before its first save sends the name
   * of a record that is not there yet: no error, where what it gives is whole.
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

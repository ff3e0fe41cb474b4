import type { Caller } from '../contract/caller.ts';
import type { LastTest, Pagination } from '../contract/common.ts';
import { Fault } from '../contract/faults.ts';
import { type ListQueryValues, pageOfRows } from '../domain/lists.ts';
import { type Sealed, SealedRecords, type SealSpec, type Stores } from '../domain/sealed.ts';
import type { Unsealed } from '../domain/unsealed.ts';
import type { Doc, Query } from '../ports/recordStore.ts';
import type { Access } from './access.ts';
import { ListedRecords, type Named, picked } from './listed.ts';

/** A record with secrets, and with what its last test found. */
export interface Resource extends Sealed {
  last_test?: LastTest;
}

/** What a list reads of every record before it reads the records of its page in full. */
export interface Listing<R extends Doc> {
  /** What it can be sorted by. */
  keys: readonly string[];
  /** The field that names a record: the default order, and what a search looks at beside the description. */
  name?: string | undefined;
  /** Sort keys that are worked out of other fields. */
  derived?: Derived<R> | undefined;
  /** The records that it is about. All unless given. */
  query?: Query | undefined;
}

export interface Derived<R extends Doc> {
  fields: readonly string[];
  of(record: R): object;
}

/** Sealed records of one kind, as those see them who may. */
export class ResourceRecords<R extends Resource> {
  readonly sealed: SealedRecords<R>;
  readonly stores: Stores;
  readonly #access: Access<R>;
  readonly #listed: ListedRecords<R> | undefined;

  constructor(spec: SealSpec<R>, access: Access<R>, stores: Stores) {
    this.stores = stores;
    this.#access = access;
    this.sealed = new SealedRecords(spec, stores);
    this.#listed = spec.listed && new ListedRecords(this.sealed, stores, access, spec.listed);
  }

  /** Epoch seconds. */
  now = (): number => this.stores.clock.now() / 1000;

  /**
   * A page of what the caller may read; nothing else is even counted. Of the records of other pages nothing is read where the
   * store can answer, and otherwise only what lists sort by.
   */
  async page(
    caller: Caller,
    query: ListQueryValues,
    { keys, name = 'name', derived, query: about }: Listing<R>,
  ): Promise<{ records: R[]; pagination: Pagination }> {
    const stored = await this.#listed?.page(caller, query, name, about);
    if (stored) return stored;
    const { records } = this.stores;
    const { collection } = this.sealed.spec;
    const fields = [...new Set([name, ...keys, ...(derived?.fields ?? []), ...this.#access.fields])];
    const keep = (record: R) => this.#access.mayRead(caller, record);
    const kept = await this.#listed?.rows(query, keys, name, about);
    if (kept) {
      const { search: _, ...rest } = query;
      return pageOfRows<R, Named>({ records, collection, keep }, kept.filter(keep), rest, 'name');
    }
    const rows: Named[] = [];
    for await (const chunk of records.chunks<R>(collection, { fields, ...(about ? { query: about } : {}) })) {
      for (const record of chunk.filter(keep)) rows.push({ ...picked(record, keys, name), ...derived?.of(record) });
    }
    return pageOfRows<R, Named>({ records, collection, keep }, rows, query, 'name');
  }

  /** @throws Fault `not_found`, `acl_denied` */
  async get(caller: Caller, key: string, right: 'read' | 'write' = 'read'): Promise<R> {
    const record = await this.sealed.get(key);
    this.assertMay(caller, right, record);
    return record;
  }

  /**
   * A record that the caller may read, with its secrets: both of one reading.
   * @throws Fault `not_found`, `acl_denied`
   */
  async unsealed(caller: Caller, key: string, right: 'read' | 'write' = 'read'): Promise<Unsealed<R>> {
    const record = await this.get(caller, key, right);
    return this.sealed.unseal(record, (fresh) => this.assertMay(caller, right, fresh));
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
  assertMay(caller: Caller, right: 'read' | 'write', record: R): void {
    this.#access.assertMay(caller, right, record, this.sealed.missing);
  }
}

import type { Caller } from '../contract/caller.ts';
import { Fault } from '../contract/codes/faults.ts';
import type { LastTest, Pagination } from '../contract/schemas/common.ts';
import { type ListQueryValues, paginateRows } from '../domain/lists/lists.ts';
import { SealedRecords } from '../domain/records/sealed.ts';
import type { Open, SealedDoc, SealSpec, Stores, UnsealedRecord } from '../domain/records/sealedRecord.ts';
import type { Doc, Query } from '../ports/stores/recordStore.ts';
import type { Access } from './access.ts';

/** A record with secrets and the result of its last test. */
export interface Resource extends SealedDoc {
  last_test?: LastTest | undefined;
}

/** A record with its name copied to `name`. */
interface NamedDoc extends Doc {
  name: string;
}

/** A sort key that is computed from other fields. */
export interface DerivedKey<R> {
  key: string;
  fields: readonly string[];
  /** @param now epoch seconds */
  valueOf(record: R, now: number): string;
}

export interface Listing<R extends Resource> {
  /** The field with the name: the default order, searched together with the description. */
  nameField?: string | undefined;
  derived?: DerivedKey<R> | undefined;
  /** Only these records. */
  filter?: Query | undefined;
}

/** Sealed records of one kind, with access checks. */
export class ResourceRecords<R extends Resource> {
  readonly sealed: SealedRecords<R>;
  readonly stores: Stores;
  readonly #access: Access<R>;

  constructor(spec: SealSpec<R>, access: Access<R>, stores: Stores) {
    this.stores = stores;
    this.#access = access;
    this.sealed = new SealedRecords(spec, stores);
  }

  /** Epoch seconds. */
  now = (): number => this.stores.clock.now() / 1000;

  /** A page of the records that the caller may read. Only records of the page are read in full. */
  async page(
    caller: Caller,
    query: ListQueryValues,
    { nameField = 'name', derived, filter = {} }: Listing<R> = {},
  ): Promise<{ records: R[]; pagination: Pagination }> {
    const { records } = this.stores;
    const { collection } = this.sealed.spec;
    const sortKey = String(query.sort_key ?? nameField);
    const sortedBy = derived?.key === sortKey ? derived : undefined;
    const searched = query.search?.trim() ? ['description'] : [];
    const fields = [...new Set([nameField, ...(sortedBy?.fields ?? [sortKey]), ...searched, ...this.#access.fields])];
    const keep = (record: R) => this.#access.mayRead(caller, record);
    const now = this.now();
    const rows: NamedDoc[] = [];
    for await (const chunk of records.chunks<R>(collection, { query: filter, fields })) {
      for (const record of chunk.filter(keep)) {
        const name = record[nameField as keyof R] as string;
        rows.push({ ...record, name, ...(sortedBy && { [sortKey]: sortedBy.valueOf(record, now) }) });
      }
    }
    return paginateRows<R, NamedDoc>({ records, collection, isVisible: keep }, rows, query, 'name');
  }

  /** @throws Fault `not_found`, `acl_denied` */
  async get(caller: Caller, key: string, right: 'read' | 'write' = 'read'): Promise<R> {
    const record = await this.sealed.get(key);
    this.assertMay(caller, right, record);
    return record;
  }

  /**
   * A record with its secrets, both of one version.
   * @throws Fault `not_found`, `acl_denied`
   */
  async unsealed(caller: Caller, key: string, right: 'read' | 'write' = 'read'): Promise<UnsealedRecord<R>> {
    const record = await this.get(caller, key, right);
    return this.sealed.unseal(record, (fresh) => this.assertMay(caller, right, fresh));
  }

  /**
   * The record whose stored secrets complete a test of unsaved details. Before the first save of a form it does not exist, which
   * is fine if the details are complete.
   * @throws Fault `not_found`, `acl_denied`
   */
  async secretSource(caller: Caller, key: string, isComplete: boolean): Promise<R | undefined> {
    try {
      return await this.get(caller, key, 'write');
    } catch (error) {
      if (isComplete && error instanceof Fault && error.code === 'not_found') return undefined;
      throw error;
    }
  }

  /** Removes the result of the last test, which no longer holds; a deleted record is not an error. */
  async discardTest(key: string): Promise<void> {
    await this.sealed.amend(key, async () => ({ open: { last_test: undefined } as Partial<Open<R>> }));
  }

  /** @throws Fault `not_found`, `acl_denied` */
  assertMay(caller: Caller, right: 'read' | 'write', record: R): void {
    this.#access.assertMay(caller, right, record, this.sealed.notFound);
  }
}

/**
 * Tests and token refreshes do not change the version.
 * @throws Fault `version_conflict` if the record was changed or created again
 */
export function assertUnchanged<R extends Resource>(now: R, { version, created_at }: R): void {
  if (now.version === version && now.created_at === created_at) return;
  throw new Fault('version_conflict', 'Somebody changed the record while it was being tested: read it again', {
    current_version: now.version,
  });
}

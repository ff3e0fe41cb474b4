import type { LastTest, Pagination } from '../contract/common.ts';
import { lastTest } from '../domain/lastTest.ts';
import { type ListQueryValues, pageOfRows } from '../domain/lists.ts';
import { metadataOf, type Open, type Sealed, SealedRecords, type SealSpec, type Stores } from '../domain/sealed.ts';
import { masked } from '../domain/secrets.ts';
import type { Doc, Query } from '../ports/recordStore.ts';

/** A record with secrets, and with what its last test found. */
export interface Tested extends Sealed {
  last_test?: LastTest;
}

/** What a list reads of every record before it reads the records of its page in full. */
export interface Listing<R extends Doc> {
  /** What it can be sorted by. */
  keys: readonly string[];
  /** The field that names a record: the default order, and what a search looks at beside the description. */
  name: string;
  /** Sort keys that are worked out of other fields. */
  derived?: Derived<R> | undefined;
  /** The records that it is about. All unless given. */
  query?: Query;
  /** Whether a record is in it, and the fields that tell. */
  keep?: { fields: readonly string[]; of(record: R): boolean };
}

export interface Derived<R extends Doc> {
  fields: readonly string[];
  of(record: R): object;
}

interface Named extends Doc {
  name: string;
}

const picked = (record: Doc, keys: readonly string[], name: string): Named =>
  Object.fromEntries([
    ...['_key', ...keys].map((key) => [key, record[key as keyof Doc]]),
    ['name', record[name as keyof Doc]],
  ]) as unknown as Named;

/** The records of one kind, whoever may see them. */
export class ResourceRecords<R extends Tested> {
  readonly sealed: SealedRecords<R>;
  readonly stores: Stores;

  constructor(spec: SealSpec<R>, stores: Stores) {
    this.stores = stores;
    this.sealed = new SealedRecords(spec, stores);
  }

  /** Epoch seconds. */
  now = (): number => this.stores.clock.now() / 1000;

  /** A page of a list. Of the other records, only what lists sort by is read. */
  async listed(query: ListQueryValues, listing: Listing<R>): Promise<{ records: R[]; pagination: Pagination }> {
    const { records } = this.stores;
    const { collection } = this.sealed.spec;
    const { keys, name, derived, keep, query: about } = listing;
    const fields = [...new Set([name, ...keys, ...(derived?.fields ?? []), ...(keep?.fields ?? [])])];
    const isIn = (record: R) => keep === undefined || keep.of(record);
    const rows: Named[] = [];
    for await (const chunk of records.chunks<R>(collection, { fields, ...(about ? { query: about } : {}) })) {
      for (const record of chunk.filter(isIn)) rows.push({ ...picked(record, keys, name), ...derived?.of(record) });
    }
    return pageOfRows<R, Named>({ records, collection, keep: isIn }, rows, query, 'name');
  }

  /** Keeps what a test has found, and what else it has taught. A record that is gone is not an error. */
  async keepTest(
    key: string,
    elapsedMs: number,
    error: { code: string } | undefined,
    learned: (record: R) => Partial<Open<R>> = () => ({}),
  ): Promise<void> {
    const last_test = lastTest(this.now(), elapsedMs, error);
    await this.sealed.amend(key, async (record) => ({ open: { ...learned(record), last_test } }));
  }

  /** A record as a reply shows it: what its family shows of it, who wrote it when, its last test; secrets masked. */
  shown<V extends object>(own: object, record: R): V {
    const { last_test, secret_fields } = record;
    return masked({ ...own, ...metadataOf(record), ...(last_test ? { last_test } : {}) } as V, secret_fields);
  }
}

import type { Caller } from '../contract/caller.ts';
import { Fault } from '../contract/faults.ts';
import { assertMay, mayRead, type WithAcl } from './acl.ts';
import { type Sealed, SealedRecords, type SealSpec, type Stores } from './sealed.ts';
import type { Unsealed } from './unsealed.ts';

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

  /** What the caller may read; the rest is not even counted. */
  async readable(caller: Caller): Promise<R[]> {
    return (await this.sealed.find()).filter((record) => mayRead(caller, record));
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

import type { Caller } from '../../contract/caller.ts';
import { changedAcl, newAcl } from '../../domain/acl.ts';
import { mergeFields, splitPasted } from '../../domain/awsKeys.ts';
import { recordKey } from '../../domain/keys.ts';
import { OwnedRecords } from '../../domain/owned.ts';
import { assertUnused } from '../../domain/references.ts';
import type { Stores } from '../../domain/sealed.ts';
import { assertValid, type StoreDetails, type StoreOpen, type StoreStored, storeSpec } from './records.ts';
import type { VectorStoreCreate, VectorStoreUpdate } from './schemas.ts';

/** Vector stores as records: who may do what, and what makes a whole one. Knows no cloud. */
export class VectorStores extends OwnedRecords<StoreStored> {
  readonly secretPaths: readonly string[];

  constructor(stores: Stores, secretPaths: readonly string[]) {
    super(storeSpec, stores);
    this.secretPaths = secretPaths;
  }

  /** A store that is given whole. @throws Fault `validation_failed`, `masked_value_without_stored_secret` */
  draft(input: VectorStoreCreate) {
    const { open, given } = splitPasted(input, this.secretPaths);
    const details = mergeFields<StoreDetails>({}, open.details);
    assertValid(details, given, []);
    return { open, given, details };
  }

  async create(caller: Caller, input: VectorStoreCreate): Promise<StoreStored> {
    const { open, given, details } = this.draft(input);
    const record: StoreOpen = {
      _key: recordKey(open.name),
      name: open.name,
      type: open.type,
      description: open.description ?? '',
      details,
      acl: newAcl(caller, open.acl),
    };
    return this.sealed.create(record, given, caller.user);
  }

  async update(caller: Caller, input: VectorStoreUpdate, condition: number | undefined): Promise<StoreStored> {
    const { open, given } = splitPasted(input, this.secretPaths);
    return this.sealed.update(recordKey(input.name), {
      actor: caller.user,
      condition,
      given,
      guard: (record) => this.assertMay(caller, 'write', record),
      next: (record) => {
        const details = mergeFields<StoreDetails>(record.details, open.details ?? {});
        assertValid(details, given, record.secret_fields);
        const description = open.description === undefined ? record.description : (open.description ?? '');
        return { ...record, details, description, acl: changedAcl(caller, record.acl, open.acl) };
      },
    });
  }

  async remove(
    caller: Caller,
    name: string,
    options: { force: boolean; condition: number | undefined },
  ): Promise<string> {
    const removed = await this.sealed.remove(recordKey(name), {
      condition: options.condition,
      guard: async (record) => {
        this.assertMay(caller, 'write', record);
        if (!options.force) await assertUnused(this.stores.records, caller, 'knowledge_base', record.name);
      },
    });
    return removed.name;
  }
}

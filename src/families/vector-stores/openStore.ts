import type { Caller } from '../../contract/caller.ts';
import { Fault } from '../../contract/codes/faults.ts';
import type { RecordPlans } from '../../contract/rows/recordPlan.ts';
import type { Stores } from '../../domain/records/sealedRecord.ts';
import { recordKey } from '../../domain/values/keys.ts';
import { BY_LIST } from '../../resources/access.ts';
import { Resources } from '../../resources/resources.ts';
import { Target } from '../../resources/target.ts';
import { Catalogue } from './documents/catalogue.ts';
import type { EmbeddingTerms, StoreDependencies, StoreDocuments, StoreSearch } from './kinds/kind.ts';
import { kindOf } from './kinds/registry.ts';
import { FAMILY } from './names.ts';
import { storeKind } from './records.ts';

/** A saved store, ready to be searched. */
export interface OpenStore {
  /** As created. */
  name: string;
  type: string;
  search: StoreSearch;
  /** Absent where the store embeds by itself. */
  embedding?: EmbeddingTerms | undefined;
  /** Absent where documents cannot be written. */
  documents?: StoreDocuments | undefined;
  /** @throws Fault `acl_denied` */
  assertMayWrite(): void;
}

/**
 * Reads a store and its secret from one reading of the record.
 * @param right that the caller must have
 * @throws Fault `not_found`, also if the caller may not read it; `acl_denied`
 */
export async function openStore(
  stores: Stores,
  deps: StoreDependencies,
  plans: RecordPlans,
  caller: Caller,
  name: string,
  right: 'read' | 'write' = 'read',
): Promise<OpenStore> {
  const resources = new Resources(storeKind, stores, plans[FAMILY]);
  const unsealed = await resources.unsealed(caller, recordKey(name), right);
  const target = Target.saved(unsealed);
  const { name: stored, type } = target.record;
  const kind = kindOf(type);
  const search = kind.search(target, deps);
  const embedding = kind.embedding?.(target.record.details);
  return {
    ...{ name: stored, type, search, embedding, documents: kind.documents?.(target, deps) },
    assertMayWrite: () => BY_LIST.assertMay(caller, 'write', unsealed.record, () => resources.sealed.notFound()),
  };
}

/**
 * The list of the documents that the app wrote into a store.
 * @throws Fault `not_found`, `acl_denied` if the caller may read but not change the store; `not_supported`
 */
export async function openCatalogue(
  stores: Stores,
  plans: RecordPlans,
  caller: Caller,
  name: string,
): Promise<Catalogue> {
  const resources = new Resources(storeKind, stores, plans[FAMILY]);
  const record = await resources.get(caller, recordKey(name), 'write');
  const { documents, place } = kindOf(record.type);
  if (documents) return new Catalogue(stores, record, place?.(record.details));
  throw new Fault('not_supported', `Documents of a store of type ${record.type} are not written by this app`);
}

import { EDIT_VECTOR_STORES } from '../../contract/capabilities.ts';
import type { RecordPlans } from '../../contract/rows/recordPlan.ts';
import type { Condition, HealthSource } from '../../domain/records/connectionHealth.ts';
import type { Stores } from '../../domain/records/sealedRecord.ts';
import { readableRecords } from '../../resources/access.ts';
import { Resources } from '../../resources/resources.ts';
import type { StoreStored } from './definition.ts';
import type { StoreDependencies } from './kinds/kind.ts';
import { FAMILY, VECTOR_STORES } from './names.ts';
import { storeKind } from './records.ts';
import { testStore, type VectorStores } from './testing.ts';

const FIELDS = ['name', 'type', 'acl', 'last_test'] as const satisfies readonly (keyof StoreStored)[];

function conditionOf({ _key: key, name, type, acl, last_test: lastTest }: StoreStored): Condition {
  const reference = { kind: 'knowledge_base', name } as const;
  return { key, name, type, owner: acl.owner, lastTest, needsSignIn: false, expiries: [], reference };
}

export function vectorStoreHealth(platform: Stores, deps: StoreDependencies, plans: RecordPlans): HealthSource {
  const stores: VectorStores = new Resources(storeKind, platform, plans[FAMILY]);

  return {
    readers: 'session',
    testers: EDIT_VECTOR_STORES.gate,
    flag: EDIT_VECTOR_STORES.flag,
    async conditions(caller) {
      return (await readableRecords<StoreStored>(platform.records, caller, VECTOR_STORES, FIELDS)).map(conditionOf);
    },
    async test(caller, key, outer) {
      const { failure } = await testStore(stores, deps, await stores.target(caller, key, {}), { outer });
      return failure;
    },
  };
}

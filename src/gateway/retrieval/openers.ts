import type { Caller } from '../../contract/caller.ts';
import type { RecordPlans } from '../../contract/rows/recordPlan.ts';
import type { Stores } from '../../domain/records/sealedRecord.ts';
import { recordKey } from '../../domain/values/keys.ts';
import { type OpenStore, openStore } from '../../families/vector-stores/public.ts';
import type { CloudKnowledgeBases } from '../../ports/cloud/cloudKnowledgeBases.ts';
import type { OperationDependencies } from '../dependencies.ts';
import { once } from '../once.ts';

interface Site {
  stores: Stores;
  knowledgeBases: CloudKnowledgeBases;
  plans: RecordPlans;
}

/** The stores that one request of one caller reads, each once. */
export function storeOpeners({ stores, knowledgeBases, plans }: Site): Pick<OperationDependencies, 'openStore'> {
  const opened = new Map<string, Promise<OpenStore>>();
  return {
    openStore: (caller: Caller, name: string) =>
      once(opened, recordKey(name), () => openStore(stores, { knowledgeBases }, plans, caller, name)),
  };
}

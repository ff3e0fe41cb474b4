import type { Handlers } from '../../contract/rows/handlers.ts';
import type { Stores } from '../../domain/records/sealedRecord.ts';
import { recordKey } from '../../domain/values/keys.ts';
import type { CloudKnowledgeBases } from '../../ports/cloud/cloudKnowledgeBases.ts';
import { crudHandlers } from '../../resources/crud/handlers.ts';
import { Resources } from '../../resources/resources.ts';
import type { Target } from '../../resources/target.ts';
import type { vectorStores } from './endpoints.ts';
import { OPERATIONS, storeKind } from './records.ts';
import type { Findings } from './steps.ts';
import { FAMILY, type StoreStored } from './stored.ts';
import { testKnowledgeBase, visit } from './testing.ts';

export function vectorStoreHandlers(
  platform: Stores,
  cloud: CloudKnowledgeBases,
  secretPaths: Readonly<Record<string, readonly string[]>>,
): Handlers<typeof vectorStores> {
  const stores = new Resources(storeKind, platform, secretPaths[FAMILY] ?? []);

  return {
    ...crudHandlers(OPERATIONS, stores, {
      created: 'Vector store configuration created successfully',
      updated: 'Vector store configuration updated successfully',
      deleted: 'Vector store configuration deleted successfully',
      verify: ({ target }) => visit(cloud, target),
    }),
    async testVectorStore({ caller, body }) {
      const target = await stores.target(caller, body.name === undefined ? undefined : recordKey(body.name), body);
      const found = await testKnowledgeBase(stores, cloud, target, body);
      const data = describeTest(target, found);
      if (!found.failure) return { success: true, message: 'The knowledge base can be used', data };
      return { status: 'fail', success: false, error_code: found.failure.code, message: found.failure.message, data };
    },
  };
}

function describeTest({ saved, record: { type, details } }: Target<StoreStored>, found: Findings) {
  const { knowledgeBase, reachable, authenticated, steps } = found;
  return {
    name: saved?.name ?? null,
    type,
    kb_id: details.kb_id,
    region: details.cloud_region,
    knowledge_base_status: knowledgeBase?.status ?? null,
    ...(knowledgeBase?.name === undefined ? {} : { knowledge_base_name: knowledgeBase.name }),
    response_time_ms: Math.round(found.elapsedMs),
    reachable,
    authenticated,
    steps,
  };
}

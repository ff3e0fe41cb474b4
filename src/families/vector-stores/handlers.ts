import { type Handlers, withRules } from '../../contract/handlers.ts';
import { recordKey } from '../../domain/keys.ts';
import { lastTest } from '../../domain/lastTest.ts';
import type { Stores } from '../../domain/sealed.ts';
import type { CloudKnowledgeBases } from '../../ports/cloudKnowledgeBases.ts';
import type { vectorStores } from './endpoints.ts';
import { FAMILY, storeView } from './records.ts';
import type { VectorStoreCreate } from './schemas.ts';
import { VectorStores } from './service.ts';
import { STORE_SORT_KEYS } from './sortKeys.ts';
import { type Findings, visitKnowledgeBase } from './steps.ts';
import { type Aim, aim } from './target.ts';

export function vectorStoreHandlers(
  platform: Stores,
  cloud: CloudKnowledgeBases,
  secretPaths: Readonly<Record<string, readonly string[]>>,
): Handlers<typeof vectorStores> {
  const stores = new VectorStores(platform, secretPaths[FAMILY] ?? []);

  return {
    async listVectorStores({ caller, query }) {
      if (query.name !== undefined) return { config: storeView(await stores.get(caller, recordKey(query.name))) };
      const { records, pagination } = await stores.page(caller, query, STORE_SORT_KEYS);
      return { result: records.map(storeView), pagination, message: `${pagination.total} vector stores` };
    },
    async getVectorStore({ caller, params }) {
      return { config: storeView(await stores.get(caller, recordKey(params.name))) };
    },
    createVectorStore: withRules(
      async ({ caller, body }) => {
        const config = storeView(await stores.create(caller, body));
        return { message: 'Vector store configuration created successfully', config };
      },
      (body: VectorStoreCreate) => void stores.draft(body),
    ),
    async updateVectorStore({ caller, body, condition }) {
      const config = storeView(await stores.update(caller, body, condition));
      return { message: 'Vector store configuration updated successfully', config };
    },
    async deleteVectorStore({ caller, params, query, condition }) {
      const name = await stores.remove(caller, params.name, { force: query.force ?? false, condition });
      return { message: 'Vector store configuration deleted successfully', name };
    },
    async testVectorStore({ caller, body }) {
      const target = await aim(stores, caller, body);
      const found = await visitKnowledgeBase(cloud, target.access, target.details.kb_id, body.query);
      const { saved } = target;
      if (saved) {
        const last_test = lastTest(stores.now(), found.elapsedMs, found.failure);
        await stores.sealed.amend(saved._key, async () => ({ open: { last_test } }));
      }
      const data = shown(target, found);
      if (!found.failure) return { success: true, message: 'The knowledge base can be used', data };
      return { status: 'fail', success: false, error_code: found.failure.code, message: found.failure.message, data };
    },
  };
}

function shown({ saved, type, details }: Aim, found: Findings) {
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

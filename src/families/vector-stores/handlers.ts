import { counted } from '../../contract/basics.ts';
import { type Handlers, withDraft, withValidation } from '../../contract/rows/handlers.ts';
import type { Stores } from '../../domain/records/sealedRecord.ts';
import { recordKey } from '../../domain/values/keys.ts';
import type { CloudKnowledgeBases } from '../../ports/cloud/cloudKnowledgeBases.ts';
import { Resources } from '../../resources/resources.ts';
import type { Target } from '../../resources/target.ts';
import { createRecord, type Test, updateRecord } from '../../resources/verified.ts';
import type { vectorStores } from './endpoints.ts';
import { FAMILY, type StoreFields, type StoreStored, storeKind } from './records.ts';
import type { Findings } from './steps.ts';
import { testKnowledgeBase, visit } from './testing.ts';

export function vectorStoreHandlers(
  platform: Stores,
  cloud: CloudKnowledgeBases,
  secretPaths: Readonly<Record<string, readonly string[]>>,
): Handlers<typeof vectorStores> {
  const stores = new Resources(storeKind, platform, secretPaths[FAMILY] ?? []);
  const verify: Test<StoreStored> = ({ target }) => visit(cloud, target);

  return {
    async listVectorStores({ caller, query }) {
      if (query.name !== undefined) return { config: await stores.show(caller, recordKey(query.name)) };
      const page = await stores.list(caller, query);
      return { ...page, message: counted(page.pagination.total, 'vector store') };
    },
    async getVectorStore({ caller, params }) {
      return { config: await stores.show(caller, recordKey(params.name)) };
    },
    createVectorStore: withDraft(
      withValidation(
        async ({ caller, body, query }) => {
          const save = { caller, key: recordKey(body.name), sent: stores.parse(body) };
          const record = await createRecord(stores, save, query.verify ? verify : undefined);
          return { message: 'Vector store configuration created successfully', config: stores.view(record) };
        },
        async (body: StoreFields) => stores.draft(stores.parse(body)),
      ),
      async ({ caller, body }) => stores.draftCreate(caller, recordKey(body.name), stores.parse(body)),
    ),
    updateVectorStore: withDraft(
      async ({ caller, body, query, condition }) => {
        const save = { caller, key: recordKey(body.name), sent: stores.parse(body), condition };
        const record = await updateRecord(stores, save, query.verify ? verify : undefined);
        return { message: 'Vector store configuration updated successfully', config: stores.view(record) };
      },
      async ({ caller, body, condition }) =>
        stores.draftUpdate(caller, recordKey(body.name), stores.parse(body), { condition }),
    ),
    async deleteVectorStore({ caller, params, query, condition }) {
      const { name } = await stores.remove(caller, recordKey(params.name), { ...query, condition });
      return { message: 'Vector store configuration deleted successfully', name };
    },
    async testVectorStore({ caller, body }) {
      const target = await stores.target(caller, body.name === undefined ? undefined : recordKey(body.name), body);
      const found = await testKnowledgeBase(stores, cloud, target, body);
      const data = shown(target, found);
      if (!found.failure) return { success: true, message: 'The knowledge base can be used', data };
      return { status: 'fail', success: false, error_code: found.failure.code, message: found.failure.message, data };
    },
  };
}

function shown({ saved, record: { type, details } }: Target<StoreStored>, found: Findings) {
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

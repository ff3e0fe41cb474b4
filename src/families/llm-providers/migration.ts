import { Fault } from '../../contract/codes/faults.ts';
import { NO_AUDIT } from '../../domain/audit/audit.ts';
import { SealedRecords } from '../../domain/records/sealed.ts';
import type { SiteStores } from '../../domain/records/sealedRecord.ts';
import { LLM_CONNECTIONS, type LlmConnection, modelsOf, storedModels } from './records/connection.ts';
import { llmKind } from './records/kind.ts';

/** To version 2, in which a connection is found by its `model_names`. */
export async function storeModelNames(stores: SiteStores): Promise<void> {
  const sealed = new SealedRecords({ ...llmKind, audited: () => ({}) }, { ...stores, audit: NO_AUDIT });
  for await (const chunk of stores.records.chunks<LlmConnection>(LLM_CONNECTIONS, { fields: ['model_names'] })) {
    for (const { _key } of chunk.filter(({ model_names }) => model_names === undefined)) {
      try {
        await sealed.amend(_key, async (connection) => ({ open: storedModels(modelsOf(connection)) }));
      } catch (error) {
        if (error instanceof Fault) throw error;
        // A connection that nobody can read must not keep the app from starting.
        stores.log.warn('not_migrated', { key: _key });
      }
    }
  }
}

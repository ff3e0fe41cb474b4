import { counted } from '../../contract/basics.ts';
import type { Handlers } from '../../contract/rows/handlers.ts';
import { auditSettings } from '../../domain/audit/auditSettings.ts';
import type { Stores } from '../../domain/records/sealedRecord.ts';
import type { Settings } from '../../ports/stores/settings.ts';
import type { audit } from './endpoints.ts';
import { AuditEntries } from './entries.ts';

export function auditHandlers(
  stores: Pick<Stores, 'records' | 'clock' | 'log'>,
  settings: Settings,
): Handlers<typeof audit> {
  const entries = new AuditEntries(stores);
  const readRetention = async () => auditSettings(await settings.recent(), stores.log);
  return {
    async listAudit({ query }) {
      const { result, pagination } = await entries.list(query, await readRetention());
      return { result, pagination, message: counted(pagination.total, 'entry', 'entries') };
    },
    async getAuditEntry({ params }) {
      return { config: await entries.get(params.audit_id, await readRetention()) };
    },
  };
}

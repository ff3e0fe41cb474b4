import { counted } from '../../contract/counted.ts';
import type { Handlers } from '../../contract/handlers.ts';
import type { Stores } from '../../domain/sealed.ts';
import type { Settings } from '../../ports/settings.ts';
import type { audit } from './endpoints.ts';
import { AuditEntries } from './entries.ts';
import { auditSettings } from './settings.ts';

export function auditHandlers(
  { records, clock, log }: Pick<Stores, 'records' | 'clock' | 'log'>,
  settings: Settings,
): Handlers<typeof audit> {
  const entries = new AuditEntries(records, clock);
  const kept = async () => auditSettings(await settings.recent(), log);
  return {
    async listAudit({ query }) {
      const { result, pagination } = await entries.list(query, await kept());
      return { result, pagination, message: counted(pagination.total, 'entry', 'entries') };
    },
    async getAuditEntry({ params }) {
      return { config: await entries.get(params.audit_id, await kept()) };
    },
  };
}

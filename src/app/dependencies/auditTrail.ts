import { splunkdEvents } from '../../adapters/splunkd/own/eventIndex.ts';
import { AUDIT_SOURCETYPE } from '../../contract/audit.ts';
import { errorName } from '../../contract/basics.ts';
import { AuditTrail, createAudit } from '../../domain/audit/audit.ts';
import { auditSettings } from '../../domain/audit/auditSettings.ts';
import { Retention } from '../../domain/audit/retention.ts';
import { renderEntry } from '../../domain/audit/stored.ts';
import type { Stores } from '../../domain/records/sealedRecord.ts';
import { Background } from './background.ts';
import type { Splunkd } from './splunkd.ts';

/** State of the audit trail between requests of a process. */
export interface TrailState {
  background: Background;
  retention: Retention;
}

export const createTrailState = (): TrailState => ({
  background: new Background(),
  retention: new Retention(),
});

/** The audit trail; finished entries are also sent to the index, and old ones are removed. */
export function createAuditTrail({ stores, settings, client, address }: Splunkd, keeper: TrailState): AuditTrail {
  const { clock, log } = stores;
  const { background, retention } = keeper;
  const events = splunkdEvents(client, address.systemToken);
  return new AuditTrail(stores, (entry) => {
    const send = async () => {
      const { index } = auditSettings(await settings.recent(), log);
      if (index !== '') await events.send(index, AUDIT_SOURCETYPE, [renderEntry(entry)]);
    };
    const failed = (event: string) => (error: unknown) =>
      log.warn(event, { audit_id: entry.audit_id, cause: errorName(error) });
    background.run(send().catch(failed('audit_event_not_sent')));
    if (!retention.isDue(clock)) return;
    const clear = async () => retention.clear(stores, auditSettings(await settings.recent(), log));
    background.run(clear().catch(failed('audit_not_cleared')));
  });
}

/** Stores for work without a request, which is audited as the system user. */
export function createSystemStores(splunkd: Splunkd, keeper: TrailState): Stores {
  return { ...splunkd.stores, audit: createAudit(createAuditTrail(splunkd, keeper)).audit };
}

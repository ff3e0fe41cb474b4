import { AUDIT_INDEX } from '../../contract/audit.ts';
import { integerSetting } from '../../contract/settings/integerSetting.ts';
import type { Log } from '../../ports/platform/log.ts';
import type { Stanzas } from '../../ports/stores/settings.ts';
import type { RetentionLimits } from './retention.ts';

/** `[audit]` of ml_extension.conf. */
export interface AuditSettings extends RetentionLimits {
  /** Empty = no events are sent. */
  index: string;
}

export function auditSettings(stanzas: Stanzas, log: Log): AuditSettings {
  return {
    days: integerSetting(stanzas, 'audit', 'retention_days', log),
    entries: integerSetting(stanzas, 'audit', 'max_entries', log),
    // An empty value set by an administrator means off.
    index: stanzas.audit?.index === undefined ? AUDIT_INDEX : stanzas.audit.index.trim(),
  };
}

import { AUDIT_INDEX } from '../../contract/audit.ts';
import { setting } from '../../contract/settings/settings.ts';
import type { Log } from '../../ports/platform/log.ts';
import type { Stanzas } from '../../ports/stores/settings.ts';
import type { RetentionLimits } from './retention.ts';

/** `[audit]` of ml_extension.conf. */
export interface AuditSettings extends RetentionLimits {
  /** Empty = no events are sent. */
  index: string;
}

const DEFAULT_LIMITS = { days: 90, entries: 100_000 };

/** An invalid number means the default, so that a typo removes no entries. */
export function auditSettings(stanzas: Stanzas, log: Log): AuditSettings {
  const parseLimit = (name: 'retention_days' | 'max_entries', fallback: number): number => {
    const text = setting(stanzas, 'audit', name);
    if (text === undefined) return fallback;
    if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
    log.warn('setting_unreadable', { stanza: 'audit', setting: name });
    return fallback;
  };
  return {
    days: parseLimit('retention_days', DEFAULT_LIMITS.days),
    entries: parseLimit('max_entries', DEFAULT_LIMITS.entries),
    // An empty value set by an administrator means off.
    index: stanzas.audit?.index === undefined ? AUDIT_INDEX : stanzas.audit.index.trim(),
  };
}

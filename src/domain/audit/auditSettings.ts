import { AUDIT_INDEX } from '../../contract/audit.ts';
import { setting } from '../../contract/settings/settings.ts';
import type { Log } from '../../ports/platform/log.ts';
import type { Stanzas } from '../../ports/stores/settings.ts';
import type { RetentionLimits } from './retention.ts';

/** What `[audit]` in ml_extension.conf says. */
export interface AuditSettings extends RetentionLimits {
  /** Empty = entries are sent nowhere. */
  index: string;
}

const DEFAULT_KEPT = { days: 90, entries: 100_000 };

/** A number that is none keeps what is kept usually: nothing is removed for want of a readable setting. */
export function auditSettings(stanzas: Stanzas, log: Log): AuditSettings {
  const whole = (name: 'retention_days' | 'max_entries', usual: number): number => {
    const text = setting(stanzas, 'audit', name);
    if (text === undefined) return usual;
    if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
    log.warn('setting_unreadable', { stanza: 'audit', setting: name });
    return usual;
  };
  return {
    days: whole('retention_days', DEFAULT_KEPT.days),
    entries: whole('max_entries', DEFAULT_KEPT.entries),
    // Left empty means off, and only an administrator leaves it empty.
    index: stanzas.audit?.index === undefined ? AUDIT_INDEX : stanzas.audit.index.trim(),
  };
}

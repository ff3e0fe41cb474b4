export { entryView } from './entries.ts';
export { type AuditSettings, auditSettings } from './settings.ts';

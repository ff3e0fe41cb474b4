export interface WarningLog {
  warn(event: string, fields: Record<string, unknown>): void;
}

/** Entries that are in the log already: requests read the settings again and again. */
const logged = new WeakMap<WarningLog, Set<string>>();

/** @param value not logged, since settings may hold secrets; another one is logged again */
export function warnOnce(log: WarningLog, event: string, fields: Record<string, string>, value: string): void {
  const entries = logged.get(log) ?? new Set();
  logged.set(log, entries);
  const entry = JSON.stringify([event, fields, value]);
  if (!entries.has(entry)) log.warn(event, fields);
  entries.add(entry);
}

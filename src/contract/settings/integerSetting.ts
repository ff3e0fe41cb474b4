import { type IntegerRange, SETTINGS, type Setting, type SettingName, type StanzaName, setting } from './settings.ts';
import { type WarningLog, warnOnce } from './warnOnce.ts';

/** Settings of a stanza that are made by `integer` in the table. */
type IntegerName<S extends StanzaName> = {
  [N in SettingName<S>]: (typeof SETTINGS)[S]['settings'][N] extends { integer: IntegerRange } ? N : never;
}[SettingName<S>];

/** Value of an integer setting. An invalid one means the default, so that a typo neither removes nor blocks anything. */
export function integerSetting<S extends StanzaName>(
  stanzas: Parameters<typeof setting>[0],
  stanza: S,
  name: IntegerName<S>,
  log: WarningLog,
): number {
  const settings: Readonly<Record<string, Setting>> = SETTINGS[stanza].settings;
  const range = settings[name]?.integer;
  if (range === undefined) throw new Error(`[${stanza}] ${name} is not an integer setting`);
  const text = setting(stanzas, stanza, name);
  if (text === undefined) return range.default;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= range.min && value <= range.max) return value;
  warnOnce(log, 'setting_unreadable', { stanza, setting: name }, text);
  return range.default;
}

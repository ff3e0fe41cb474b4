import type { SettingName, StanzaName } from './settings.ts';

/** The value of a setting without white space around it; undefined where nothing is set. A wrong name does not compile. */
export function setting<S extends StanzaName>(
  stanzas: Readonly<Record<string, Readonly<Record<string, string>>>>,
  stanza: S,
  name: SettingName<S>,
): string | undefined {
  return stanzas[stanza]?.[name]?.trim() || undefined;
}

/** The entries of a list that is separated by commas. */
export const listed = (value: string | undefined): string[] =>
  (value ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean);

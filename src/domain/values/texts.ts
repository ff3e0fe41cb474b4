/** The string values of a JSON object; invalid JSON, which an administrator may have written, counts as empty. */
export function parseTexts(json: string | undefined): Record<string, string> {
  try {
    const value: unknown = JSON.parse(json ?? '{}');
    if (typeof value !== 'object' || value === null) return {};
    return Object.fromEntries(
      Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    );
  } catch {
    return {};
  }
}

/** The longest name of a tool that is accepted, and of a name in messages and notes. */
export const MAX_SHOWN_NAME = 256;

/** A name of a server as messages and notes show it. */
export const shortName = (name: string): string =>
  name.length > MAX_SHOWN_NAME ? `${name.slice(0, MAX_SHOWN_NAME - 1).toWellFormed()}…` : name;

/** A line of a log without its end; Windows programs end lines with a carriage return as well. */
export const withoutLineEnd = (line: string): string => line.replace(/(?<![\r\n])[\r\n]+$/, '');

const MAX_NAMES = 20;

/** Names of what exists, as a message shows them. */
export function someNames(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES).map(shortName).join(', ');
  return names.length > MAX_NAMES ? `${shown} and ${names.length - MAX_NAMES} more` : shown;
}

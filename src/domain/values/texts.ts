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

/** A line of a log without its end; Windows programs end lines with a carriage return as well. */
export const withoutLineEnd = (line: string): string => line.replace(/(?<![\r\n])[\r\n]+$/, '');

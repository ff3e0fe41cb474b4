/** Accessors for answers of unknown shape. */

export const objectOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
export const textsOf = (value: unknown): string[] => listOf(value).filter((one) => typeof one === 'string');

/** The content of the first Atom entry. */
export function contentOf(json: unknown): Record<string, unknown> {
  const [entry] = listOf(objectOf(json).entry);
  return objectOf(objectOf(entry).content);
}

/** Status and message of a failure: from the app, or from the platform as JSON or XML. */
export function wordsOf({ json, text, status }: { json: unknown; text: string; status: number }): string {
  const { message, messages } = objectOf(json);
  const [first] = listOf(messages).map(objectOf);
  const xml = /<msg[^>]*>([^<]*)</.exec(text)?.[1];
  const words = textOf(message) || textOf(first?.text) || xml;
  return `${status}${words ? `: ${words.slice(0, 300)}` : ''}`;
}

/** The app's error code; empty for other answers. */
export const codeOf = (json: unknown): string => textOf(objectOf(json).error_code);

/** Recognizes splunkd by its Server header or the form of its errors. */
export function isSplunkd({ headers, text, json }: { headers: Headers; text: string; json: unknown }): boolean {
  if (/^splunkd/i.test(headers.get('server') ?? '')) return true;
  return /<response>\s*<messages>/.test(text) || Array.isArray(objectOf(json).messages);
}

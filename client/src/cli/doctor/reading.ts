/** Parts of answers that are not known to have any form. */

export const objectOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
export const textsOf = (value: unknown): string[] => listOf(value).filter((one) => typeof one === 'string');

/** What the platform says of the first of its entries. */
export function contentOf(json: unknown): Record<string, unknown> {
  const [entry] = listOf(objectOf(json).entry);
  return objectOf(objectOf(entry).content);
}

/** The words of a refusal: the app's, the platform's in JSON or in XML, or the first of a page. */
export function wordsOf({ json, text, status }: { json: unknown; text: string; status: number }): string {
  const { message, messages } = objectOf(json);
  const [first] = listOf(messages).map(objectOf);
  const xml = /<msg[^>]*>([^<]*)</.exec(text)?.[1];
  const words = textOf(message) || textOf(first?.text) || xml;
  return `${status}${words ? `: ${words.slice(0, 300)}` : ''}`;
}

/** The code of a refusal of the app; empty where the answer is not the app's. */
export const codeOf = (json: unknown): string => textOf(objectOf(json).error_code);

/** Whether an answer comes from splunkd: it says so in a header, or in the form of its refusals. */
export function isSplunkd({ headers, text, json }: { headers: Headers; text: string; json: unknown }): boolean {
  if (/^splunkd/i.test(headers.get('server') ?? '')) return true;
  return /<response>\s*<messages>/.test(text) || Array.isArray(objectOf(json).messages);
}

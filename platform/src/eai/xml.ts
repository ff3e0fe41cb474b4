/** Any value an EAI content may hold. */
export type EaiValue = string | number | boolean | null | undefined | EaiValue[] | { [key: string]: EaiValue };

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };

/** Characters that XML 1.0 cannot carry become U+FFFD, since a parser would reject the whole document. */
export function xmlText(text: string): string {
  return text
    .toWellFormed()
    .replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char)
    .replace(/\r/g, '&#13;')
    .replace(/[^\t\n\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD');
}

export const XML_PROLOG = '<?xml version="1.0" encoding="UTF-8"?>\n';

export function xmlMessages(messages: readonly { type: string; text: string; code?: string }[]): string {
  if (messages.length === 0) return '<messages/>';
  const items = messages.map((message) => {
    const code = message.code === undefined ? '' : ` code="${xmlText(message.code)}"`;
    return `<msg type="${message.type}"${code}>${xmlText(message.text)}</msg>`;
  });
  return `<messages>${items.join('')}</messages>`;
}

/** One value in the platform's `s:` vocabulary: booleans are 1 and 0, null is an empty element. */
function xmlValue(value: EaiValue): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (Array.isArray(value)) {
    if (value.length === 0) return '<s:list/>';
    return `<s:list>${value.map((item) => `<s:item>${xmlValue(item)}</s:item>`).join('')}</s:list>`;
  }
  if (typeof value === 'object') return xmlDict(value);
  return xmlText(String(value));
}

export function xmlDict(dict: Record<string, EaiValue>): string {
  const keys = Object.entries(dict).filter(([, value]) => value !== undefined);
  if (keys.length === 0) return '<s:dict/>';
  return `<s:dict>${keys.map(([key, value]) => `<s:key name="${xmlText(key)}">${xmlValue(value)}</s:key>`).join('\n')}</s:dict>`;
}

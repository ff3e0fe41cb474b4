import { type WarningLog, warnOnce } from '../../contract/settings/warnOnce.ts';
import type { Stanzas } from '../../ports/stores/settings.ts';
import type { Price } from './price.ts';

const VERSION = 'conf';
const NUMBER = /^\d{1,9}(\.\d{1,9})?$/;

/**
 * The price of a model in `ml_prices.conf`, whose stanzas are `<service>/<model pattern>`: that of the longest stanza that
 * matches. A stanza with an invalid number is logged and ignored.
 */
export function confPrice(stanzas: Stanzas, service: string, model: string, log: WarningLog): Price | undefined {
  const names = Object.keys(stanzas).filter((name) => matches(name, `${service}/${model}`));
  for (const name of names.sort(bySpecificity)) {
    const price = priceIn(name, stanzas[name] ?? {}, log);
    if (price) return price;
  }
  return undefined;
}

/** The longest first; of equal length the one with fewer `*`, so that a model's own stanza precedes a pattern. */
const bySpecificity = (a: string, b: string): number =>
  b.length - a.length || a.split('*').length - b.split('*').length || (a < b ? -1 : 1);

function priceIn(stanza: string, values: Stanzas[string], log: WarningLog): Price | undefined {
  const settings = ['input_per_million', 'cached_input_per_million', 'output_per_million'] as const;
  const texts = settings.map((setting) => values?.[setting]?.trim() || undefined);
  const [input, cachedInput, output] = texts.map((text) => (text === undefined ? undefined : Number(text)));
  const invalid = settings.findIndex((setting, index) => {
    const text = texts[index];
    return text === undefined ? setting === 'input_per_million' : !NUMBER.test(text);
  });
  if (input !== undefined && invalid < 0) return { input, cachedInput, output, version: VERSION };
  warnOnce(log, 'price_unreadable', { stanza, setting: String(settings[invalid]) }, String(texts[invalid]));
  return undefined;
}

/** `*` stands for any text. Services and models are compared without case. */
function matches(pattern: string, text: string): boolean {
  const [first = '', ...parts] = pattern.toLowerCase().split('*');
  const last = parts.pop();
  const whole = text.toLowerCase();
  if (last === undefined) return whole === first;
  if (!first.includes('/') || !whole.startsWith(first)) return false;
  let position = first.length;
  for (const part of parts) {
    const index = whole.indexOf(part, position);
    if (index < 0) return false;
    position = index + part.length;
  }
  return whole.length - last.length >= position && whole.endsWith(last);
}

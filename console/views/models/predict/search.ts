import { quoted } from '../../../parts/text/format.ts';

/** Fields of one event; more would make the search unreadable. */
const MOST_FIELDS = 50;

/** A search that makes one event of a row and applies the model to it. */
export function searchFor(model: string, row: Readonly<Record<string, unknown>>): string {
  const fields = Object.entries(row)
    .slice(0, MOST_FIELDS)
    .map(([name, value]) => `${quoted(name)}=${valueIn(value)}`);
  const event = fields.length === 0 ? '' : ` | eval ${fields.join(', ')}`;
  return `| makeresults${event} | mlpredict model=${quoted(model)}`;
}

const valueIn = (value: unknown): string =>
  typeof value === 'number' || NUMBER.test(String(value)) ? String(value) : quoted(textOf(value));

/** Longer integers, and digits with a zero before them, are no numbers to a search either. */
const NUMBER = /^-?(0|[1-9]\d{0,14})(\.\d+)?$/;

const textOf = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));

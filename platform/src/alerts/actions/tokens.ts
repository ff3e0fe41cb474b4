import { cellText, type Row } from '../../search/results/rows.ts';

/** The values of tokens by their names; undefined for a name without one. */
export type Tokens = (name: string) => string | undefined;

const TOKEN = /\$(result\.[^$\r\n{]+|[A-Za-z_][\w.:@-]*)(?:\{default=([^}$]*)\})?\$/g;

/** Replaces `$name$`; a token without a value is replaced by its default, else by nothing. Values are not looked into. */
export function fillTokens(text: string, tokens: Tokens): string {
  return text.replace(TOKEN, (_whole, name: string, usual: string | undefined) => {
    const value = tokens(name);
    return value === undefined || value === '' ? (usual ?? '') : value;
  });
}

/** `$result.field$` of a row, and tokens by name. */
export function tokensOf(named: Readonly<Record<string, string>>, row: Row | undefined): Tokens {
  return (name) => {
    if (name.startsWith('result.')) return row === undefined ? undefined : cellText(row[name.slice('result.'.length)]);
    return Object.hasOwn(named, name) ? named[name] : undefined;
  };
}

const MONTHS = 'January February March April May June July August September October November December'.split(' ');

/** Tokens of the time of a trigger. @param seconds epoch */
export function timeTokens(seconds: number): Record<string, string> {
  const date = new Date(seconds * 1000);
  return {
    trigger_date: `${MONTHS[date.getUTCMonth()]} ${date.getUTCDate()}, ${date.getUTCFullYear()}`,
    trigger_time: String(Math.floor(seconds)),
    trigger_timeHMS: date.toISOString().slice(11, 19),
  };
}

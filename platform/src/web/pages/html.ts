import { xmlText } from '../../eai/xml.ts';

/** Markup that is safe to send: made by `html` alone. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Markup out of a template: whatever is filled in is escaped, unless it is markup itself. */
export function html(parts: TemplateStringsArray, ...values: readonly (string | number | Html | Html[])[]): Html {
  const filled = values.map((value) => [value].flat().map(markup).join(''));
  return new Html(parts.map((part, index) => part + (filled[index] ?? '')).join(''));
}

function markup(value: string | number | Html): string {
  return value instanceof Html ? value.text : xmlText(String(value));
}

/** A value as an expression of JavaScript that may also stand in a page: nothing in it ends the script. */
export function scriptValue(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

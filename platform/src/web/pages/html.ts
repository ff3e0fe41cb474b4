import { xmlText } from '../../eai/xml.ts';

/** Markup that is safe to send, created only by `html`. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** A template tag that escapes every value except markup. */
export function html(parts: TemplateStringsArray, ...values: readonly (string | number | Html | Html[])[]): Html {
  const filled = values.map((value) => [value].flat().map(markup).join(''));
  return new Html(parts.map((part, index) => part + (filled[index] ?? '')).join(''));
}

function markup(value: string | number | Html): string {
  return value instanceof Html ? value.text : xmlText(String(value));
}

/** Formats a value as a JavaScript expression that cannot end the script element. */
export function scriptValue(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

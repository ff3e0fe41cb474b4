import type { Sink } from '../spans/span.ts';

/** A key word may end a longer key, as in `DB_PASSWORD`. */
export const SECRET_KEY =
  '(?<![A-Za-z0-9])(?:password|passwort|passwd|pwd|passphrase|passcode|secret|token|api[_-]?key|apikey|access[_-]?key|private[_-]?key|secret[_-]?key|client_?secret|credential|userpassword|dbpassword|connectionpassword)';
const KEYED = new RegExp(
  `${SECRET_KEY}(?:["']?[ \\t]{0,2}(?:=>|=|:(?!//))[ \\t]{0,2}|['"] ?>|>)(?:\\{([^{}\\n]{1,256})\\}|"([^"\\n]{1,512})"|'([^'\\n]{1,512})'|([^\\s,;"'<>{}&|\`()\\[\\]][^\\s,;"'<&|\`]{0,511}))`,
  'dgi',
);
const NO_SECRET =
  /^(?:[*x•.#_-]+|\$.*|%[^%]*%|<.*|\{.*|\[.*|null|none|nil|true|false|yes|no|n\/a|na|empty|unset|set|changed|expired|required|invalid|incorrect|wrong|missing|redacted|removed|hidden|masked|string|reset|failed|ok|success|unknown|undefined|default|is|was|not|for|the|and|or)$/i;
const LEAST_TOKEN = 6;

/** Whether a value is empty, a variable, masked already, or a word of prose. */
export const isNoSecret = (value: string): boolean => value === '' || NO_SECRET.test(value);

export function passwords(text: string, sink: Sink): void {
  for (const match of text.matchAll(KEYED)) {
    const [start, end] = match.indices?.slice(1).find((place) => place !== undefined) ?? [0, 0];
    takeSecret(text, sink, start, end, /token|key/i.test(text.slice(match.index, start)));
  }
  headers(text, sink);
  if (/cookie/i.test(text)) cookies(text, sink);
}

function takeSecret(text: string, sink: Sink, start: number, to: number, isToken: boolean): void {
  let end = to;
  const isQuoted = /["'}]/.test(text.charAt(to));
  while (!isQuoted && end > start && '.,;:)]}>"\''.includes(text.charAt(end - 1))) end -= 1;
  const value = text.slice(start, end);
  if (isNoSecret(value)) return;
  if (isToken && (value.length < LEAST_TOKEN || /^[A-Za-z]+$/.test(value))) return;
  sink.take('password', start, end);
}

const AUTHORIZATION =
  /\bAuthorization["']?[ \t]{0,2}[:=][ \t]{0,2}["']?(?:(?:Basic|Bearer|Token|ApiKey|Digest|Negotiate|Splunk)[ \t]{1,4})?([\w+/=.~-]{6,8192})/dgi;
const SCHEME = /\b(?:Basic|Bearer)[ \t]{1,4}([\w+/=.~-]{8,8192})/dg;

function headers(text: string, sink: Sink): void {
  for (const pattern of [AUTHORIZATION, SCHEME]) {
    for (const match of text.matchAll(pattern)) {
      const [start, end] = match.indices?.[1] ?? [0, 0];
      const value = text.slice(start, end);
      // `Basic authentication` is a word of prose.
      if (pattern === AUTHORIZATION || /\d|=$|[a-z][A-Z]/.test(value)) sink.take('password', start, end);
    }
  }
}

const COOKIES =
  /\b(set-)?cookie["']?[ \t]{0,2}[:=][ \t]{0,2}["']?((?:[^\s=;,"']{1,128}=[^\s;"']{0,4096}(?:;[ \t]{0,4})?){1,64})/dgi;
const PAIR = /(?:^|;[ \t]{0,4})([^\s=;,"']{1,128})=([^\s;"']{1,4096})/dg;
const SESSION = /sess|sid$|auth|token|jwt|csrf|remember|login|secret|splunkd/i;
const LEAST_COOKIE = 8;

/** Values of session-like names; of a cookie that is set, any longer one. */
function cookies(text: string, sink: Sink): void {
  for (const match of text.matchAll(COOKIES)) {
    const isSet = match[1] !== undefined;
    const [from] = match.indices?.[2] ?? [0];
    for (const pair of (match[2] ?? '').matchAll(PAIR)) {
      const [, name = '', value = ''] = pair;
      const [start, end] = pair.indices?.[2] ?? [0, 0];
      const isAttribute = /^(?:path|domain|expires|max-age|samesite)$/i.test(name);
      const isSecret = SESSION.test(name) || (isSet && !isAttribute && value.length >= LEAST_COOKIE);
      if (isSecret && value.length >= 4) sink.take('password', from + start, from + end);
    }
  }
}

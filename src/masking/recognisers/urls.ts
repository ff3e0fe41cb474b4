import type { Sink } from '../spans/span.ts';
import { withoutEnd } from '../text/letters.ts';

const AUTHORITY = /[^\s/?#"'<>\\`]{1,400}/y;
/** A password that holds `/`, `?` or `#` as it is. */
const LONG_AUTHORITY = /[^\s"'<>\\`:@]{1,128}:(?!\d{1,5}[/?#])[^\s"'<>\\`@]{1,200}@/y;
const QUERY =
  /[?&;](?:[\w.-]{0,30}[_.-])?(?:token|key|apikey|sig|signature|code|password|passwd|pwd|secret|auth|credential|session|sessionid|jwt)=([^&\s"'<>#;\\]{1,4096})/gi;
const LEAST_QUERY = 6;

/** User and password of an address, and secrets among its parameters; the text is read as it stands, escapes included. */
export function urlSecrets(text: string, sink: Sink): void {
  for (let index = text.indexOf('://'); index >= 0; index = text.indexOf('://', index + 1)) {
    if (/\w/.test(text.charAt(index - 1))) userInfo(text, sink, index + 3);
  }
  if (!text.includes('=')) return;
  for (const match of text.matchAll(QUERY)) {
    const value = withoutEnd(match[1] ?? '', ').,]}');
    const start = match.index + match[0].length - (match[1]?.length ?? 0);
    if (value.length >= LEAST_QUERY || /pass|pwd/i.test(match[0].slice(0, start - match.index))) {
      sink.take('url_secret', start, start + value.length, unescaped(value));
    }
  }
}

function userInfo(text: string, sink: Sink, from: number): void {
  LONG_AUTHORITY.lastIndex = from;
  AUTHORITY.lastIndex = from;
  const short = AUTHORITY.exec(text)?.[0] ?? '';
  const authority = short.includes('@') ? short : (LONG_AUTHORITY.exec(text)?.[0] ?? '');
  const length = authority.lastIndexOf('@');
  if (length < 0) return;
  const info = authority.slice(0, length);
  const colon = info.indexOf(':');
  const name = colon < 0 ? info : info.slice(0, colon);
  if (name !== '') sink.take('user', from, from + name.length, unescaped(name));
  if (colon >= 0 && colon + 1 < length) {
    sink.take('url_secret', from + colon + 1, from + length, unescaped(info.slice(colon + 1)));
  }
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

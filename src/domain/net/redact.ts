const HIDDEN = '[redacted]';
const DEFAULT_LIMIT = 300;
/** Shorter values, such as a header `1`, would match everywhere. */
const SHORTEST_SECRET = 4;
/** Longer text is truncated first: patterns must not run over megabytes. */
const MAX_SEARCHED = 16_384;

/** Patterns of unknown credentials, each in linear time. */
const SUSPECTS: readonly RegExp[] = [
  /\b(?:Bearer|Basic|Splunk)\s+[\w.~+/=:-]{6,}/gi,
  /\bsk-[\w-]{6,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{8,}/g,
  /\bAIza[\w-]{10,}/g,
  /\bgh[pousr]_\w{16,}/g,
  /\bxox[abeoprs]-[\w-]{10,}/g,
];

// biome-ignore lint/suspicious/noControlCharactersInRegex: matches control characters on purpose.
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g;

/**
 * Makes a server's text safe for a reply or a log line: removes the secrets (plain, URL-encoded, base64, JSON-escaped) and
 * anything that looks like a credential, joins lines and truncates.
 */
export function redact(text: string, secrets: readonly (string | undefined)[] = [], limit = DEFAULT_LIMIT): string {
  let clean = withoutForms(text, secretForms(secrets), Math.max(MAX_SEARCHED, limit));
  clean = clean.replace(DOTTED, withoutJwt);
  for (const pattern of SUSPECTS) clean = clean.replace(pattern, HIDDEN);
  clean = clean.replace(CONTROL, ' ').replace(/\s+/g, ' ').trim();
  return clean.length <= limit ? clean : `${clean.slice(0, limit - 1)}…`;
}

/**
 * Shorter secrets are not masked in answers, only in error texts: the mask would tell a caller who makes a server repeat
 * guesses which one is right, and a short text may stand anywhere in an honest answer.
 */
export const SHORTEST_MASKED = 12;
export const maskable = (secrets: readonly string[]): string[] =>
  secrets.filter(({ length }) => length >= SHORTEST_MASKED);

/** A value of an answer with a mask for each of the secrets that may be masked. Numbers and the like stay as they are. */
export function withMasks<T>(value: T, secrets: readonly string[]): T {
  const forms = secretForms(maskable(secrets));
  if (forms.length === 0) return value;
  const masked = (inner: unknown): unknown => {
    if (typeof inner === 'string') return forms.reduce((text, form) => text.replaceAll(form, HIDDEN), inner);
    if (Array.isArray(inner)) return inner.map(masked);
    if (typeof inner !== 'object' || inner === null) return inner;
    // fromEntries defines keys: one called __proto__ is data.
    return Object.fromEntries(Object.entries(inner).map(([key, member]) => [masked(key), masked(member)]));
  };
  return masked(value) as T;
}

/** Removes the secrets from bytes and changes nothing else. */
export function withoutSecrets(bytes: Buffer, secrets: readonly string[]): Buffer {
  let text = bytes.toString('latin1');
  for (const form of secretForms(secrets)) text = text.replaceAll(Buffer.from(form).toString('latin1'), HIDDEN);
  return Buffer.from(text, 'latin1');
}

/** Truncates long text first, then drops the end, where a secret may have been cut in two. */
function withoutForms(text: string, forms: readonly string[], limit: number): string {
  const longest = forms[0]?.length ?? 0;
  const isCut = text.length > limit + longest;
  let clean = isCut ? text.slice(0, limit + longest) : text;
  for (const form of forms) clean = clean.replaceAll(form, HIDDEN);
  return (isCut ? clean.slice(0, Math.max(0, clean.length - longest)) : clean).slice(0, limit);
}

/** Matches a whole run, since a pattern for the token anywhere would take quadratic time. */
const DOTTED = /[\w.-]+/g;
const JWT_HEAD = /\beyJ[\w-]{5}/;

/** Redacts from the beginning of a JSON Web Token to the end of the run. */
function withoutJwt(run: string): string {
  const parts = run.split('.');
  const first = parts.findIndex((part, index) => JWT_HEAD.test(part) && (parts[index + 1]?.length ?? 0) >= 5);
  if (first < 0) return run;
  const head = parts[first] ?? '';
  return [...parts.slice(0, first), `${head.slice(0, head.search(JWT_HEAD))}${HIDDEN}`].join('.');
}

/** Whether the text contains a secret in any of its encodings. */
export function containsSecret(text: string, secrets: readonly (string | undefined)[] = []): boolean {
  return secretForms(secrets).some((form) => text.includes(form));
}

function secretForms(secrets: readonly (string | undefined)[]): string[] {
  const forms = new Set<string>();
  for (const secret of secrets) {
    if (secret === undefined || secret.length < SHORTEST_SECRET) continue;
    forms.add(secret);
    forms.add(new URLSearchParams({ s: secret }).toString().slice(2));
    forms.add(JSON.stringify(secret).slice(1, -1));
    try {
      forms.add(encodeURIComponent(secret));
    } catch {
      // A lone surrogate has no URL form.
    }
    const base64 = Buffer.from(secret).toString('base64');
    forms.add(base64);
    forms.add(base64.replace(/={1,2}$/, ''));
    forms.add(Buffer.from(secret).toString('base64url'));
  }
  // Host names are lower-cased.
  for (const form of [...forms]) forms.add(form.toLowerCase());
  // Longest first: a secret that contains another one must be removed completely.
  return [...forms].filter((form) => form.length >= SHORTEST_SECRET).sort((a, b) => b.length - a.length);
}

const HIDDEN = '[redacted]';
const DEFAULT_LIMIT = 300;
/** Shorter values (a header `1`, say) would only riddle the text with holes. */
const SHORTEST_SECRET = 4;
/** Text beyond this is cut before it is searched: patterns must not run over megabytes. */
const SEARCHED = 16_384;

/** What looks like a credential although nobody told us about it. Each pattern takes one look at each character. */
const SUSPECTS: readonly RegExp[] = [
  /\b(?:Bearer|Basic|Splunk)\s+[\w.~+/=:-]{6,}/gi,
  /\bsk-[\w-]{6,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{8,}/g,
  /\bAIza[\w-]{10,}/g,
  /\bgh[pousr]_\w{16,}/g,
  /\bxox[abeoprs]-[\w-]{10,}/g,
];

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g;

/**
 * Text of a peer made fit for a reply or a log line: without the given secrets (plain, URL-encoded, base64, JSON-escaped),
 * without anything that looks like a credential, on one line, at most `limit` characters.
 */
export function redact(text: string, secrets: readonly (string | undefined)[] = [], limit = DEFAULT_LIMIT): string {
  let clean = withoutForms(text, secretForms(secrets), Math.max(SEARCHED, limit));
  clean = clean.replace(DOTTED, withoutJwt);
  for (const pattern of SUSPECTS) clean = clean.replace(pattern, HIDDEN);
  clean = clean.replace(CONTROL, ' ').replace(/\s+/g, ' ').trim();
  return clean.length <= limit ? clean : `${clean.slice(0, limit - 1)}…`;
}

/** Bytes without the given secrets, where they are too many or too raw for `redact`: nothing else of them changes. */
export function withoutSecrets(bytes: Buffer, secrets: readonly string[]): Buffer {
  let text = bytes.toString('latin1');
  for (const form of secretForms(secrets)) text = text.replaceAll(Buffer.from(form).toString('latin1'), HIDDEN);
  return Buffer.from(text, 'latin1');
}

/** Long texts are cut first, and then lose the end in which a secret may have been cut through. */
function withoutForms(text: string, forms: readonly string[], limit: number): string {
  const longest = forms[0]?.length ?? 0;
  const isCut = text.length > limit + longest;
  let clean = isCut ? text.slice(0, limit + longest) : text;
  for (const form of forms) clean = clean.replaceAll(form, HIDDEN);
  return (isCut ? clean.slice(0, Math.max(0, clean.length - longest)) : clean).slice(0, limit);
}

/** A whole run at a time: a pattern that looked for the token's shape anywhere would read the run again from each place. */
const DOTTED = /[\w.-]+/g;
const JWT_HEAD = /\beyJ[\w-]{5}/;

/** A JSON Web Token, from its beginning to the end of the run. */
function withoutJwt(run: string): string {
  const parts = run.split('.');
  const first = parts.findIndex((part, index) => JWT_HEAD.test(part) && (parts[index + 1]?.length ?? 0) >= 5);
  if (first < 0) return run;
  const head = parts[first] ?? '';
  return [...parts.slice(0, first), `${head.slice(0, head.search(JWT_HEAD))}${HIDDEN}`].join('.');
}

/** Whether one of the secrets, in any of its usual forms, is in the text. */
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
  // In a host name everything is in lower case.
  for (const form of [...forms]) forms.add(form.toLowerCase());
  // The longest first: a secret that contains another one must not leave its tail behind.
  return [...forms].filter((form) => form.length >= SHORTEST_SECRET).sort((a, b) => b.length - a.length);
}

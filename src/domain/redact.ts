const HIDDEN = '[redacted]';
const DEFAULT_LIMIT = 300;
/** Shorter values (a header `1`, say) would only riddle the text with holes. */
const SHORTEST_SECRET = 4;
/** Text beyond this is cut before it is searched: patterns must not run over megabytes. */
const SEARCHED = 16_384;

/** What looks like a credential although nobody told us about it. */
const SUSPECTS: readonly RegExp[] = [
  /\beyJ[\w-]{5,}\.[\w-]{5,}(?:\.[\w-]*){0,3}/g,
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
  let clean = text;
  for (const form of secretForms(secrets)) clean = clean.replaceAll(form, HIDDEN);
  clean = clean.slice(0, Math.max(SEARCHED, limit));
  for (const pattern of SUSPECTS) clean = clean.replace(pattern, HIDDEN);
  clean = clean.replace(CONTROL, ' ').replace(/\s+/g, ' ').trim();
  return clean.length <= limit ? clean : `${clean.slice(0, limit - 1)}…`;
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
    forms.add(base64.replace(/=+$/, ''));
    forms.add(Buffer.from(secret).toString('base64url'));
  }
  // The longest first: a secret that contains another one must not leave its tail behind.
  return [...forms].filter((form) => form.length >= SHORTEST_SECRET).sort((a, b) => b.length - a.length);
}

import type { Sink } from '../spans/span.ts';

/** Prefixes of keys with the length behind; the group, where there is one, is the secret. */
const KEYS: readonly { trigger: RegExp; pattern: RegExp }[] = [
  {
    trigger: /AKIA|ASIA|ABIA|ACCA|A3T/,
    pattern: /(?<![A-Za-z0-9])(?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}(?![A-Za-z0-9])/dg,
  },
  {
    trigger: /secret/i,
    pattern:
      /(?:aws_?secret(?:_?access)?(?:_?key)?|secret_?access_?key)["']?[ \t]{0,3}[=:][ \t]{0,3}["']?([A-Za-z0-9/+=]{40})(?![A-Za-z0-9/+=])/dgi,
  },
  { trigger: /gh[pousr]_/, pattern: /(?<![A-Za-z0-9])gh[pousr]_[A-Za-z0-9]{36,255}(?![A-Za-z0-9_])/dg },
  { trigger: /github_pat_/, pattern: /(?<![A-Za-z0-9])github_pat_\w{82}(?!\w)/dg },
  { trigger: /glpat-/, pattern: /(?<![A-Za-z0-9])glpat-[\w-]{20,64}(?![\w-])/dg },
  { trigger: /xox/, pattern: /(?<![A-Za-z0-9])xox[abeoprs]-[A-Za-z0-9-]{10,250}(?![\w-])/dg },
  {
    trigger: /hooks\.slack/,
    pattern: /hooks\.slack\.com\/(?:services|workflows)\/([A-Za-z0-9/]{20,128})(?![A-Za-z0-9/])/dg,
  },
  { trigger: /sk-/, pattern: /(?<![A-Za-z0-9])sk-(?:proj-|svcacct-|admin-)?[\w-]{10,200}T3BlbkFJ[\w-]{10,200}/dg },
  { trigger: /sk-ant-/, pattern: /(?<![A-Za-z0-9])sk-ant-(?:api|admin)\d\d-[\w-]{80,120}AA(?![\w-])/dg },
  { trigger: /AIza/, pattern: /(?<![A-Za-z0-9])AIza[\w-]{35}(?![\w-])/dg },
  { trigger: /[sr]k_live_/, pattern: /(?<![A-Za-z0-9])[sr]k_live_[A-Za-z0-9]{16,200}(?![A-Za-z0-9])/dg },
  { trigger: /npm_/, pattern: /(?<![A-Za-z0-9])npm_[A-Za-z0-9]{36}(?![A-Za-z0-9])/dg },
  {
    trigger: /token|splunk/i,
    pattern:
      /(?:\btoken["']?[ \t]{0,2}[=:][ \t]{0,2}["']?|\bSplunk[ \t]{1,3})([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?![\w-])/dgi,
  },
  { trigger: /Splunk eyJ/i, pattern: /\bSplunk[ \t]{1,3}(eyJ[\w.-]{16,4096})/dgi },
];

export function keys(text: string, sink: Sink): void {
  for (const { trigger, pattern } of KEYS) {
    if (!trigger.test(text)) continue;
    for (const match of text.matchAll(pattern)) {
      const [start, end] = match.indices?.[1] ?? match.indices?.[0] ?? [0, 0];
      sink.take('key', start, end);
    }
  }
}

const JWT = /(?<![\w-])(ey[\w-]{8,4096})\.ey[\w-]{4,16384}\.[\w-]{0,2048}/g;

export function webTokens(text: string, sink: Sink): void {
  if (!text.includes('ey')) return;
  for (const match of text.matchAll(JWT)) {
    if (isHeader(match[1] ?? '')) sink.take('jwt', match.index, match.index + match[0].length);
  }
}

function isHeader(part: string): boolean {
  try {
    const header: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    return typeof header === 'object' && header !== null && 'alg' in header;
  } catch {
    return false;
  }
}

const BEGIN = /-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g;
const END = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
/** A block whose end was cut off. */
const BODY = /[A-Za-z0-9+/=\s\\:,-]*/y;

export function privateKeys(text: string, sink: Sink): void {
  if (!text.includes('-----BEGIN ')) return;
  const ends = [...text.matchAll(END)].map((match) => match.index + match[0].length);
  let next = 0;
  let covered = 0;
  for (const { index, 0: line } of text.matchAll(BEGIN)) {
    if (index < covered) continue;
    while ((ends[next] ?? Number.POSITIVE_INFINITY) <= index) next += 1;
    covered = ends[next] ?? endOfBody(text, index + line.length);
    sink.take('pem', index, covered);
  }
}

function endOfBody(text: string, from: number): number {
  BODY.lastIndex = from;
  return from + (BODY.exec(text)?.[0].trimEnd().length ?? 0);
}

import { isObject } from '../../contract/basics.ts';
import type { SecretChange } from './secrets.ts';

const JWT = /^[\w-]+\.([\w-]+)\.[\w-]*$/;
const LONGEST = 16_384;
/** The year 5138: whoever writes more means milliseconds, or nothing. */
const LATEST_S = 100_000_000_000;

/** When a token ends that says so itself (the claim `exp` of a JWT), epoch seconds. Nothing vouches for it. */
export function tokenEnd(token: string): number | undefined {
  const [, claims] = token.length > LONGEST ? [] : (JWT.exec(token) ?? []);
  if (claims === undefined) return undefined;
  try {
    const read: unknown = JSON.parse(Buffer.from(claims, 'base64url').toString('utf8'));
    const end = isObject(read) ? read.exp : undefined;
    return typeof end === 'number' && end > 0 && end < LATEST_S ? end : undefined;
  } catch {
    return undefined;
  }
}

/** Path of a secret -> when it ends. */
export type TokenEnds = Readonly<Record<string, number>>;

/** The ends of those of these secrets that have one, as a write leaves them: a list reads them without opening a secret. */
export function tokenEnds({ keep, set }: SecretChange, paths: readonly string[], known: TokenEnds = {}): TokenEnds {
  const ends = paths.map((path): [string, number | undefined] => {
    const value = set[path];
    return [path, value === undefined ? (keep.includes(path) ? known[path] : undefined) : tokenEnd(value)];
  });
  return Object.fromEntries(ends.filter((entry): entry is [string, number] => entry[1] !== undefined));
}

import { isObject } from '../../contract/basics.ts';
import type { SecretChange } from './secrets.ts';

const JWT = /^[\w-]+\.([\w-]+)\.[\w-]*$/;
const LONGEST = 16_384;
/** The year 5138; larger values are milliseconds or garbage. */
const LATEST_S = 100_000_000_000;

/** The `exp` claim of a JWT in epoch seconds; the token is not verified. */
export function tokenEnd(token: string): number | undefined {
  const [, claims] = token.length > LONGEST ? [] : (JWT.exec(token) ?? []);
  if (claims === undefined) return undefined;
  try {
    const claimSet: unknown = JSON.parse(Buffer.from(claims, 'base64url').toString('utf8'));
    const end = isObject(claimSet) ? claimSet.exp : undefined;
    return typeof end === 'number' && end > 0 && end < LATEST_S ? end : undefined;
  } catch {
    return undefined;
  }
}

/** Path of a secret -> expiry in epoch seconds. */
export type TokenEnds = Readonly<Record<string, number>>;

/** Expiries of the secrets after a write, stored so that lists need not read secrets. */
export function tokenEnds({ keep, set }: SecretChange, paths: readonly string[], earlier: TokenEnds = {}): TokenEnds {
  const ends = paths.map((path): [string, number | undefined] => {
    const value = set[path];
    return [path, value === undefined ? (keep.includes(path) ? earlier[path] : undefined) : tokenEnd(value)];
  });
  // Ends of secrets that only another version of the app knows stay.
  const others = Object.entries(earlier).filter(([path]) => !paths.includes(path));
  return Object.fromEntries([...others, ...ends].filter((entry): entry is [string, number] => entry[1] !== undefined));
}

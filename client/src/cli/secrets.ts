import { readFileSync } from 'node:fs';
import { UsageError } from './usage.ts';

/** `<family>/<name>` -> dotted path -> secret. */
export type Secrets = Record<string, Record<string, string>>;

const PREFIX = 'ML_SECRET_';

/** The environment variable for a secret; other bytes than letters and digits become `_` and two hexadecimal digits. */
export const variableOf = (record: string, path: string): string => `${PREFIX}${escaped(record)}__${escaped(path)}`;

function escaped(text: string): string {
  const bytes = new TextEncoder().encode(text);
  return Array.from(bytes, (byte) => {
    const char = String.fromCharCode(byte);
    return /[A-Za-z0-9]/.test(char) ? char : `_${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }).join('');
}

/** @throws UsageError naming the variable, never its value */
function unescaped(text: string, variable: string): string {
  if (!/^([A-Za-z0-9]|_[0-9A-Fa-f]{2})+$/.test(text)) throw badVariable(variable);
  const bytes = [...text.matchAll(/_([0-9A-Fa-f]{2})|(.)/g)].map(([, hex, char]) =>
    hex === undefined ? (char as string).charCodeAt(0) : Number.parseInt(hex, 16),
  );
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(bytes));
  } catch {
    throw badVariable(variable);
  }
}

const badVariable = (variable: string) =>
  new UsageError(`${variable} is not ${PREFIX}<family/name>__<path> in its escaped form: see mlx plan --help`);

/** Secrets of a file, overridden by the environment. @throws UsageError without values */
export function readSecrets(file: string | undefined, env: NodeJS.ProcessEnv): Secrets {
  const secrets = file === undefined ? {} : secretsOfFile(file);
  for (const [variable, value] of Object.entries(env)) {
    if (!variable.startsWith(PREFIX) || !value) continue;
    const [record, path, ...more] = variable.slice(PREFIX.length).split('__');
    if (record === undefined || path === undefined || more.length > 0) throw badVariable(variable);
    const name = unescaped(record, variable);
    // Names are case-insensitive.
    const savedName = Object.keys(secrets).find((key) => key.toLowerCase() === name.toLowerCase()) ?? name;
    secrets[savedName] = { ...secrets[savedName], [unescaped(path, variable)]: value };
  }
  return secrets;
}

function secretsOfFile(file: string): Secrets {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    // The parser's own message would quote the file.
    const why = error instanceof SyntaxError ? 'is not valid JSON' : `cannot be read (${codeOf(error)})`;
    throw new UsageError(`${file} ${why}`);
  }
  if (!isMapOf(value, (inner) => isMapOf(inner, (secret) => typeof secret === 'string')))
    throw new UsageError(`${file} must hold {"<family>/<name>": {"<dotted path>": "<secret>"}}`);
  return value as Secrets;
}

const codeOf = (error: unknown): string => String((error as { code?: unknown }).code ?? 'unknown reason');

const isMapOf = (value: unknown, isInner: (inner: unknown) => boolean): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).every(isInner);

import { createHash } from 'node:crypto';

const SEPARATOR = '__';
const LONGEST = 64;
const HASH_DIGITS = 8;
const OTHER_CHARACTERS = /[^A-Za-z0-9_-]/gu;
const HASHED = /^(.*)_[0-9a-f]{8}$/s;

/** Prefixes of what other records offer as tools. */
const RECORD_TOOLS = { store: 'retrieve', agent: 'agent', search: 'search' } as const;
const RESERVED: readonly string[] = Object.values(RECORD_TOOLS);

interface NamedTool {
  connection: string;
  tool: string;
}

/**
 * The name of a tool beside those of other connections: `<connection>__<tool>`. Where characters are replaced, the name is cut
 * or the separator would be ambiguous, it ends in `_` and a hash; no other name does.
 */
export function toolNameOf({ connection, tool }: NamedTool): string {
  return nameOf({ connection, tool }, !RESERVED.includes(connection));
}

/** The name of a record as a tool, such as `retrieve__<store>`. A connection that is called like a prefix has no such names. */
export const recordToolName = (kind: keyof typeof RECORD_TOOLS, record: string): string =>
  nameOf({ connection: RECORD_TOOLS[kind], tool: record }, true);

/** Whether a record of this kind may have the name: without its prefix no record has to be read. */
export const mayNameRecord = (kind: keyof typeof RECORD_TOOLS, name: string): boolean =>
  name.startsWith(`${RECORD_TOOLS[kind]}${SEPARATOR}`);

function nameOf({ connection, tool }: NamedTool, mayBePlain: boolean): string {
  const plain = `${connection}${SEPARATOR}${tool}`;
  const name = sanitized(plain);
  const isExact = name === plain && name.length <= LONGEST && splitPlain(name)?.connection === connection;
  if (mayBePlain && isExact && !HASHED.test(name)) return name;
  return hashedName({ connection, tool });
}

const hashedName = ({ connection, tool }: NamedTool): string =>
  `${sanitized(`${connection}${SEPARATOR}${tool}`).slice(0, LONGEST - HASH_DIGITS - 1)}_${hashOf(connection, tool)}`;

/** The name of a tool of a namespace beside the names of the same request, which tells them apart without a hash where it can. */
export function flatToolName(namespace: string, tool: string, isTaken: (name: string) => boolean): string {
  const plain = `${namespace}${SEPARATOR}${tool}`;
  const isPlain = plain.length <= LONGEST && sanitized(plain) === plain && !isTaken(plain);
  return isPlain ? plain : hashedName({ connection: namespace, tool });
}

/** Whether a tool of this connection may have the name. */
export function mayNameToolOf(connection: string, name: string): boolean {
  const base = HASHED.exec(name)?.[1];
  if (base === undefined) return !RESERVED.includes(connection) && splitPlain(name)?.connection === connection;
  const prefix = sanitized(`${connection}${SEPARATOR}`);
  return base.startsWith(prefix) || prefix.startsWith(base);
}

/** The parts of a name without a hash; undefined for a name with one, or without a separator. */
export function plainToolName(name: string): NamedTool | undefined {
  return HASHED.test(name) ? undefined : splitPlain(name);
}

/** A connection that ends in `_` would move the first separator. */
function splitPlain(name: string): NamedTool | undefined {
  const index = name.indexOf(SEPARATOR);
  return index < 1 ? undefined : { connection: name.slice(0, index), tool: name.slice(index + SEPARATOR.length) };
}

const sanitized = (text: string): string => text.replaceAll(OTHER_CHARACTERS, '_');

const hashOf = (connection: string, tool: string): string =>
  createHash('sha256')
    .update(JSON.stringify([connection, tool]))
    .digest('hex')
    .slice(0, HASH_DIGITS);

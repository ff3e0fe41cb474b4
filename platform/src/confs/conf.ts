import { readFileSync } from 'node:fs';
import { writeFileAtomic } from '../home/atomicFile.ts';

/** One stanza: key -> raw text. */
export type Stanza = Record<string, string>;
/** One conf file: stanza name -> stanza, in file order. */
export type Conf = Record<string, Stanza>;

/** The stanza of keys before any header. */
const DEFAULT_STANZA = 'default';

/**
 * Parses a .conf or .meta text as splunkd does: comments only at the start of a line, so values keep `#`; a trailing
 * backslash continues the value with the line break; of duplicate stanzas or keys the later wins.
 */
export function parseConf(text: string): Conf {
  const conf: Conf = emptyRecord<Stanza>();
  let stanza = DEFAULT_STANZA;
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    const start = line.trimStart();
    if (start === '' || start.startsWith('#')) continue;
    if (start.startsWith('[')) {
      const end = start.lastIndexOf(']');
      // A header without its bracket: take the rest of the line, or its keys would join the stanza before.
      stanza = end < 0 ? start.slice(1).trim() : start.slice(1, end);
      conf[stanza] ??= emptyRecord();
      continue;
    }
    let value = line;
    while (value.endsWith('\\') && index + 1 < lines.length) {
      index += 1;
      value = `${value.slice(0, -1)}\n${lines[index] ?? ''}`;
    }
    if (value.endsWith('\\') && index + 1 >= lines.length) value = value.slice(0, -1);
    const equals = value.indexOf('=');
    // splunkd ignores lines that are neither header nor setting.
    if (equals <= 0) continue;
    const key = value.slice(0, equals).trim();
    if (key === '') continue;
    const target = conf[stanza] ?? emptyRecord<string>();
    conf[stanza] = target;
    target[key] = value.slice(equals + 1).trim();
  }
  return conf;
}

/** Formats a conf so that `parseConf` reads it back. Throws on names that no .conf file can hold. */
export function formatConf(conf: Conf): string {
  const blocks = Object.entries(conf).map(([name, stanza]) => {
    if (/[\r\n]/.test(name)) throw new Error(`stanza name has a line break: ${JSON.stringify(name)}`);
    return [`[${name}]`, ...Object.entries(stanza).map(formatSetting), ''].join('\n');
  });
  return blocks.join('\n');
}

function formatSetting([key, value]: [string, string]): string {
  if (key.trim() !== key || key === '' || /^[#[]|[=\r\n]|\\$/.test(key)) {
    throw new Error(`not a setting name: ${JSON.stringify(key)}`);
  }
  const text = value.trim().replace(/\r\n?/g, '\n').replaceAll('\n', '\\\n');
  // The space keeps a trailing backslash from continuing the line; reading trims it.
  return `${key} = ${text}${text.endsWith('\\') ? ' ' : ''}`;
}

/** Reads a file; one that does not exist is an empty conf. */
export function readConf(file: string): Conf {
  try {
    return parseConf(readFileSync(file, 'utf8'));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return emptyRecord();
    throw error;
  }
}

/** Merges confs key by key; the later wins (default first, then local). */
export function mergeConf(...layers: Conf[]): Conf {
  const merged: Conf = emptyRecord<Stanza>();
  for (const layer of layers) {
    for (const [name, stanza] of Object.entries(layer)) {
      merged[name] = Object.assign(merged[name] ?? emptyRecord<string>(), stanza);
    }
  }
  return merged;
}

/** Sets keys of one stanza and keeps all others; comments are lost. Creates the file and folder if needed. */
export function writeStanza(file: string, stanza: string, values: Stanza): void {
  writeFileAtomic(file, formatConf(mergeConf(readConf(file), { [stanza]: values })));
}

/** Removes a stanza with all its keys; false when the file has none of that name. */
export function removeStanza(file: string, stanza: string): boolean {
  const conf = readConf(file);
  if (!Object.hasOwn(conf, stanza)) return false;
  delete conf[stanza];
  writeFileAtomic(file, formatConf(conf));
  return true;
}

/** Replaces `$NAME` by environment values; unset names are left as they are. */
export function substitute(text: string, env: Readonly<Record<string, string | undefined>>): string {
  return text.replace(/\$([A-Za-z_][A-Za-z0-9_]*)/g, (match, name: string) => env[name] ?? match);
}

const TRUE_WORDS = new Set(['1', 'true', 't', 'yes', 'y', 'on', 'enabled', 'enable']);
const FALSE_WORDS = new Set(['0', 'false', 'f', 'no', 'n', 'off', 'disabled', 'disable']);

/** A boolean as conf files and REST arguments write it; undefined for anything else. */
export function parseBoolean(text: string | undefined): boolean | undefined {
  const word = text?.trim().toLowerCase();
  if (word === undefined) return undefined;
  if (TRUE_WORDS.has(word)) return true;
  return FALSE_WORDS.has(word) ? false : undefined;
}

/** No prototype: stanzas and keys come from files and URLs and may be called `__proto__`. */
function emptyRecord<T>(): Record<string, T> {
  return Object.create(null) as Record<string, T>;
}

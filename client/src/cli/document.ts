import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { ConfigurationDocument, ConfigurationImport } from '../schemas.ts';
import { readSecrets } from './secrets.ts';
import { type Arguments, UsageError } from './usage.ts';

export const textOf = (document: ConfigurationDocument): string => `${JSON.stringify(document, null, 2)}\n`;

/** Replaces the file atomically. */
export function writeDocument(file: string, document: ConfigurationDocument): void {
  const part = `${file}.part`;
  writeFileSync(part, textOf(document));
  renameSync(part, file);
}

const BYTE_ORDER_MARK = /^\ufeff/;

/** The server validates the document. @throws UsageError */
export function readImport(args: Arguments): ConfigurationImport {
  const { file, secrets, 'on-existing': existing, 'include-agents': agents } = args;
  if (file === undefined) throw new UsageError('No document: pass -f <file>');
  let document: ConfigurationImport['document'];
  try {
    document = JSON.parse(readFileSync(file, 'utf8').replace(BYTE_ORDER_MARK, ''));
  } catch (error) {
    const { message, code } = error as { message: string; code?: string };
    // The parser's message quotes the file, which may contain a secret.
    const [position = ''] = /\(line \d+ column \d+\)/.exec(message) ?? [];
    throw new UsageError(code ? `${file} cannot be read (${code})` : `${file} is not valid JSON ${position}`.trim());
  }
  return {
    document,
    secrets: readSecrets(secrets, process.env),
    ...(existing === undefined ? {} : { on_existing: existing as 'update' }),
    ...(agents === undefined ? {} : { include_agents: agents }),
  };
}

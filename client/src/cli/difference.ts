import type { MlExtension } from '../client.ts';
import type { ConfigurationImport, ConfigurationImportReply, ConfigurationResult } from '../schemas.ts';
import { valueAt } from './dotted.ts';
import { variableOf } from './secrets.ts';
import { formatValue, plain, type Style, type Terminal } from './terminal.ts';

/** The visible part of a record; secrets appear only as paths. */
interface Content {
  spec: unknown;
  acl?: unknown;
}

const nameOf = ({ family, name }: Pick<ConfigurationResult, 'family' | 'name'>): string => `${family}/${name}`;

const MARKS: Readonly<Record<ConfigurationResult['action'], [mark: string, style: Style]>> = {
  create: ['+', 'green'],
  update: ['~', 'yellow'],
  unchanged: [' ', 'dim'],
  skip: ['o', 'dim'],
  blocked: ['!', 'red'],
};

/** Prints a plan as a diff against the current records. */
export async function showPlan(
  ml: MlExtension,
  { document }: ConfigurationImport,
  { result, summary, warnings = [] }: ConfigurationImportReply,
  terminal: Terminal,
): Promise<void> {
  const planned = new Map<string, Content>(document.records.map((record) => [nameOf(record), record]));
  const current = await storedOf(ml, result);
  for (const entry of result.filter(({ action }) => action !== 'unchanged')) {
    const name = nameOf(entry);
    const [mark, style] = MARKS[entry.action];
    terminal.out(terminal.paint(style, `${mark} ${plain(name)}`));
    for (const line of changesOf(entry, current.get(name.toLowerCase()), planned.get(name)))
      terminal.out(`    ${line}`);
    for (const path of entry.missing_secrets)
      terminal.out(`    ${terminal.paint('yellow', `secret ${plain(path)} is missing`)}: ${variableOf(name, path)}`);
    for (const line of problemLines(entry)) terminal.out(`    ${terminal.paint(style, line)}`);
  }
  for (const warning of warnings) terminal.note(`Warning: ${plain(warning)}`);
  const { create, update, unchanged, skip, blocked } = summary;
  const counts = `${create} to create, ${update} to update, ${unchanged} unchanged, ${skip} skipped, ${blocked} blocked`;
  terminal.out(terminal.paint('bold', counts));
}

export const problemLines = ({ problems }: ConfigurationResult): string[] =>
  problems.map(({ field, message }) => plain(field === '$record' ? message : `${field}: ${message}`));

function changesOf({ changed }: ConfigurationResult, before: Content | undefined, after: Content | undefined) {
  return changed.map((path) => {
    const [old, now] = [before, after].map((record) => valueAt(path.startsWith('acl') ? record : record?.spec, path));
    // A changed path without values is a secret.
    const difference =
      old === undefined && now === undefined ? '(secret)' : `${formatValue(old)} -> ${formatValue(now)}`;
    return `${plain(path)}: ${difference}`;
  });
}

/** The current state of records to update. */
async function storedOf(ml: MlExtension, results: readonly ConfigurationResult[]): Promise<Map<string, Content>> {
  const families = [...new Set(results.filter(({ action }) => action === 'update').map(({ family }) => family))];
  if (families.length === 0) return new Map();
  const { document } = await ml.call('exportConfiguration', { query: { family: families.join(',') } });
  return new Map(document.records.map((record) => [nameOf(record).toLowerCase(), record]));
}

import { valueAt } from '../../../client/src/cli/dotted.ts';
import { ml } from '../../api/client.ts';
import { type Document, type ImportPlan, keyOf } from './documents.ts';

/** `<family>/<name>` -> a line for each changed field. */
export type Differences = ReadonlyMap<string, readonly string[]>;

interface Content {
  spec: unknown;
  acl?: unknown;
}

const LONGEST = 120;

/** The changes that a plan would make. */
export async function differencesOf(
  document: Document,
  { result }: ImportPlan,
  signal: AbortSignal,
): Promise<Differences> {
  const updates = result.filter(({ action }) => action === 'update');
  if (updates.length === 0) return new Map();
  const family = [...new Set(updates.map((update) => update.family))].join(',');
  const { document: now } = await ml.call('exportConfiguration', { query: { family } }, { signal });
  // Names are case-insensitive.
  const existing = new Map<string, Content>(now.records.map((record) => [keyOf(record).toLowerCase(), record]));
  const planned = new Map<string, Content>(document.records.map((record) => [keyOf(record), record]));
  return new Map(
    updates.map((update) => {
      const [before, after] = [existing.get(keyOf(update).toLowerCase()), planned.get(keyOf(update))];
      return [keyOf(update), update.changed.map((path) => lineOf(path, before, after))];
    }),
  );
}

function lineOf(path: string, before: Content | undefined, after: Content | undefined): string {
  const [old, next] = [before, after].map((record) => valueAt(path.startsWith('acl') ? record : record?.spec, path));
  // Only secrets are absent from both.
  return old === undefined && next === undefined ? `${path}: a secret` : `${path}: ${words(old)} → ${words(next)}`;
}

function words(value: unknown): string {
  if (value === undefined) return 'not set';
  const text = JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)} …` : text;
}

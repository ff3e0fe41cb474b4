import { valueAt } from '../../../client/src/cli/dotted.ts';
import { ml } from '../../api/client.ts';
import { type Document, keyOf, type Planned } from './documents.ts';

/** `<family>/<name>` -> what changes in the record, a line for each field. */
export type Differences = ReadonlyMap<string, readonly string[]>;

/** What of a record can change: its secrets are told of by their paths alone. */
interface Content {
  spec: unknown;
  acl?: unknown;
}

const LONGEST = 120;

/** What a plan would change, from what is there to what the document has. */
export async function differencesOf(
  document: Document,
  { result }: Planned,
  signal: AbortSignal,
): Promise<Differences> {
  const updates = result.filter(({ action }) => action === 'update');
  if (updates.length === 0) return new Map();
  const family = [...new Set(updates.map((one) => one.family))].join(',');
  const { document: now } = await ml.call('exportConfiguration', { query: { family } }, { signal });
  // Names are compared without regard to case.
  const existing = new Map<string, Content>(now.records.map((record) => [keyOf(record).toLowerCase(), record]));
  const planned = new Map<string, Content>(document.records.map((record) => [keyOf(record), record]));
  return new Map(
    updates.map((one) => {
      const [before, after] = [existing.get(keyOf(one).toLowerCase()), planned.get(keyOf(one))];
      return [keyOf(one), one.changed.map((path) => lineOf(path, before, after))];
    }),
  );
}

function lineOf(path: string, before: Content | undefined, after: Content | undefined): string {
  const [old, next] = [before, after].map((record) => valueAt(path.startsWith('acl') ? record : record?.spec, path));
  // What neither of the two has is a secret.
  return old === undefined && next === undefined ? `${path}: a secret` : `${path}: ${words(old)} → ${words(next)}`;
}

function words(value: unknown): string {
  if (value === undefined) return 'not set';
  const text = JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)} …` : text;
}

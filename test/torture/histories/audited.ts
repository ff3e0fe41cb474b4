import type { Finding } from '../history/checker.ts';
import type { Site } from '../site/site.ts';

/**
 * No acknowledged change without its entry (contract 11), whatever was killed or failed meanwhile: of each name there are at least
 * as many entries as there were answers with 200. One that says `fail` is about a call that was refused, or a test that failed.
 * @param acknowledged name in lower case -> answers
 */
export async function unaudited(
  { platform }: Site,
  acknowledged: ReadonlyMap<string, number>,
): Promise<{ finding: Finding | undefined; figure: string }> {
  const entries = await platform.documents('ml_audit');
  const found = new Map<string, number>();
  for (const { name_key, outcome, action } of entries) {
    if (outcome === 'fail' && action !== 'test') continue;
    // The names of some families have several parts; the model knows one of them.
    for (const part of new Set(String(name_key).split('/'))) found.set(part, (found.get(part) ?? 0) + 1);
  }
  const missing = [...acknowledged].filter(([name, count]) => (found.get(name) ?? 0) < count);
  const story = missing
    .slice(0, 12)
    .map(([name, count]) => `${name}: ${count} answers, ${found.get(name) ?? 0} entries`);
  const all = [...acknowledged.values()].reduce((sum, count) => sum + count, 0);
  const unknown = entries.filter(({ outcome }) => outcome === 'unknown').length;
  return {
    finding:
      missing.length > 0 ? { what: `${missing.length} names have fewer entries than answers`, story } : undefined,
    figure: `${all} acknowledged calls, ${entries.length} entries of the audit trail, ${unknown} of unknown outcome`,
  };
}

import type { RecordStore } from '../../ports/stores/recordStore.ts';
import { fitsReference, savedModels } from '../llm-providers/public.ts';
import { aliasNames } from '../model-aliases/public.ts';

const MAX_NAMED = 20;

/** Names references that fit no model and no alias: the limit then holds what may get that name later. */
export async function referenceWarnings(records: RecordStore, references: readonly string[]): Promise<string[]> {
  const named = references.filter((reference) => reference !== '*');
  if (named.length === 0) return [];
  const [models, aliases] = await Promise.all([savedModels(records), aliasNames(records)]);
  const known = new Set(aliases.map((name) => name.toLowerCase()));
  const unknown = named.filter(
    (reference) => !known.has(reference.toLowerCase()) && !models.some((model) => fitsReference(model, reference)),
  );
  return unknown
    .slice(0, MAX_NAMED)
    .map((reference) => `applies_to.models: there is no model or alias ${JSON.stringify(reference.slice(0, 300))} now`);
}

import type { Caller } from '../../contract/caller.ts';
import { readableAliases } from '../../families/model-aliases/public.ts';
import type { RecordStore } from '../../ports/stores/recordStore.ts';
import { referenceOf, resolveModel, usableModels } from './references.ts';

/** A model in OpenAI's list. */
export interface ListedModel {
  id: string;
  object: 'model';
  created: number;
  owned_by: string;
}

const listed = (id: string, created: number, owned_by: string): ListedModel => ({
  id,
  object: 'model',
  created: Math.floor(created),
  owned_by,
});

/** What the caller may use, aliases first. */
export async function listModels(records: RecordStore, caller: Caller): Promise<ListedModel[]> {
  const [aliases, models] = await Promise.all([readableAliases(records, caller), usableModels(records, caller)]);
  const names = countNames(models.map(({ connection_name, model }) => `${connection_name}/${model}`.toLowerCase()));
  return [
    ...aliases.map(({ name, created_at }) => listed(name, created_at, 'alias')),
    ...models.map((model) => {
      const { service, connection_name, model: id, created_at } = model;
      const short = `${connection_name}/${id}`;
      // Comparing each with all others would take seconds for thousands.
      const reference = (names.get(short.toLowerCase()) ?? 0) > 1 ? referenceOf(model, models) : short;
      return listed(reference, created_at, service);
    }),
  ];
}

function countNames(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/** @throws Fault `not_found`, `ambiguous_reference` */
export async function findModel(records: RecordStore, caller: Caller, reference: string): Promise<ListedModel> {
  const { alias, targets } = await resolveModel(records, caller, reference);
  if (alias) return listed(alias.name, alias.created_at, 'alias');
  const [target] = targets;
  const model = (await usableModels(records, caller)).find((one) => one === target || isSame(one, target));
  return listed(reference, model?.created_at ?? 0, target?.service ?? '');
}

const isSame = (one: { service: string; connection_name: string; model: string }, other: typeof one | undefined) =>
  one.service === other?.service && one.connection_name === other.connection_name && one.model === other.model;

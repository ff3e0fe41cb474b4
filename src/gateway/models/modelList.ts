import type { Caller } from '../../contract/caller.ts';
import {
  nameOf,
  type ReferenceSite,
  readableAliases,
  referenceOf,
  resolveModel,
  usableModels,
} from '../../families/model-aliases/public.ts';

/** A model with the members of OpenAI's list and those of Anthropic's. */
export interface ListedModel {
  id: string;
  object: 'model';
  created: number;
  owned_by: string;
  type: 'model';
  display_name: string;
  created_at: string;
}

/** The whole list in both makers' forms. */
export interface ListedModels {
  object: 'list';
  data: ListedModel[];
  has_more: false;
  first_id: string | null;
  last_id: string | null;
}

const listed = (id: string, created: number, owned_by: string): ListedModel => ({
  id,
  object: 'model',
  created: Math.floor(created),
  owned_by,
  type: 'model',
  display_name: id,
  created_at: new Date(Math.floor(created) * 1000).toISOString(),
});

/** The models that the caller may use, aliases first. */
export async function listModels(site: ReferenceSite, caller: Caller): Promise<ListedModels> {
  const data = await modelsOf(site, caller);
  const ids = data.map(({ id }) => id);
  return { object: 'list', data, has_more: false, first_id: ids[0] ?? null, last_id: ids.at(-1) ?? null };
}

async function modelsOf(site: ReferenceSite, caller: Caller): Promise<ListedModel[]> {
  const [aliases, models] = await Promise.all([readableAliases(site.records, caller), usableModels(site, caller)]);
  const names = countNames(models.map((model) => nameOf(model).toLowerCase()));
  return [
    ...aliases.map(({ name, created_at }) => listed(name, created_at, 'alias')),
    ...models.map((model) => {
      const { service, created_at } = model;
      const short = nameOf(model);
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
export async function findModel(site: ReferenceSite, caller: Caller, reference: string): Promise<ListedModel> {
  const route = await resolveModel(site, caller, reference);
  if (route.alias) return listed(route.alias.name, route.alias.created_at, 'alias');
  const [{ created_at, service }] = route.targets;
  return listed(reference, created_at, service);
}

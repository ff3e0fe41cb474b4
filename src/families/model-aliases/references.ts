import type { Caller } from '../../contract/caller.ts';
import { passes } from '../../contract/capabilities.ts';
import { Fault } from '../../contract/codes/faults.ts';
import { fitsReference } from '../../domain/values/modelReference.ts';
import {
  LLM_READERS,
  type LlmIdentity,
  modelsNamed,
  type ReadModel,
  type SavedModel,
  savedModels,
} from '../llm-providers/public.ts';
import { anyModelInContainer, modelInContainer, modelsInContainers, type ReferenceSite } from './containerModels.ts';
import { anyAlias, type ModelAlias, readableAlias } from './readable.ts';

/** The target of a model reference: an alias or a model. */
export type ModelRoute =
  /** Targets are in the order in which they are listed. */
  | { alias: ModelAlias; targets: readonly LlmIdentity[] }
  | { alias: undefined; targets: readonly [SavedModel & Partial<ReadModel>] };

/** The alias that is used without a reference. */
const DEFAULT_ALIAS = 'default';
const MAX_CANDIDATES = 20;

/**
 * Finds what a reference stands for: an alias, `<connection>/<model>`, `<service>/<connection>/<model>`, the model of one
 * configuration only, or `container/<model>`. Aliases, connections, services and containers are matched without case.
 * @throws Fault `not_found`, `ambiguous_reference`
 */
export async function resolveModel(
  site: ReferenceSite,
  caller: Caller,
  reference: string | undefined,
): Promise<ModelRoute> {
  const name = reference ?? DEFAULT_ALIAS;
  const candidates = await Promise.all([
    name.includes('/') ? undefined : readableAlias(site.records, caller, name),
    reference !== undefined && mayNameModels(caller) ? modelsNamed(site.records, reference) : [],
    modelInContainer(site, caller, name),
  ]);
  const { route, matches } = routeOf(name, candidates);
  if (matches > 1) throw ambiguous(name, modelsOf(name, candidates), await usableModels(site, caller));
  if (!route) throw missing(reference);
  return route;
}

/**
 * Finds what a reference stands for in a record that lends its model to whoever may read the record: among all aliases and
 * configurations, without the rights of a caller.
 * @throws Fault `not_found`, `ambiguous_reference`
 */
export async function resolveLentModel(site: ReferenceSite, reference: string): Promise<ModelRoute> {
  const candidates = await Promise.all([
    reference.includes('/') ? undefined : anyAlias(site.records, reference),
    modelsNamed(site.records, reference),
    anyModelInContainer(site, reference),
  ]);
  const { route, matches } = routeOf(reference, candidates);
  // The reader of the record may not know the others.
  if (matches > 1) throw ambiguous(reference, [], []);
  if (!route) throw missing(reference);
  return route;
}

/** Everything that a text may stand for. */
type Candidates = readonly [
  alias: ModelAlias | undefined,
  configured: readonly (SavedModel & Partial<ReadModel>)[],
  contained: SavedModel | undefined,
];

const modelsOf = (name: string, [, configured, contained]: Candidates): (SavedModel & Partial<ReadModel>)[] =>
  [...configured, ...(contained ? [contained] : [])].filter((model) => fitsReference(model, name));

function routeOf(name: string, candidates: Candidates): { route: ModelRoute | undefined; matches: number } {
  const [alias] = candidates;
  const models = modelsOf(name, candidates);
  const [model] = models;
  const matches = (alias ? 1 : 0) + models.length;
  if (alias) return { matches, route: { alias, targets: alias.targets } };
  return { matches, route: model && { alias: undefined, targets: [model] } };
}

/** Models that the caller may name directly, those in containers last. */
export async function usableModels(site: ReferenceSite, caller: Caller): Promise<SavedModel[]> {
  const modelLists = await Promise.all([configuredModels(site, caller), modelsInContainers(site, caller)]);
  return modelLists.flat();
}

const configuredModels = async ({ records }: ReferenceSite, caller: Caller): Promise<SavedModel[]> =>
  mayNameModels(caller) ? savedModels(records) : [];

const mayNameModels = ({ capabilities }: Caller): boolean => passes(LLM_READERS, capabilities);

/** The shortest reference that fits only this model. */
export function referenceOf(model: LlmIdentity, models: readonly LlmIdentity[]): string {
  const short = nameOf(model);
  const isUnique = models.filter((candidate) => fitsReference(candidate, short)).length === 1;
  return isUnique ? short : `${model.service}/${short}`;
}

export const nameOf = ({ connection_name, model }: LlmIdentity): string => `${connection_name}/${model}`;

function ambiguous(reference: string, matches: readonly SavedModel[], models: readonly SavedModel[]): Fault {
  const candidates = matches.slice(0, MAX_CANDIDATES).map((model) => referenceOf(model, models));
  return new Fault(
    'ambiguous_reference',
    candidates.length > 0
      ? `Several models fit ${quote(reference)}. Use one of: ${candidates.join(', ')}.`
      : `Several models fit ${quote(reference)}: name its connection as well, as in connection/model`,
    {
      candidates,
      param: 'model',
    },
  );
}

function missing(reference: string | undefined): Fault {
  const message =
    reference === undefined
      ? `The request names no model, and there is no alias "${DEFAULT_ALIAS}" that you may read. Name a model, or create that alias.`
      : `There is no model or alias ${quote(reference)}, or you may not use it`;
  return new Fault('not_found', message, { param: 'model' });
}

const quote = (text: string): string => JSON.stringify(text.length > 300 ? `${text.slice(0, 300)}…` : text);

import type { Reply } from '../../../../client/src/index.ts';
import { ml } from '../../../api/client.ts';
import { MASK } from '../../../parts/form/values.ts';
import type { Body } from '../../../parts/panel/resource.ts';

type SavedConfiguration = Reply<'getLlmConfiguration'>['config'];
export type Service = SavedConfiguration['service'];
export type Catalogue = Reply<'getLlmCatalogue'>['config'];
export type CatalogueService = Catalogue['services'][Service];

export type Configuration = SavedConfiguration & {
  /** All models of the connection; only for a record that was read alone. */
  models?: readonly string[];
};

export interface Identity {
  service: Service;
  connection_name: string;
  model: string;
}

/** Only names of models can contain a slash. */
export const nameOf = ({ service, connection_name, model }: Identity): string =>
  `${service}/${connection_name}/${model}`;

export function identityOf(name: string): Identity {
  const [service = '', connection_name = '', ...model] = name.split('/');
  return { service: service as Service, connection_name, model: model.join('/') };
}

const MOST_MODELS = 1000;

export async function ofConnection(
  service: string,
  connection_name: string,
  signal?: AbortSignal,
): Promise<Configuration[]> {
  const query = { service, connection_name, count: MOST_MODELS, sort_key: 'model' } as never;
  return (await ml.call('listLlmConfigurations', { query }, { signal })).result;
}

const isObject = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Fields of the identity and those that the app writes. */
const METADATA_FIELDS: readonly string[] = [
  ...['service', 'connection_name', 'model', 'models', 'is_saved', 'is_model_saved', 'version', 'last_test'],
  ...['created_at', 'created_by', 'last_updated_at', 'last_updated_by'],
];

/** A save replaces all settings, so unchanged ones are sent too. Masked secrets are kept. */
export function withChange({ service, connection_name, model, ...record }: Configuration, change: Body): Body {
  const { is_saved, is_model_saved } = record;
  const settings = Object.entries(record).filter(([key]) => !METADATA_FIELDS.includes(key));
  const before = { service, connection_name, model, is_saved, is_model_saved, ...Object.fromEntries(settings) };
  return merged(before, change);
}

/** `null` removes a value; for secrets it must be sent. */
export function merged(before: Body, change: Body): Body {
  const after: Body = { ...before };
  for (const [key, value] of Object.entries(change)) {
    const was = before[key];
    if (isObject(value)) after[key] = merged(isObject(was) ? was : {}, value);
    else if (value === null && secretPaths(was, '').length === 0) delete after[key];
    else after[key] = value;
  }
  return after;
}

/** Undeclared settings, and undeclared keys of declared ones. */
export function unknownOf(settings: unknown, declared: Readonly<Record<string, unknown>>): Body {
  const entries = Object.entries(isObject(settings) ? settings : {}).flatMap(([key, value]): [string, unknown][] => {
    if (!(key in declared)) return [[key, value]];
    const { value: _, ...members } = isObject(value) ? value : {};
    return Object.keys(members).length > 0 ? [[key, members]] : [];
  });
  return Object.fromEntries(entries);
}

/** Fields of the model outside both groups. */
export const extraFields = (record: Configuration): Body =>
  Object.fromEntries(
    Object.entries(record).filter(
      ([key]) => !METADATA_FIELDS.includes(key) && key !== 'servicesettings' && key !== 'modelsettings',
    ),
  );

/** Dotted paths of the secrets of a group. */
export function secretPaths(value: unknown, path: string): string[] {
  if (value === MASK) return [path];
  // A dot in a name would be ambiguous.
  return isObject(value)
    ? Object.entries(value).flatMap(([key, member]) => (key.includes('.') ? [] : secretPaths(member, `${path}.${key}`)))
    : [];
}

export function withoutMasks(value: Body): Body {
  const entries = Object.entries(value).filter(([, member]) => member !== MASK);
  return Object.fromEntries(entries.map(([key, member]) => [key, isObject(member) ? withoutMasks(member) : member]));
}

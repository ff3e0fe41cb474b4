import type { ContainerType } from '../../../ports/engines/containerEngine.ts';
import { COMMON_DEFAULTS, COMMON_FIELDS, COMMON_SECRETS } from './commonFields.ts';
import { docker } from './docker.ts';
import type { EngineKind, EngineKinds } from './engineKind.ts';
import type { Field } from './field.ts';
import { FIELD_ORDER } from './fieldOrder.ts';
import type { Fields, OpenField, SecretField } from './fields.ts';
import { kubernetes } from './kubernetes.ts';

/** All engines, in the order of lists. */
export const ENGINE_KINDS: EngineKinds = { docker, kubernetes };
/** Engine of a start without `cluster`. */
export const DEFAULT_TYPE: ContainerType = 'docker';

export const typesOf = (kinds: EngineKinds): ContainerType[] => Object.keys(kinds) as ContainerType[];
export const CONTAINER_TYPES: readonly ContainerType[] = typesOf(ENGINE_KINDS);

/** Fields of all engines; each type of connection accepts all of them. */
export const openFields = (kinds: EngineKinds): Record<OpenField, Field> =>
  mergeOrdered(COMMON_FIELDS, ...Object.values(kinds).map(({ fields }) => fields));

export const secretFields = (kinds: EngineKinds): Record<SecretField, string> =>
  mergeOrdered(COMMON_SECRETS, ...Object.values(kinds).map(({ secrets }) => secrets));

export const openNames = (kinds: EngineKinds): OpenField[] => Object.keys(openFields(kinds)) as OpenField[];

export const defaultsOf = ({ defaults }: EngineKind): Fields => ({ ...COMMON_DEFAULTS, ...defaults });

const rank = (name: string) => {
  const index = FIELD_ORDER.indexOf(name);
  return index < 0 ? FIELD_ORDER.length : index;
};

function mergeOrdered<K extends string, T>(...tables: Readonly<Record<string, T>>[]): Record<K, T> {
  const entries = tables.flatMap((table) => Object.entries(table));
  return Object.fromEntries(entries.sort(([a], [b]) => rank(a) - rank(b))) as Record<K, T>;
}

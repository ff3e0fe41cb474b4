import { type Static, type TObject, type TSchema, Type } from 'typebox';
import type { FieldPlan } from '../../contract/rows/recordPlan.ts';
import { Metadata, Version } from '../../contract/schemas/common.ts';
import { named } from '../../contract/schemas/named.ts';
import { METADATA_SORT_KEYS, type SortKey } from '../../contract/schemas/sortKeys.ts';
import { SealedFields } from '../../contract/schemas/stored.ts';
import type { SealedDoc } from '../../domain/records/sealedRecord.ts';
import type { Field } from './fields.ts';

export type Fields = Readonly<Record<string, Field>>;
type Condition = 'create' | 'update' | 'test' | 'view' | 'stored';

/** The schemas of the fields that a condition has. */
export type SchemasOf<F extends Fields, K extends Condition> = {
  -readonly [Name in keyof F as F[Name][K] extends TSchema ? Name : never]: F[Name][K] extends TSchema
    ? F[Name][K]
    : never;
};

type SortedNames<F extends Fields> = {
  [Name in keyof F]: F[Name] extends { isSorted: true } ? Name : never;
}[keyof F] &
  SortKey;
type SortKeys<F extends Fields> = readonly [
  SortedNames<F> | (typeof METADATA_SORT_KEYS)[number],
  ...(SortedNames<F> | (typeof METADATA_SORT_KEYS)[number])[],
];

export const schemasOf = <F extends Fields, K extends Condition>(fields: F, condition: K): SchemasOf<F, K> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => (field[condition] ? [[name, field[condition]]] : [])),
  ) as SchemasOf<F, K>;

/** Descriptions of the schemas of a kind of records. */
export interface Descriptions {
  create: string;
  update: string;
  record: string;
}

/**
 * Defines a kind of records: from its fields come the bodies of a create and an update, the record in replies, the stored document
 * with its checks, the keys of lists, and how bodies are merged (docs/adr/0037-records.md). Evaluated by the build: the app itself
 * gets the compiled schemas and the plan.
 * @param name of the record in the OpenAPI document; bodies are `<name>Create` and `<name>Update`
 */
export function defineRecord<const F extends Fields>(name: string, fields: F, about: Descriptions) {
  const plans = Object.entries(fields).flatMap(([key, { plan }]): [string, FieldPlan][] => (plan ? [[key, plan]] : []));
  const keys = Object.keys(fields).filter((key) => fields[key]?.isSorted);
  return {
    fields,
    create: named(`${name}Create`, Type.Object(schemasOf(fields, 'create'), { description: about.create })),
    update: named(
      `${name}Update`,
      Type.Object({ ...schemasOf(fields, 'update'), version: Type.Optional(Version) }, { description: about.update }),
    ),
    record: named(name, Type.Object({ ...schemasOf(fields, 'view'), ...Metadata }, { description: about.record })),
    stored: Type.Object({ ...SealedFields, ...schemasOf(fields, 'stored') }) as TObject,
    sortKeys: [...keys, ...METADATA_SORT_KEYS] as unknown as SortKeys<F>,
    plan: Object.fromEntries(plans),
  };
}

/** Fields that a document may lack can be set to `undefined`, which removes them. */
export type RemovableFields<T> = { [K in keyof T]: object extends Pick<T, K & keyof T> ? T[K] | undefined : T[K] };

/** The stored document of a definition. */
export type StoredOf<D extends { fields: Fields }> = SealedDoc & Static<TObject<SchemasOf<D['fields'], 'stored'>>>;

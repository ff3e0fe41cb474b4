import { type Static, type TObject, type TOptional, type TSchema, Type } from 'typebox';
import type { FieldPlan } from '../../contract/rows/recordPlan.ts';
import { named } from '../../contract/schemas/named.ts';
import { type Fields, type SchemasOf, schemasOf } from './define.ts';
import { type Field, opt } from './fields.ts';

interface Names {
  name: string;
  description: string;
}

interface GroupAbout {
  create: Names;
  /** Default: the schema of a create. */
  update?: Names;
  view: Partial<Names> & Pick<Names, 'description'>;
}

/** The schemas of an object whose members an update changes one by one. */
export interface Group<F extends Fields> {
  fields: F;
  create: TObject<SchemasOf<F, 'create'>>;
  update: TObject<SchemasOf<F, 'update'>>;
  view: TObject<SchemasOf<F, 'view'>>;
  stored: TObject<SchemasOf<F, 'stored'>>;
}

export function group<const F extends Fields>(fields: F, { create, update, view }: GroupAbout): Group<F> {
  const object = <K extends 'create' | 'update' | 'view' | 'stored'>(condition: K, names: Partial<Names> = {}) => {
    const { name, description } = names;
    const schema = Type.Object(schemasOf(fields, condition), description === undefined ? {} : { description });
    return (name === undefined ? schema : named(name, schema)) as TObject<SchemasOf<F, K>>;
  };
  const inCreate = object('create', create);
  return {
    fields,
    create: inCreate,
    update: update ? object('update', update) : (inCreate as unknown as TObject<SchemasOf<F, 'update'>>),
    view: object('view', view),
    stored: object('stored'),
  };
}

/** A group that a create requires and an update may omit. */
export function requiredGroup<F extends Fields>({ fields, create, update, view, stored }: Group<F>) {
  const defaults = Object.entries(fields).map(([name, { plan }]) => [name, plan?.default] as const);
  const members = Object.fromEntries(defaults.filter(([, value]) => value !== undefined));
  const plan: FieldPlan = { merge: 'members', default: members, isShown: true, isJson: false };
  return { ...{ create, update: opt(update), test: null, view, stored }, plan };
}

type OptionalSchema<S extends TSchema | null> = S extends TSchema ? TOptional<S> : null;
type OptionalField<F extends Field> = Field<
  OptionalSchema<F['create']>,
  OptionalSchema<F['update']>,
  OptionalSchema<F['test']>,
  OptionalSchema<F['view']>,
  OptionalSchema<F['stored']>
>;
type AllNames<F> = F extends Fields ? keyof F : never;
type FieldOf<F, Name> = F extends Fields ? (Name extends keyof F ? F[Name] : never) : never;

/** The fields of all kinds; one that not every kind has is optional, and its kind's rules require it. */
type FieldsOfKinds<K extends Readonly<Record<string, Fields>>> = {
  [Name in AllNames<K[keyof K]>]: Name extends keyof K[keyof K]
    ? FieldOf<K[keyof K], Name>
    : OptionalField<FieldOf<K[keyof K], Name>>;
};

export function byKind<const K extends Readonly<Record<string, Fields>>>(kinds: K): FieldsOfKinds<K> {
  const lists = Object.values(kinds);
  const fields = Object.assign({}, ...lists) as Record<string, Field>;
  const entries = Object.entries(fields).map(([name, field]) => [
    name,
    lists.every((kind) => name in kind) ? field : loose(field),
  ]);
  return Object.fromEntries(entries) as FieldsOfKinds<K>;
}

function loose({ create, update, test, view, stored, ...field }: Field): Field {
  const [inCreate, inUpdate, inTest, inView, inStore] = [create, update, test, view, stored].map(
    (schema) => schema && opt(schema),
  );
  return { ...field, ...{ create: inCreate, update: inUpdate, test: inTest, view: inView, stored: inStore } } as Field;
}

/** The members of each kind as they are stored. */
export type StoredByKind<K extends Readonly<Record<string, Fields>>> = {
  [Name in keyof K]: Static<TObject<SchemasOf<K[Name], 'stored'>>>;
};

import { type TOptional, type TSchema, type TString, Type } from 'typebox';
import type { FieldPlan } from '../../contract/rows/recordPlan.ts';
import { Acl, AclInput, DescriptionInput, LastTest } from '../../contract/schemas/common.ts';
import { nameOf, narrowed } from '../../contract/schemas/named.ts';
import { JsonText, StoredAcl, StoredTest } from '../../contract/schemas/stored.ts';
import { storedForm } from './storedForm.ts';

/**
 * A field of a record: its schema in each condition, null where the condition lacks it.
 * @template S the type of the stored value; its schema states less, so that newer values stay readable
 */
export interface Field<
  C extends TSchema | null = TSchema | null,
  U extends TSchema | null = TSchema | null,
  T extends TSchema | null = TSchema | null,
  V extends TSchema | null = TSchema | null,
  S extends TSchema | null = TSchema | null,
> {
  create: C;
  update: U;
  /** In the body of a test. */
  test: T;
  view: V;
  stored: S;
  /** Absent for a field that the records themselves handle. */
  plan?: FieldPlan;
  isSorted?: boolean;
}

interface Options {
  /** In replies; default: as in a create. */
  view?: TSchema;
  /** In the store; default: derived from the reply. */
  stored?: TSchema;
  /** Default: `value`. */
  merge?: FieldPlan['merge'];
  /** Value of a required field in a test without it. */
  initial?: unknown;
  isJson?: boolean;
}

type ViewOf<I extends TSchema, O> = O extends { view: infer V extends TSchema } ? V : I;
type StoredOf<I extends TSchema, O> = O extends { stored: infer S extends TSchema }
  ? S
  : O extends { isJson: true }
    ? TString
    : ViewOf<I, O>;

const planOf = ({ merge = 'value', isJson = false }: Options, initial?: unknown): FieldPlan => ({
  ...{ merge, isShown: true, isJson },
  ...(initial === undefined ? {} : { default: initial }),
});

export const opt = <S extends TSchema>(schema: S): TOptional<S> => Type.Optional(schema) as unknown as TOptional<S>;

/** The view and the stored form of a field. */
function formsOf<I extends TSchema, O extends Options>(input: I, { view = input, stored, isJson }: O) {
  const form = () => (isJson ? JsonText(storedForm(view)) : storedForm(view));
  return { view: view as ViewOf<I, O>, stored: (stored ?? form()) as StoredOf<I, O> };
}

const NONE = {};

/** A field that a create requires. */
export const required = <I extends TSchema, const O extends Options = Record<never, never>>(
  input: I,
  options: O = NONE as O,
): Field<I, TOptional<I>, null, ViewOf<I, O>, StoredOf<I, O>> => ({
  ...{ create: input, update: opt(input), test: null },
  ...formsOf(input, options),
  plan: planOf(options, options.initial),
});

/** A field that a record may lack; null removes it. @param input may be a `Clearable` of the view */
export function optional<I extends TSchema, const O extends Options = Record<never, never>>(
  input: I,
  options: O = NONE as O,
): Field<TOptional<I>, TOptional<I>, null, TOptional<ViewOf<I, O>>, TOptional<StoredOf<I, O>>> {
  const { view, stored } = formsOf(input, options);
  const body = opt(input);
  return { ...{ create: body, update: body, test: null }, view: opt(view), stored: opt(stored), plan: planOf(options) };
}

/** A field that bodies may omit and every record has. @param initial of a new record; the schema of a create does not state it */
export const initially = <I extends TSchema, const O extends Options = Record<never, never>>(
  input: I,
  initial: unknown,
  options: O = NONE as O,
): Field<TOptional<I>, TOptional<I>, null, ViewOf<I, O>, StoredOf<I, O>> => ({
  ...{ create: opt(input), update: opt(input), test: null },
  ...formsOf(input, options),
  plan: planOf(options, initial),
});

/** As `initially`, with a default that the schema of a create states. */
export const defaulted = <I extends TSchema, const O extends Options = Record<never, never>>(
  input: I,
  initial: unknown,
  options: O = NONE as O,
): Field<TOptional<I>, TOptional<I>, null, ViewOf<I, O>, StoredOf<I, O>> => ({
  ...initially(input, initial, options),
  create: opt(withDefault(input, initial)),
});

/** A named schema keeps its name; the default belongs to its use. */
function withDefault<I extends TSchema>(input: I, value: unknown): I {
  const stated = Object.defineProperties({}, Object.getOwnPropertyDescriptors({ ...input, default: value }));
  if (nameOf(input) === undefined) return stated as I;
  return narrowed(input, Object.assign(stated, { 'x-name': undefined }) as unknown as I);
}

/** The name of a record, which identifies it in bodies and never changes. */
export const nameField = <I extends TSchema>(input: I, description: string) =>
  sorted({
    ...{ create: input, update: input, test: null, view: Type.String({ description }), stored: Type.String() },
    plan: planOf({ merge: 'fixed' }, ''),
  });

export const descriptionField = (about: string) => {
  const input = DescriptionInput(about);
  const view = Type.String({ description: about });
  return sorted({ ...{ create: input, update: input, test: null, view }, stored: Type.String(), plan: planOf({}, '') });
};

/** A field that records of earlier versions lack; they have its default. */
export const later = <F extends Field & { stored: TSchema }>(
  field: F,
): Omit<F, 'stored'> & { stored: TOptional<F['stored']> } => ({ ...field, stored: opt(field.stored) });

/** A field of replies that only the app sets. */
export const shown = <V extends TSchema, const O extends Pick<Options, 'stored' | 'initial'> = Record<never, never>>(
  view: V,
  { stored, initial }: O = NONE as O,
): Field<null, null, null, V, StoredOf<V, O>> => ({
  ...{ create: null, update: null, test: null, view },
  stored: (stored ?? markedLike(view, storedForm(view))) as StoredOf<V, O>,
  plan: planOf({ merge: 'own' }, initial),
});

const markedLike = (from: TSchema, to: TSchema): TSchema => ('~optional' in from ? opt(to) : to);

/** A field of replies that is computed from others. */
export const computed = <V extends TSchema>(view: V): Field<null, null, null, V, null> => ({
  ...{ create: null, update: null, test: null, view, stored: null },
});

/** A field that only the app sees. */
export const internal = <S extends TSchema>(stored: S): Field<null, null, null, null, S> => ({
  ...{ create: null, update: null, test: null, view: null, stored },
  plan: { merge: 'own', isShown: false, isJson: false },
});

/** A secret, which replies mask and records do not hold. @param input a `Secret`, or a map of such */
export const secret = <I extends TSchema, V extends TSchema>(
  input: I,
  view: V,
): Field<TOptional<I>, TOptional<I>, null, TOptional<V>, null> => ({
  ...{ create: opt(input), update: opt(input), test: null, view: opt(view), stored: null },
});

/** Lists can be sorted by the field. */
export const sorted = <F extends Field>(field: F): F & { isSorted: true } => ({ ...field, isSorted: true });

/** A test without a saved record takes the field. */
export const tested = <F extends Field>(field: F): Omit<F, 'test'> & { test: F['update'] } => ({
  ...field,
  test: field.update,
});

/** The access list of a record. */
export const accessList = {
  acl: {
    ...{ create: opt(AclInput), update: opt(AclInput), test: null, view: Acl },
    stored: StoredAcl as unknown as typeof Acl,
  },
};

export const lastTestField = {
  last_test: {
    ...{ create: null, update: null, test: null, view: opt(LastTest) },
    stored: StoredTest as unknown as TOptional<typeof LastTest>,
  },
};

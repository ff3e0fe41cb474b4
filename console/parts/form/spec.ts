import type { ReactNode } from 'react';
import type { FieldFacts, Values } from './facts.ts';

export interface FieldProps {
  field: FormField;
  facts: FieldFacts;
  value: unknown;
  error?: string | undefined;
  onChange(value: unknown): void;
}

/** A field of a form; its type comes from the endpoint table. */
export interface FormField {
  /** Dotted path in the body. */
  path: string;
  label: string;
  help?: string;
  placeholder?: string;
  /** A text area. */
  area?: true;
  /** Value -> label. */
  options?: Readonly<Record<string, string>>;
  /** Source of suggestions. */
  from?: 'roles' | 'vector stores' | 'search tools';
  /** Suggestions; other texts are allowed. */
  suggestions?: readonly string[];
  showIf?(values: Values): boolean;
  /** The initial value. */
  initial?: unknown;
  /** Overrides the type of the table. A `choice` is limited to `options`. */
  kind?: FieldFacts['kind'];
  required?: boolean;
  /** Always sent as a whole. */
  atomic?: true;
  /** For a list of objects: the name of an entry, its fields, and the control that stands for all of them. */
  entries?: { one: string; fields: readonly FormField[]; control?(props: FieldProps): ReactNode };
  control?(props: FieldProps): ReactNode;
  /** @returns the problem, to follow the label */
  check?(value: unknown): string | undefined;
}

/** The facts of the table with the overrides of the field. */
export function factsOf(field: FormField, facts: ReadonlyMap<string, FieldFacts>): FieldFacts {
  const { path, kind, required, options } = field;
  const fact = facts.get(path) ?? { path, kind: 'text' };
  const choices = kind === 'choice' && options ? { options: Object.keys(options) } : {};
  return {
    ...fact,
    ...choices,
    ...(kind ? { kind } : {}),
    ...(required === undefined ? {} : { required: required || undefined }),
  };
}

export interface NoteProps {
  values: Values;
  /** The body that a save would send. */
  bodyNow(): Record<string, unknown>;
  /** Sets a value; values without a field are not sent. */
  put(path: string, value: unknown): void;
}

export interface Section {
  title?: string;
  /** Shown above the fields. */
  note?(props: NoteProps): ReactNode;
  fields: readonly FormField[];
  showIf?(values: Values): boolean;
}

export interface FormSpec {
  sections: readonly Section[];
  /** Facts that are known only at run time, or override the table. */
  facts?: readonly FieldFacts[];
  /** Path of a field -> reason that it is not in the form. */
  leftOut: Readonly<Record<string, string>>;
  /** Two columns. */
  isWide?: true;
  /** Whether a record in use can be changed after a confirmation. */
  canForce?: true;
  /** Label of the save button; `Save` by default. */
  submit?: string;
}

export const fieldsOf = ({ sections }: FormSpec): FormField[] => sections.flatMap(({ fields }) => [...fields]);

/** The initial values. */
export const defaultsOf = (fields: readonly FormField[] = []): Values =>
  Object.fromEntries(fields.flatMap(({ path, initial }) => (initial === undefined ? [] : [[path, initial]])));

export const visibleFields = ({ sections }: FormSpec, values: Values): FormField[] =>
  sections
    .filter(({ showIf }) => showIf?.(values) ?? true)
    .flatMap(({ fields }) => fields.filter(({ showIf }) => showIf?.(values) ?? true));

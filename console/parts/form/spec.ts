import type { ReactNode } from 'react';
import type { FieldFacts, Values } from './facts.ts';

/** What a control is given. */
export interface FieldProps {
  field: FormField;
  facts: FieldFacts;
  value: unknown;
  error?: string | undefined;
  onChange(value: unknown): void;
}

/** Where a field stands in a form; what it takes is known from the table. */
export interface FormField {
  /** Dotted, from the body. */
  path: string;
  label: string;
  help?: string;
  placeholder?: string;
  /** Several lines. */
  area?: true;
  /** In words, by value. */
  options?: Readonly<Record<string, string>>;
  /** Suggestions for texts, such as the names of roles. */
  from?: 'roles' | 'vector stores';
  /** Suggestions for a text; anything else may be typed. */
  suggestions?: readonly string[];
  showIf?(values: Values): boolean;
  /** What is sent where nobody has chosen. */
  initial?: unknown;
  /** What the table says is too wide or too narrow for people. A `choice` is then among `options` alone. */
  kind?: FieldFacts['kind'];
  required?: boolean;
  /** The server replaces it as a whole: it is never sent in part. */
  atomic?: true;
  /** Of a list of objects: what an entry is called, and its fields, by their paths in the entry. */
  entries?: { one: string; fields: readonly FormField[] };
  /** A control of its own. */
  control?(props: FieldProps): ReactNode;
  /** @returns what is wrong with it, after its label */
  check?(value: unknown): string | undefined;
}

/** The facts of a place: those of the table, and what the place itself decides. */
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

/** What a note of a form has to go by. */
export interface NoteProps {
  values: Values;
  /** What would be sent now. */
  bodyNow(): Record<string, unknown>;
  /** What a note has found out can decide what is shown. What has no place in the form is not sent. */
  put(path: string, value: unknown): void;
}

export interface Section {
  title?: string;
  /** What is good to know about it, before its fields. */
  note?(props: NoteProps): ReactNode;
  fields: readonly FormField[];
  showIf?(values: Values): boolean;
}

export interface FormSpec {
  sections: readonly Section[];
  /** Of fields that are known only when the page runs, or better than from the table. */
  facts?: readonly FieldFacts[];
  /** Path of a field of the body -> why it is not in the form. A test asks for one or the other. */
  leftOut: Readonly<Record<string, string>>;
  /** Many fields: side by side where there is room. */
  isWide?: true;
  /** What is in use can be changed all the same, when somebody says so. */
  canForce?: true;
  /** What the button that saves is called; `Save` unless given. */
  submit?: string;
}

export const fieldsOf = ({ sections }: FormSpec): FormField[] => sections.flatMap(({ fields }) => [...fields]);

/** What has been chosen before anybody has. */
export const defaultsOf = (fields: readonly FormField[] = []): Values =>
  Object.fromEntries(fields.flatMap(({ path, initial }) => (initial === undefined ? [] : [[path, initial]])));

/** The fields that are shown, given what has been chosen. */
export const visibleFields = ({ sections }: FormSpec, values: Values): FormField[] =>
  sections
    .filter(({ showIf }) => showIf?.(values) ?? true)
    .flatMap(({ fields }) => fields.filter(({ showIf }) => showIf?.(values) ?? true));

import type { Values } from './facts.ts';

/** Where a field stands in a form; what it takes is known from the table. */
export interface Place {
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
  from?: 'roles';
  showIf?(values: Values): boolean;
  /** What is sent where nobody has chosen. */
  initial?: unknown;
}

export interface Section {
  title?: string;
  places: readonly Place[];
  showIf?(values: Values): boolean;
}

export interface FormSpec {
  sections: readonly Section[];
  /** Path of a field of the body -> why it is not in the form. A test asks for one or the other. */
  leftOut: Readonly<Record<string, string>>;
}

export const placesOf = ({ sections }: FormSpec): Place[] => sections.flatMap(({ places }) => [...places]);

/** The fields that are shown, given what has been chosen. */
export const shownPlaces = ({ sections }: FormSpec, values: Values): Place[] =>
  sections
    .filter(({ showIf }) => showIf?.(values) ?? true)
    .flatMap(({ places }) => places.filter(({ showIf }) => showIf?.(values) ?? true));

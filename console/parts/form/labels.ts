import type { FormField } from './spec.ts';

/** Some bodies are one object under this key; what is wrong with them is told without it. */
const WRAPPER = 'payload.';
/** The name of a field, and no word of a sentence. */
const IS_NAME = /[._]/;

/** As the server calls a field. */
const namesOf = ({ path }: FormField): string[] =>
  path.startsWith(WRAPPER) ? [path, path.slice(WRAPPER.length)] : [path];

/** The field of a form that a problem belongs to: itself, or what it is a part of. */
export const findField = (fields: readonly FormField[], path: string): FormField | undefined =>
  fields
    .filter((field) => namesOf(field).some((name) => path === name || path.startsWith(`${name}.`)))
    .sort((a, b) => b.path.length - a.path.length)[0];

/** What people know a field by; its name where the form does not have it. */
export const labelOf = (fields: readonly FormField[], path: string): string => findField(fields, path)?.label ?? path;

/** A message that names fields as the server does, in the words of the form. A refusal of several begins each with its name. */
export const inLabels = (fields: readonly FormField[], message: string): string =>
  message
    .replaceAll(/(^|; )([\w.-]+): /g, (_match, before: string, name: string) => `${before}${labelOf(fields, name)}: `)
    .replaceAll(/["'`]?([\w.]*\w)["'`]?/g, (match, name: string) => {
      const field = IS_NAME.test(name) ? findField(fields, name) : undefined;
      return field ? `"${field.label}"` : match;
    });

import type { FormField } from './spec.ts';

/** Some bodies are wrapped in this key, which errors omit. */
const WRAPPER = 'payload.';
/** Distinguishes field names from words. */
const IS_NAME = /[._]/;

const namesOf = ({ path }: FormField): string[] =>
  path.startsWith(WRAPPER) ? [path, path.slice(WRAPPER.length)] : [path];

/** The field of a path or of its closest parent. */
export const findField = (fields: readonly FormField[], path: string): FormField | undefined =>
  fields
    .filter((field) => namesOf(field).some((name) => path === name || path.startsWith(`${name}.`)))
    .sort((a, b) => b.path.length - a.path.length)[0];

/** The label of a field, or its path. */
export const labelOf = (fields: readonly FormField[], path: string): string => findField(fields, path)?.label ?? path;

/** Replaces the field names of a message by labels. */
export const inLabels = (fields: readonly FormField[], message: string): string =>
  message
    .replaceAll(/(^|; )([\w.-]+): /g, (_match, before: string, name: string) => `${before}${labelOf(fields, name)}: `)
    .replaceAll(/["'`]?([\w.]*\w)["'`]?/g, (match, name: string) => {
      const field = IS_NAME.test(name) ? findField(fields, name) : undefined;
      return field ? `"${field.label}"` : match;
    });

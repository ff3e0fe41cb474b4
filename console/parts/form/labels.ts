import type { Place } from './spec.ts';

/** Some bodies are one object under this key; what is wrong with them is told without it. */
const WRAPPER = 'payload.';
/** The name of a field, and no word of a sentence. */
const IS_NAME = /[._]/;

/** As the server calls a field. */
const namesOf = ({ path }: Place): string[] => (path.startsWith(WRAPPER) ? [path, path.slice(WRAPPER.length)] : [path]);

/** The field of a form that a problem belongs to: itself, or what it is a part of. */
export const placeOf = (places: readonly Place[], field: string): Place | undefined =>
  places
    .filter((place) => namesOf(place).some((name) => field === name || field.startsWith(`${name}.`)))
    .sort((a, b) => b.path.length - a.path.length)[0];

/** What people know a field by; its name where the form does not have it. */
export const labelOf = (places: readonly Place[], field: string): string => placeOf(places, field)?.label ?? field;

/** A message that names fields as the server does, in the words of the form. A refusal of several begins each with its name. */
export const inLabels = (places: readonly Place[], message: string): string =>
  message
    .replaceAll(/(^|; )([\w.-]+): /g, (_whole, before: string, name: string) => `${before}${labelOf(places, name)}: `)
    .replaceAll(/["'`]?([\w.]*\w)["'`]?/g, (whole, name: string) => {
      const place = IS_NAME.test(name) ? placeOf(places, name) : undefined;
      return place ? `"${place.label}"` : whole;
    });

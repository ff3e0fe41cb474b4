import { Type } from 'typebox';

/** Name of a model that a container serves: it identifies the container. */
export const ContainerModel = (description: string) =>
  Type.String({
    maxLength: 63,
    pattern: '^[A-Za-z0-9_][A-Za-z0-9_.\\-]{0,62}$',
    description,
    'x-trim': true,
    'x-message': 'must be 1 to 63 characters: first a letter (A-Z, a-z), digit or _, then letters, digits and _ . -',
  });

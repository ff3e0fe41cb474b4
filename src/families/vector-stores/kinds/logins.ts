import type { Problem } from '../../../contract/codes/faults.ts';

export const detailProblems = (messages: Readonly<Record<string, string | undefined>>): Problem[] =>
  Object.entries(messages).flatMap(([field, message]) =>
    message === undefined ? [] : [{ field: `details.${field}`, message }],
  );

/** A password needs the name of a user. */
export const loginProblems = (username: string | undefined, secrets: readonly string[]): Problem[] =>
  username === undefined && secrets.includes('details/password')
    ? [{ field: 'details.username', message: 'is required with details.password' }]
    : [];

/** A value as a text, or undefined: rules run on bodies that fail their schema, too. */
export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

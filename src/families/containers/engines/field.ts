import { confBoolean, FLAG_TEXTS } from '../../../contract/settings/flags.ts';
import { isHost } from '../../../domain/net/hosts.ts';
import { UrlProblem } from '../../../domain/net/url.ts';

/** In characters. Only PEM and its base64 may be longer. */
export const MAX_VALUE_LENGTH = 4096;

/** Returns the problem of a value. @param allowed ingress annotations that the administrator allows */
export type Rule = (value: string, allowed: readonly string[]) => string | undefined;

/** A named enumeration of the API document, or a subset of it (`of`). */
interface Choice {
  readonly name: string;
  readonly enum: readonly string[];
  readonly of?: readonly string[];
}
export type Form = Choice | { readonly pattern: string };
interface ValueCheck {
  rule: Rule;
  form: Form;
}

/** A field of container connections that is not a secret. All values are texts. */
export interface Field {
  /** Description in the API document. */
  about: string;
  /** Applies to every type of connection. */
  rule?: Rule;
  /** The part of the rule that a schema can express. */
  form?: Form;
  /** Certificates and keys, which exceed MAX_VALUE_LENGTH. */
  isLong?: true;
  /** Another field that this one requires. */
  needs?: { field: string; why: string };
}
export type FieldTable = Readonly<Record<string, Field>>;
/** Name -> description. */
export type SecretTable = Readonly<Record<string, string>>;

export const oneOf = (values: readonly string[], name: string, of = values): ValueCheck => ({
  rule: (value) => (values.includes(value) ? undefined : `must be one of ${values.join(', ')}`),
  form: { name, enum: values, of },
});

/** Schema of a choice; empty = unset. */
export const choiceOf = ({ name, enum: values, of = values }: Choice) => ({
  enum: ['', ...values],
  'x-narrows': { enum: ['', ...of], 'x-name': name },
});

export const matching = (pattern: RegExp, what: string): ValueCheck => ({
  rule: (value) => (pattern.test(value) ? undefined : `must be ${what}`),
  form: { pattern: pattern.source },
});

/** Accepts all booleans of the platform; the API document lists the usual ones. */
export const flag = {
  rule: (value) => (confBoolean(value) === undefined ? "must be 'true' or 'false'" : undefined),
  form: { name: 'Flag', enum: FLAG_TEXTS },
} satisfies ValueCheck;
/** Accepts only the listed spelling of a boolean. */
export const flagOf = (...values: (typeof FLAG_TEXTS)[number][]) => oneOf(values, flag.form.name, FLAG_TEXTS);

export const host: Rule = (value) => (isHost(value) ? undefined : 'must be a host name or an IP address');

export const address =
  (parse: (text: string) => unknown): Rule =>
  (value) => {
    try {
      parse(value);
      return undefined;
    } catch (error) {
      if (error instanceof UrlProblem) return error.message;
      throw error;
    }
  };

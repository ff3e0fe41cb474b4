import { confBoolean, FLAG_TEXTS } from '../../../contract/settings/flags.ts';
import { isHost } from '../../../domain/net/hosts.ts';
import { UrlProblem } from '../../../domain/net/url.ts';

/** Most characters of a value. PEM and base64 of it are longer; no address, name or list is. */
export const MAX_VALUE_LENGTH = 4096;

/** What is wrong with a value. @param allowed ingress annotations that the administrator lets pass */
export type Rule = (value: string, allowed: readonly string[]) => string | undefined;

/** An enumeration has a name, by which the document and its clients call it, or is a part of one (`of`) that has. */
interface Choice {
  readonly name: string;
  readonly enum: readonly string[];
  readonly of?: readonly string[];
}
export type Form = Choice | { readonly pattern: string };
interface Checked {
  rule: Rule;
  form: Form;
}

/** A field of container connections that is not a secret. All values are texts. */
export interface Field {
  /** Its description in the documents. */
  about: string;
  /** Holds whatever the type of the connection. */
  rule?: Rule;
  /** As much of the rule as a schema can say, for the document. */
  form?: Form;
  /** Certificates and the like, which are longer than any address, name or list. */
  isLong?: true;
  /** Another field without which this one means nothing. */
  needs?: { field: string; why: string };
}
export type FieldTable = Readonly<Record<string, Field>>;
/** Name -> description. */
export type SecretTable = Readonly<Record<string, string>>;

export const oneOf = (values: readonly string[], name: string, of = values): Checked => ({
  rule: (value) => (values.includes(value) ? undefined : `must be one of ${values.join(', ')}`),
  form: { name, enum: values, of },
});

/** As a schema has it: empty = unset, which is taken wherever a value is. */
export const choiceOf = ({ name, enum: values, of = values }: Choice) => ({
  enum: ['', ...values],
  'x-narrows': { enum: ['', ...of], 'x-name': name },
});

export const matching = (pattern: RegExp, what: string): Checked => ({
  rule: (value) => (pattern.test(value) ? undefined : `must be ${what}`),
  form: { pattern: pattern.source },
});

/** Any word that the platform reads as a boolean; the document names the usual ones. */
export const flag = {
  rule: (value) => (confBoolean(value) === undefined ? "must be 'true' or 'false'" : undefined),
  form: { name: 'Flag', enum: FLAG_TEXTS },
} satisfies Checked;
/** One of two ways to write a boolean, and no other. */
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

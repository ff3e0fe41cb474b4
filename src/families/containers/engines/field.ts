import { confBoolean } from '../../../contract/flags.ts';
import { isHost } from '../../../domain/hosts.ts';
import { UrlProblem } from '../../../domain/url.ts';

/** What is wrong with a value. @param allowed ingress annotations that the administrator lets pass */
export type Rule = (value: string, allowed: readonly string[]) => string | undefined;

/** A field of container connections that is not a secret. All values are texts. */
export interface Field {
  /** Its description in the documents. */
  about: string;
  /** Holds whatever the type of the connection. */
  rule?: Rule;
  /** Certificates and the like, which are longer than any address, name or list. */
  isLong?: true;
  /** Another field without which this one means nothing. */
  needs?: { field: string; why: string };
}
export type FieldTable = Readonly<Record<string, Field>>;
/** Name -> description. */
export type SecretTable = Readonly<Record<string, string>>;

export const oneOf =
  (values: readonly string[]): Rule =>
  (value) =>
    values.includes(value) ? undefined : `must be one of ${values.join(', ')}`;

export const matching =
  (pattern: RegExp, what: string): Rule =>
  (value) =>
    pattern.test(value) ? undefined : `must be ${what}`;

export const flag: Rule = (value) => (confBoolean(value) === undefined ? "must be 'true' or 'false'" : undefined);
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

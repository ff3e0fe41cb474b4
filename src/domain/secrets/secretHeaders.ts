import { MASK } from '../../contract/basics.ts';
import { invalid, type Problem } from '../../contract/codes/faults.ts';
import { HEADER_NAME_PATTERN, headerProblem, LONGEST_HEADER_NAME, MAX_HEADERS } from '../net/headerValues.ts';
import { type SecretChange, type Secrets, type SubmittedSecrets, secretsAfter } from './secrets.ts';

/** Where a record has further headers of its requests: a map of names to secrets. */
export interface HeaderMap {
  /** The paths of its secrets up to their names. */
  prefix: string;
  /** Its name in messages. */
  field: string;
  /** The name of a header by its path. */
  nameOf(path: string): string;
}

/** Names that belong to the protocol and the connection. */
const OF_TRANSPORT =
  /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|host|content-length|content-type|accept|expect|__proto__)$/i;
const HEADER_NAME = new RegExp(HEADER_NAME_PATTERN);

export const isHeaderOf = ({ prefix }: HeaderMap, path: string): boolean => path.startsWith(prefix);

/** Names are compared without case: renames submitted headers to stored ones that differ in it. @throws Fault `validation_failed` */
export function fitHeaders(map: HeaderMap, submitted: SubmittedSecrets, stored: readonly string[]): SubmittedSecrets {
  const names = new Map(stored.map((path) => [path.toLowerCase(), path]));
  const fitted = new Map<string, string>();
  const entries = Object.entries(submitted).map(([path, value]): [string, string | null] => {
    if (!isHeaderOf(map, path) || path.endsWith('/*')) return [path, value];
    const name = path.toLowerCase();
    if (fitted.has(name)) {
      const field = fieldOf(map, path);
      throw invalid([{ field, message: 'is given twice: header names are case-insensitive' }]);
    }
    fitted.set(name, path);
    return [names.get(name) ?? path, value];
  });
  return Object.fromEntries(entries);
}

const fieldOf = (map: HeaderMap, path: string): string => `${map.field}.${map.nameOf(path)}`;

export const tooManyHeaders = ({ field }: HeaderMap): Problem => ({
  field,
  message: `must have at most ${MAX_HEADERS} headers, those that are stored included`,
});

/** Problems of names and new values. @param isReserved whether the app sets the header itself */
export function headerProblems(
  map: HeaderMap,
  submitted: SubmittedSecrets,
  isReserved: (name: string) => boolean,
): Problem[] {
  return Object.entries(submitted).flatMap(([path, value]) => {
    if (!isHeaderOf(map, path)) return [];
    const name = map.nameOf(path);
    // A path that deletes may end in `*`, for all below it.
    if (value === null && name.endsWith('*')) return [];
    if (name.length > LONGEST_HEADER_NAME) {
      const field = `${map.field}.${name.slice(0, LONGEST_HEADER_NAME)}…`;
      return [{ field, message: `must be at most ${LONGEST_HEADER_NAME} characters` }];
    }
    const message = problemOf(name, value, isReserved);
    return message === undefined ? [] : [{ field: `${map.field}.${name}`, message }];
  });
}

function problemOf(name: string, value: string | null, isReserved: (name: string) => boolean): string | undefined {
  if (name === '*' || !HEADER_NAME.test(name)) return 'is not a header name';
  // A stored one can be kept or deleted, whatever it is called.
  if (value === MASK || value === null) return undefined;
  return OF_TRANSPORT.test(name) || isReserved(name) ? 'cannot be set: the app sets it' : headerProblem(value);
}

/** A problem if there are too many headers after a write that adds some. */
export function headerCountProblems(map: HeaderMap, secrets: SecretChange): Problem[] {
  const isHeader = (path: string) => isHeaderOf(map, path);
  const isGrowing = Object.keys(secrets.set).some(isHeader);
  return isGrowing && secretsAfter(secrets).filter(isHeader).length > MAX_HEADERS ? [tooManyHeaders(map)] : [];
}

/** The headers among the secrets of a record. */
export function headersIn(map: HeaderMap, secrets: Readonly<Secrets>): Record<string, string> {
  const entries = Object.entries(secrets).filter(([path]) => isHeaderOf(map, path));
  return Object.fromEntries(entries.map(([path, value]) => [map.nameOf(path), value]));
}

/** The headers of a request; those that the app sets take the place of further ones. */
export function withFurtherHeaders(
  own: Readonly<Record<string, string>>,
  further: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const names = new Set(Object.keys(own).map((name) => name.toLowerCase()));
  return { ...Object.fromEntries(Object.entries(further).filter(([name]) => !names.has(name.toLowerCase()))), ...own };
}

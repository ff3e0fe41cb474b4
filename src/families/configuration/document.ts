import { isObject } from '../../contract/basics.ts';
import { invalid, type Problem } from '../../contract/codes/faults.ts';
import { nestsDeeperThan } from '../../domain/values/json.ts';
import { CODECS } from './codecs.ts';
import { FAMILIES, type Family, MAX_DEPTH, MAX_NAME_LENGTH, MAX_SECRET_CHARACTERS, MAX_SECRETS } from './constants.ts';
import type { ImportInput, RecordInput } from './schemas.ts';

/** Dotted path -> secret. */
type SecretValues = Readonly<Record<string, string>>;

/** Rules beyond the schema. @throws Fault `validation_failed` with every problem */
export function assertValidDocument(input: Pick<ImportInput, 'document' | 'secrets'>): void {
  // Also called for a body that fails its schema.
  const records: unknown[] = Array.isArray(input.document?.records) ? input.document.records : [];
  const problems = [...depthProblems(records), ...duplicateRecords(records), ...secretProblems(input.secrets)];
  if (problems.length > 0) throw invalid(problems);
}

const depthProblems = (records: readonly unknown[]): Problem[] =>
  records.flatMap((record, index) =>
    (['spec', 'acl'] as const)
      .filter((field) => isObject(record) && nestsDeeperThan(record[field], MAX_DEPTH))
      .map((field) => ({
        field: `document.records.${index}.${field}`,
        message: `is nested deeper than ${MAX_DEPTH} levels`,
      })),
  );

function duplicateRecords(records: readonly unknown[]): Problem[] {
  const indexByIdentity = new Map<string, number>();
  return records.flatMap((record, index) => {
    const identity = isObject(record) ? identityOf(record.family, record.name) : undefined;
    if (identity === undefined) return [];
    const first = indexByIdentity.get(identity);
    if (first === undefined) indexByIdentity.set(identity, index);
    const message = `names the same record as document.records.${first}`;
    return first === undefined ? [] : [{ field: `document.records.${index}.name`, message }];
  });
}

function secretProblems(secrets: unknown): Problem[] {
  const identities = new Set<string>();
  return Object.entries(isObject(secrets) ? secrets : {}).flatMap(([key, values]) => {
    const field = `secrets.${key}`;
    const identity = identityOfKey(key) ?? key;
    if (identities.has(identity))
      return [{ field, message: 'is given twice: names are compared without regard to case' }];
    identities.add(identity);
    const message = isObject(values) ? sizeProblem(values) : undefined;
    return message === undefined ? [] : [{ field, message }];
  });
}

/** @param values may have failed its schema */
function sizeProblem(values: Readonly<Record<string, unknown>>): string | undefined {
  const paths = Object.keys(values);
  if (paths.length > MAX_SECRETS) return `has ${paths.length} secrets; at most ${MAX_SECRETS} a record are accepted`;
  if (paths.some((path) => path.length > MAX_NAME_LENGTH))
    return `has a path of more than ${MAX_NAME_LENGTH} characters`;
  const characters = Object.values(values).reduce(
    (sum: number, value) => sum + (typeof value === 'string' ? value.length : 0),
    0,
  );
  return characters > MAX_SECRET_CHARACTERS
    ? `has ${characters} characters of secrets; at most ${MAX_SECRET_CHARACTERS} a record are accepted`
    : undefined;
}

function identityOf(family: unknown, name: unknown): string | undefined {
  const match = FAMILIES.find((candidate) => candidate === family);
  return match && typeof name === 'string' ? `${match}/${CODECS[match].identityOf(name)}` : undefined;
}

/** @param key `<family>/<name>` */
function identityOfKey(key: string): string | undefined {
  const slash = key.indexOf('/');
  return slash < 0 ? undefined : identityOf(key.slice(0, slash), key.slice(slash + 1));
}

/** A record of a document with its secrets. */
export interface Entry extends Omit<RecordInput, 'family'> {
  family: Family;
  /** Position in the document. */
  index: number;
  secretValues: SecretValues;
}

/**
 * @param warnings receives secrets that belong to no record
 * @throws Fault `validation_failed` for too many secrets of one record
 */
export function entriesOf({ document, secrets = {} }: ImportInput, warnings: string[]): Entry[] {
  const unused = new Map(Object.entries(secrets).map(([key, values]) => [identityOfKey(key), values]));
  const records = document.records.map((record) => {
    const identity = identityOf(record.family, record.name);
    const values = unused.get(identity) ?? {};
    unused.delete(identity);
    return { record, values, pool: poolOf(record) };
  });
  // A secret shared by several records is sent for one of them.
  const pools = new Map(
    [...Map.groupBy(records, ({ pool }) => pool?.id)].map(([id, members]) => [
      id,
      Object.fromEntries(members.flatMap(({ values, pool }) => pool?.shared(values) ?? [])),
    ]),
  );
  const lost = Object.keys(secrets).filter((key) => unused.has(identityOfKey(key)));
  if (lost.length > 0) warnings.push(`Secrets that belong to no record of the document were ignored: ${named(lost)}`);
  return records.map(({ record, values, pool }, index) => {
    const secretValues = { ...(pool && pools.get(pool.id)), ...values };
    const message = sizeProblem(secretValues);
    if (message !== undefined) throw invalid([{ field: `secrets.${record.family}/${record.name}`, message }]);
    return { ...record, index, secretValues };
  });
}

/** Unknown keys are only counted, since they may contain a secret. */
function named(keys: readonly string[]): string {
  const validKeys = keys.filter((key) => identityOfKey(key) !== undefined).slice(0, 20);
  const more = keys.length - validKeys.length;
  return [...validKeys, ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

function poolOf({ family, name }: RecordInput) {
  const { shared, keyOf } = CODECS[family];
  if (shared === undefined) return undefined;
  const isShared = (path: string) => path.startsWith(`${shared}.`);
  return {
    id: `${family}/${keyOf(name)}`,
    shared: (values: SecretValues) => Object.entries(values).filter(([path]) => isShared(path)),
  };
}

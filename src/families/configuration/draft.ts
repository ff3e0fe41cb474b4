import { isObject, type Json, MASK } from '../../contract/basics.ts';
import type { Caller } from '../../contract/caller.ts';
import type { InternalCall, InternalCalls } from '../../contract/rows/internalCalls.ts';
import { isAdmin } from '../../domain/access/acl.ts';
import { isSameValue, joinPath, splitPath } from '../../domain/values/json.ts';
import type { Portable } from '../../resources/portable.ts';
import type { Entry } from './document.ts';
import { type DocumentRecord, placesOf, type SecretPaths, secretPathsOf, specOf } from './filed.ts';
import type { ImportProblem } from './schemas.ts';

/** A record as the rows of its family take it. */
export interface Draft {
  /** With the secrets that were sent. */
  spec: Json;
  acl: Json | undefined;
  problems: ImportProblem[];
  warnings: string[];
}

/** A record that exists. */
export interface ExistingRecord extends DocumentRecord {
  /** What its rows call it. */
  id: string;
  /** Undefined when earlier records of the document may change it. */
  version: number | undefined;
}

const problem = (field: string, message: string, error_code = 'validation_failed'): ImportProblem => {
  return { field, message, error_code };
};

/** What is wrong with a record without looking at what is stored. */
export async function draftRecord(
  exporter: Portable,
  { index, name, spec: fields, acl: list, secretValues }: Entry,
  calls: InternalCalls,
  paths: SecretPaths,
  caller: Caller,
): Promise<Draft> {
  const warnings: string[] = [];
  const recordPath = `document.records.${index}`;
  const { create } = exporter.rows;
  const { body, unknown } = calls.known(create, fields);
  const ignored = unknown.filter((path) => path !== 'acl');
  warnings.push(...ignored.map((path) => `Unknown field ignored: ${recordPath}.spec.${path.slice(0, 120)}`));
  const acl = aclOf(exporter, list ?? (isObject(fields.acl) ? fields.acl : undefined), recordPath, caller, warnings);
  const open = specOf(exporter, body);
  const found = await calls.problems(create, acl === undefined ? open : { ...open, acl });
  const problems = found.map(({ field, message }) => problem(field, message));
  if (!exporter.isNamed(name, open)) {
    const message = 'differs from what names the record in its spec; to rename one, delete it and create another';
    problems.push(problem('name', message));
  }
  const secretPaths = secretPathsOf(exporter, paths);
  const places = placesOf(exporter);
  for (const { keys, value } of places.split(open, secretPaths).secrets) {
    const message = 'is a secret: send it in secrets of the request, and keep it out of the document';
    if (value !== MASK) problems.push(problem(`${joinPath(keys)}`, message));
  }
  let spec = open;
  for (const [path, value] of Object.entries(secretValues)) {
    const next = places.put(spec, { keys: splitPath(path), value }, secretPaths);
    if (next) spec = next;
    else problems.push(problem(path, 'is not the place of a secret in this family'));
  }
  return { spec, acl, problems, warnings };
}

/** Users of another site may not exist here, and only an administrator gives records to others. */
function aclOf(
  { hasAcl, family }: Portable,
  acl: Json | undefined,
  recordPath: string,
  caller: Caller,
  warnings: string[],
): Json | undefined {
  if (acl === undefined) return undefined;
  if (!hasAcl) {
    warnings.push(`${recordPath}.acl: records of ${family} have no access list`);
    return undefined;
  }
  const { owner, ...rest } = acl;
  return typeof owner !== 'string' || owner === caller.user || isAdmin(caller) ? acl : rest;
}

/** The call that makes a record as the draft has it out of what is stored, or out of nothing. */
export function buildCall(
  exporter: Portable,
  { spec, acl }: Draft,
  existing: ExistingRecord | undefined,
  secretPaths: readonly string[],
): { id: string; call: InternalCall } {
  const list = acl === undefined ? {} : { acl };
  if (!existing) return { id: exporter.rows.create, call: { body: { ...spec, ...list } } };
  const { params, body: more } = exporter.updating?.(existing.id) ?? {};
  const fields = exporter.replaces
    ? buildReplacement(exporter, spec, existing, secretPaths)
    : buildPatch(exporter, existing.spec, spec);
  const body = { ...fields, ...list, ...more };
  return { id: exporter.rows.update, call: { ...(params ? { params } : {}), body, condition: existing.version } };
}

/** Whether there is nothing to do: what the draft says is what is stored, and it brings no secrets. */
export function isUnchanged(exporter: Portable, { spec, acl }: Draft, existing: ExistingRecord): boolean {
  const { replaces, shared, unset } = exporter;
  const sharedPart = shared === undefined ? {} : { [shared]: existing.spec[shared] };
  const next = replaces ? { ...unset, ...sharedPart, ...spec } : buildPatch(exporter, existing.spec, spec);
  return (
    isSameValue(next, existing.spec) && (acl === undefined || isSameValue(mergeAcl(existing.acl, acl), existing.acl))
  );
}

function mergeAcl(existing: Json | undefined, { perms, ...rest }: Json): Json {
  const inner =
    isObject(perms) && isObject(existing?.perms) ? { ...existing.perms, ...perms } : (perms ?? existing?.perms);
  return { ...existing, ...rest, perms: inner };
}

/**
 * A secret stays as long as there is a place for it, unless another one is sent. What records have in common is left out where it
 * stays as it is: it would count as a change of the others.
 */
function buildReplacement(
  exporter: Portable,
  spec: Json,
  existing: ExistingRecord,
  secretPaths: readonly string[],
): Json {
  const places = placesOf(exporter);
  const split = places.split(spec, secretPaths);
  const { shared = '' } = exporter;
  const isShared = ([key]: readonly string[]) => key === shared;
  const stays =
    isSameValue(split.open[shared], existing.spec[shared]) && !split.secrets.some(({ keys }) => isShared(keys));
  const paths = new Set(split.secrets.map(({ keys }) => joinPath(keys)));
  const body = existing.secrets
    .filter((path) => !paths.has(path))
    .reduce((done, path) => places.put(done, { keys: splitPath(path), value: MASK }, secretPaths) ?? done, spec);
  return stays ? Object.fromEntries(Object.entries(body).filter(([key]) => key !== shared)) : body;
}

/** An update keeps what it leaves out: what the record has and the document has not is unset. */
function buildPatch({ merges = [], unset = {} }: Portable, existing: Json, target: Json): Json {
  const unsetting = (value: unknown, keys: readonly string[]): unknown => {
    const path = joinPath(keys);
    if (isEmpty(value)) return value;
    return Object.hasOwn(unset, path) ? unset[path] : null;
  };
  const merged = (before: Json, after: Json, at: readonly string[]): Json => {
    const gone = Object.keys(before).filter((key) => !Object.hasOwn(after, key));
    const present = Object.entries(after).map(([key, value]) => {
      const [inner, keys] = [Object.hasOwn(before, key) ? before[key] : undefined, [...at, key]];
      const isMerged = merges.includes(keys[0] ?? '') && isObject(inner) && isObject(value);
      return [key, isMerged ? merged(inner, value, keys) : value];
    });
    // fromEntries defines keys: one called __proto__ is data.
    return Object.fromEntries([...present, ...gone.map((key) => [key, unsetting(before[key], [...at, key])])]);
  };
  return merged(existing, target, []);
}

/** What has nothing in it is as good as unset. */
const isEmpty = (value: unknown): boolean => ['""', '[]', '{}'].includes(JSON.stringify(value));

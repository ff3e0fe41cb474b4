import { isObject, type Json, MASK } from '../../contract/basics.ts';
import type { Caller } from '../../contract/caller.ts';
import type { InternalCall, InternalCalls } from '../../contract/rows/internalCalls.ts';
import { isAdmin } from '../../domain/access/acl.ts';
import { isSameValue, joinPath, splitPath } from '../../domain/values/json.ts';
import type { Portable } from '../../resources/portable.ts';
import type { Entry } from './document.ts';
import { type Filed, marksOf, placesOf, type SecretPaths, specOf } from './filed.ts';
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
export interface Stored extends Filed {
  /** What its rows call it. */
  id: string;
  /** Undefined when earlier records of the document may change it. */
  version: number | undefined;
}

const problem = (field: string, message: string, error_code = 'validation_failed'): ImportProblem => {
  return { field, message, error_code };
};

/** What is wrong with a record without looking at what is stored. */
export async function draftOf(
  portable: Portable,
  { index, name, spec: given, acl: list, sent }: Entry,
  calls: InternalCalls,
  paths: SecretPaths,
  caller: Caller,
): Promise<Draft> {
  const warnings: string[] = [];
  const place = `document.records.${index}`;
  const { create } = portable.rows;
  const { body, unknown } = calls.known(create, given);
  const ignored = unknown.filter((path) => path !== 'acl');
  warnings.push(...ignored.map((path) => `Unknown field ignored: ${place}.spec.${path.slice(0, 120)}`));
  const acl = aclOf(portable, list ?? (isObject(given.acl) ? given.acl : undefined), place, caller, warnings);
  const open = specOf(portable, body);
  const found = await calls.problems(create, acl === undefined ? open : { ...open, acl });
  const problems = found.map(({ field, message }) => problem(field, message));
  if (!portable.isNamed(name, open)) {
    const message = 'differs from what names the record in its spec; to rename one, delete it and create another';
    problems.push(problem('name', message));
  }
  const marks = marksOf(portable, paths);
  const places = placesOf(portable);
  for (const { keys, value } of places.split(open, marks).secrets) {
    const message = 'is a secret: send it in secrets of the request, and keep it out of the document';
    if (value !== MASK) problems.push(problem(`${joinPath(keys)}`, message));
  }
  let spec = open;
  for (const [path, value] of Object.entries(sent)) {
    const whole = places.put(spec, { keys: splitPath(path), value }, marks);
    if (whole) spec = whole;
    else problems.push(problem(path, 'is not the place of a secret in this family'));
  }
  return { spec, acl, problems, warnings };
}

/** Users of another site may not exist here, and only an administrator gives records to others. */
function aclOf(
  { hasAcl, family }: Portable,
  acl: Json | undefined,
  place: string,
  caller: Caller,
  warnings: string[],
): Json | undefined {
  if (acl === undefined) return undefined;
  if (!hasAcl) {
    warnings.push(`${place}.acl: records of ${family} have no access list`);
    return undefined;
  }
  const { owner, ...rest } = acl;
  return typeof owner !== 'string' || owner === caller.user || isAdmin(caller) ? acl : rest;
}

/** The call that makes a record as the draft has it out of what is stored, or out of nothing. */
export function callFor(
  portable: Portable,
  { spec, acl }: Draft,
  stored: Stored | undefined,
  marks: readonly string[],
): { id: string; call: InternalCall } {
  const list = acl === undefined ? {} : { acl };
  if (!stored) return { id: portable.rows.create, call: { body: { ...spec, ...list } } };
  const { params, body: more } = portable.updating?.(stored.id) ?? {};
  const whole = portable.replaces ? replacing(portable, spec, stored, marks) : completed(portable, stored.spec, spec);
  const body = { ...whole, ...list, ...more };
  return { id: portable.rows.update, call: { ...(params ? { params } : {}), body, condition: stored.version } };
}

/** Whether there is nothing to do: what the draft says is what is stored, and it brings no secrets. */
export function isAsStored(portable: Portable, { spec, acl }: Draft, stored: Stored): boolean {
  const { replaces, shared, unset } = portable;
  const kept = shared === undefined ? {} : { [shared]: stored.spec[shared] };
  const whole = replaces ? { ...unset, ...kept, ...spec } : completed(portable, stored.spec, spec);
  return isSameValue(whole, stored.spec) && (acl === undefined || isSameValue(mergedAcl(stored.acl, acl), stored.acl));
}

function mergedAcl(stored: Json | undefined, { perms, ...rest }: Json): Json {
  const inner = isObject(perms) && isObject(stored?.perms) ? { ...stored.perms, ...perms } : (perms ?? stored?.perms);
  return { ...stored, ...rest, perms: inner };
}

/**
 * A secret stays as long as there is a place for it, unless another one is sent. What records have in common is left out where it
 * stays as it is: it would count as a change of the others.
 */
function replacing(portable: Portable, spec: Json, stored: Stored, marks: readonly string[]): Json {
  const places = placesOf(portable);
  const sent = places.split(spec, marks);
  const { shared = '' } = portable;
  const isShared = ([key]: readonly string[]) => key === shared;
  const stays = isSameValue(sent.open[shared], stored.spec[shared]) && !sent.secrets.some(({ keys }) => isShared(keys));
  const paths = new Set(sent.secrets.map(({ keys }) => joinPath(keys)));
  const whole = stored.secrets
    .filter((path) => !paths.has(path))
    .reduce((done, path) => places.put(done, { keys: splitPath(path), value: MASK }, marks) ?? done, spec);
  return stays ? Object.fromEntries(Object.entries(whole).filter(([key]) => key !== shared)) : whole;
}

/** An update keeps what it leaves out: what the record has and the document has not is unset. */
function completed({ merges = [], unset = {} }: Portable, stored: Json, wanted: Json): Json {
  const unsetting = (value: unknown, keys: readonly string[]): unknown => {
    const path = joinPath(keys);
    if (isEmpty(value)) return value;
    return Object.hasOwn(unset, path) ? unset[path] : null;
  };
  const merged = (before: Json, after: Json, at: readonly string[]): Json => {
    const gone = Object.keys(before).filter((key) => !Object.hasOwn(after, key));
    const kept = Object.entries(after).map(([key, value]) => {
      const [inner, keys] = [Object.hasOwn(before, key) ? before[key] : undefined, [...at, key]];
      const isMerged = merges.includes(keys[0] ?? '') && isObject(inner) && isObject(value);
      return [key, isMerged ? merged(inner, value, keys) : value];
    });
    // fromEntries defines keys: one called __proto__ is data.
    return Object.fromEntries([...kept, ...gone.map((key) => [key, unsetting(before[key], [...at, key])])]);
  };
  return merged(stored, wanted, []);
}

/** What has nothing in it is as good as unset. */
const isEmpty = (value: unknown): boolean => ['""', '[]', '{}'].includes(JSON.stringify(value));

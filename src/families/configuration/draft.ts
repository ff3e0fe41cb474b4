import { append, isObject, type Json, MASK } from '../../contract/basics.ts';
import type { Caller } from '../../contract/caller.ts';
import { unknownFieldWarnings } from '../../contract/codes/warnings.ts';
import type { InternalCall, InternalCalls } from '../../contract/rows/internalCalls.ts';
import type { RecordPlan, RecordPlans } from '../../contract/rows/recordPlan.ts';
import { isAdmin } from '../../domain/access/acl.ts';
import { isSameValue, joinPath, splitPath } from '../../domain/values/json.ts';
import type { RecordCodec } from '../../resources/recordCodec.ts';
import type { Entry } from './document.ts';
import { type DocumentRecord, layoutOf, planOf, specOf } from './documentRecord.ts';
import type { ImportProblem } from './schemas.ts';

/** Input for the endpoints of a family. */
export interface ImportDraft {
  /** Includes the submitted secrets. */
  spec: Json;
  acl: Json | undefined;
  problems: ImportProblem[];
  warnings: string[];
}

export interface ExistingRecord extends DocumentRecord {
  /** Identifier in the endpoints of the family. */
  id: string;
  /** Undefined if earlier records of the document may change it. */
  version: number | undefined;
}

const problem = (field: string, message: string, error_code = 'validation_failed'): ImportProblem => {
  return { field, message, error_code };
};

/** Validates a record without reading the store. */
export async function draftRecord(
  codec: RecordCodec,
  { index, name, spec: fields, acl: list, secretValues }: Entry,
  calls: InternalCalls,
  plans: RecordPlans,
  caller: Caller,
): Promise<ImportDraft> {
  const warnings: string[] = [];
  const recordPath = `document.records.${index}`;
  const { create } = codec.rows;
  const { body, unknown } = calls.known(create, fields);
  const ignored = unknown.filter((path) => path !== 'acl');
  append(warnings, unknownFieldWarnings(ignored, `${recordPath}.spec.`));
  const acl = aclOf(codec, list ?? (isObject(fields.acl) ? fields.acl : undefined), recordPath, caller, warnings);
  const open = specOf(codec, body);
  const callProblems = await calls.problems(create, acl === undefined ? open : { ...open, acl });
  const problems = callProblems.map(({ field, message }) => problem(field, message));
  if (!codec.matchesName(name, open)) {
    const message = 'differs from the name in its spec. To rename a record, delete it and create another.';
    problems.push(problem('name', message));
  }
  const { secrets: secretPaths } = planOf(codec, plans);
  const layout = layoutOf(codec);
  for (const { keys, value } of layout.split(open, secretPaths).secrets) {
    const message = 'is a secret. Remove it from the document and send it in secrets of the request.';
    if (value !== MASK) problems.push(problem(`${joinPath(keys)}`, message));
  }
  const submitted = Object.entries(secretValues).map(([path, value]) => ({ path, keys: splitPath(path), value }));
  const { spec, refused } = layout.put(open, submitted, secretPaths);
  const unknownSecrets = new Set<object>(refused);
  for (const secret of submitted)
    if (unknownSecrets.has(secret)) problems.push(problem(secret.path, 'is not a secret field of this family'));
  return { spec, acl, problems, warnings };
}

/** Drops the owner unless an administrator imports: only administrators assign records to others. */
function aclOf(
  { hasAcl, family }: RecordCodec,
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
  const { owner, ...otherFields } = acl;
  return typeof owner !== 'string' || owner === caller.user || isAdmin(caller) ? acl : otherFields;
}

export function buildCall(
  codec: RecordCodec,
  { spec, acl }: ImportDraft,
  existing: ExistingRecord | undefined,
  plan: RecordPlan,
): { id: string; call: InternalCall } {
  const list = acl === undefined ? {} : { acl };
  if (!existing) return { id: codec.rows.create, call: { body: { ...spec, ...list } } };
  const { params, body: more } = codec.updateCall?.(existing.id) ?? {};
  const fields = codec.replaces
    ? buildReplacement(codec, spec, existing, plan)
    : buildPatch(codec, plan, existing.spec, spec);
  const body = { ...fields, ...list, ...more };
  return { id: codec.rows.update, call: { ...(params ? { params } : {}), body, condition: existing.version } };
}

export function isUnchanged(
  codec: RecordCodec,
  { spec, acl }: ImportDraft,
  existing: ExistingRecord,
  plan: RecordPlan,
): boolean {
  const { replaces, shared, defaults: unset } = codec;
  const sharedPart = shared === undefined ? {} : { [shared]: existing.spec[shared] };
  const next = replaces ? { ...unset, ...sharedPart, ...spec } : buildPatch(codec, plan, existing.spec, spec);
  return (
    isSameValue(next, existing.spec) && (acl === undefined || isSameValue(mergeAcl(existing.acl, acl), existing.acl))
  );
}

function mergeAcl(existing: Json | undefined, { perms, ...otherFields }: Json): Json {
  const inner =
    isObject(perms) && isObject(existing?.perms) ? { ...existing.perms, ...perms } : (perms ?? existing?.perms);
  return { ...existing, ...otherFields, perms: inner };
}

/**
 * Stored secrets are sent as masks unless replaced. An unchanged shared part is omitted, since it would count as a change of
 * the other records.
 */
function buildReplacement(
  codec: RecordCodec,
  spec: Json,
  existing: ExistingRecord,
  { secrets: secretPaths }: RecordPlan,
): Json {
  const layout = layoutOf(codec);
  const split = layout.split(spec, secretPaths);
  const { shared = '' } = codec;
  const isShared = ([key]: readonly string[]) => key === shared;
  const stays =
    isSameValue(split.open[shared], existing.spec[shared]) && !split.secrets.some(({ keys }) => isShared(keys));
  const paths = new Set(split.secrets.map(({ keys }) => joinPath(keys)));
  const masks = existing.secrets
    .filter((path) => !paths.has(path))
    .map((path) => ({ keys: splitPath(path), value: MASK }));
  const body = layout.put(spec, masks, secretPaths).spec;
  return stays ? Object.fromEntries(Object.entries(body).filter(([key]) => key !== shared)) : body;
}

/** An update keeps omitted fields, so fields missing from the document are unset explicitly. */
function buildPatch(codec: RecordCodec, { fields }: RecordPlan, existing: Json, target: Json): Json {
  const planned = Object.entries(fields);
  const merges = [
    ...(codec.mergedFields ?? []),
    ...planned.flatMap(([name, { merge }]) => (merge === 'members' ? [name] : [])),
  ];
  const defaults = planned.flatMap(([name, plan]) => (plan.merge === 'members' ? [] : [[name, plan.default] as const]));
  const unset: Json = { ...Object.fromEntries(defaults.filter(([, value]) => value !== undefined)), ...codec.defaults };
  const unsetting = (value: unknown, keys: readonly string[]): unknown => {
    const path = joinPath(keys);
    if (isEmpty(value)) return value;
    return Object.hasOwn(unset, path) ? unset[path] : null;
  };
  const merged = (before: Json, after: Json, path: readonly string[]): Json => {
    const gone = Object.keys(before).filter((key) => !Object.hasOwn(after, key));
    const present = Object.entries(after).map(([key, value]) => {
      const [inner, keys] = [Object.hasOwn(before, key) ? before[key] : undefined, [...path, key]];
      const isMerged = merges.includes(keys[0] ?? '') && isObject(inner) && isObject(value);
      return [key, isMerged ? merged(inner, value, keys) : value];
    });
    // fromEntries treats the key __proto__ as data.
    return Object.fromEntries([...present, ...gone.map((key) => [key, unsetting(before[key], [...path, key])])]);
  };
  return merged(existing, target, []);
}

const isEmpty = (value: unknown): boolean => ['""', '[]', '{}'].includes(JSON.stringify(value));

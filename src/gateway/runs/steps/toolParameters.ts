import { isObject, type Json, MAX_JSON_LEVELS } from '../../../contract/basics.ts';
import { isSameValue, nestsDeeperThan } from '../../../domain/values/json.ts';

const TYPES = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'];
/** Keywords with a schema, with a list of schemas, with schemas by name. */
const ONE = [
  ...['items', 'additionalProperties', 'not', 'contains', 'propertyNames', 'if', 'then', 'else'],
  ...['unevaluatedItems', 'unevaluatedProperties', 'contentSchema'],
];
const LISTS = ['anyOf', 'oneOf', 'allOf', 'prefixItems'];
const BY_NAME = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];
/** Keywords that providers refuse or ignore. */
const DROPPED = [
  ...['$schema', '$id', 'id', '$anchor', '$comment', '$vocabulary', 'additionalItems', 'dependencies'],
  ...['$dynamicRef', '$dynamicAnchor', '$recursiveRef', '$recursiveAnchor'],
];
/** Lookarounds and references, which the regular expressions of providers lack. */
const UNUSUAL_PATTERN = /\(\?(?:[=!]|<[=!])|\\[1-9]|\\k</;

const isNumber = (value: unknown): value is number | bigint => typeof value === 'number' || typeof value === 'bigint';
const isCount = (value: unknown): boolean => isNumber(value) && value >= 0 && Number.isInteger(Number(value));
const isText = (value: unknown): boolean => typeof value === 'string';
const isBoolean = (value: unknown): boolean => typeof value === 'boolean';
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);

/** Types of the values of keywords; a keyword with another value is left out. */
const VALUES: readonly [readonly string[], (value: unknown) => boolean][] = [
  [['title', 'description', 'format', 'contentEncoding', 'contentMediaType'], isText],
  [['uniqueItems', 'deprecated', 'readOnly', 'writeOnly', 'nullable'], isBoolean],
  [['minimum', 'maximum'], isNumber],
  [['multipleOf'], (value) => isNumber(value) && value > 0],
  [['minLength', 'maxLength', 'minItems', 'maxItems', 'minContains', 'maxContains'], isCount],
  [['minProperties', 'maxProperties'], isCount],
  [['enum'], (value) => Array.isArray(value) && value.length > 0],
  [['examples'], Array.isArray],
  [['pattern'], (value) => typeof value === 'string' && isUsualPattern(value)],
  [['dependentRequired'], (value) => isObject(value) && Object.values(value).every(isTexts)],
];
const NO_PARAMETERS = { type: 'object', properties: {} } as const;

/**
 * The schema of a tool as models are given it, in a form that the interfaces of OpenAI and Anthropic take. It may be less strict
 * than the tool's own, which judges the arguments.
 */
export function toolParameters(schema: unknown): Json {
  if (!isObject(schema) || nestsDeeperThan(schema, MAX_JSON_LEVELS)) return NO_PARAMETERS;
  const root = merged(schema, schema, new Set());
  const { properties, ...fitted } = fitting(root, root);
  return { ...fitted, type: 'object', properties: isObject(properties) ? properties : {} };
}

/** The root without alternatives, which providers refuse there: the properties of all branches, and what all require. */
function merged(schema: Json, root: Json, followed: Set<unknown>): Json {
  const { anyOf, oneOf, allOf, not: _not, enum: _enum, const: _const, $ref, ...own } = schema;
  const branches = (list: unknown) =>
    (Array.isArray(list) ? list : []).filter(isObject).map((branch) => merged(branch, root, followed));
  const referred = typeof $ref === 'string' && !followed.has($ref) ? pointed(root, $ref) : undefined;
  followed.add($ref);
  const parts = [own, ...branches(allOf), ...(isObject(referred) ? [merged(referred, root, followed)] : [])];
  const either = [branches(anyOf), branches(oneOf)].filter((list) => list.length > 0);
  const properties = new Map<string, unknown[]>();
  for (const part of [...parts, ...either.flat()]) {
    for (const [name, value] of Object.entries(isObject(part.properties) ? part.properties : {})) {
      const values = properties.get(name) ?? [];
      const isNew = values.every((other) => !isSameValue(other, value));
      if (isNew) properties.set(name, [...values, value]);
    }
  }
  const needed = [...parts.flatMap(requiredOf), ...either.flatMap(requiredOfAll)];
  const isOpen = parts.length > 1 || either.length > 0;
  const { required: _required, additionalProperties, ...joined } = Object.assign({}, ...parts.toReversed()) as Json;
  return {
    ...joined,
    properties: Object.fromEntries(
      [...properties].map(([name, values]) => [name, values.length === 1 ? values[0] : { anyOf: values }]),
    ),
    ...(needed.length > 0 ? { required: [...new Set(needed)] } : {}),
    // From one branch it would refuse the properties of the others.
    ...(additionalProperties === undefined || isOpen ? {} : { additionalProperties }),
  };
}

const requiredOf = ({ required }: Json): string[] =>
  Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];

const requiredOfAll = ([first = {}, ...others]: readonly Json[]): string[] =>
  requiredOf(first).filter((name) => others.every((other) => requiredOf(other).includes(name)));

/** A schema inside of the root; what is none becomes one that takes anything. */
function fitting(schema: unknown, root: Json): Json {
  if (!isObject(schema)) return {};
  const fit: Json = { ...schema };
  for (const key of DROPPED) delete fit[key];
  if (fit.$ref !== undefined && (typeof fit.$ref !== 'string' || pointed(root, fit.$ref) === undefined))
    delete fit.$ref;
  fitKeywords(fit);
  for (const key of ONE) {
    if (isObject(fit[key])) fit[key] = fitting(fit[key], root);
    else if (!isBoolean(fit[key])) delete fit[key];
  }
  for (const key of LISTS) {
    if (!Array.isArray(fit[key]) || fit[key].length === 0) delete fit[key];
    else fit[key] = fit[key].map((inner: unknown) => fitting(inner, root));
  }
  for (const key of BY_NAME) {
    if (isObject(fit[key])) fit[key] = mapped(fit[key], (inner) => fitting(inner, root));
    else delete fit[key];
  }
  const types = [fit.type].flat();
  if (types.includes('object')) fit.properties ??= {};
  if (types.includes('array') && !isObject(fit.items)) fit.items = {};
  return fit;
}

function fitKeywords(fit: Json): void {
  const types = [...new Set([fit.type].flat())].filter((type) => TYPES.includes(type as string));
  if (types.length === 0) delete fit.type;
  else fit.type = Array.isArray(fit.type) ? types : types[0];
  // A list was how draft 7 described tuples.
  if (Array.isArray(fit.items)) fit.items = fit.items.length > 0 ? { anyOf: fit.items } : {};
  for (const [bound, limit] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    // Draft 4 marked the limit as exclusive.
    if (fit[bound] === true && isNumber(fit[limit])) {
      fit[bound] = fit[limit];
      delete fit[limit];
    } else if (!isNumber(fit[bound])) delete fit[bound];
  }
  for (const [keys, isFit] of VALUES) for (const key of keys) if (!isFit(fit[key])) delete fit[key];
  if (!Array.isArray(fit.required)) delete fit.required;
  else fit.required = [...new Set(requiredOf(fit))];
  if (isObject(fit.patternProperties) && !Object.keys(fit.patternProperties).every(isUsualPattern)) {
    delete fit.patternProperties;
    delete fit.additionalProperties;
  }
}

function isUsualPattern(pattern: string): boolean {
  if (UNUSUAL_PATTERN.test(pattern)) return false;
  try {
    return new RegExp(pattern, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

const mapped = (object: Json, change: (value: unknown) => unknown): Json =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));

/** The target of a reference inside of the schema. */
function pointed(root: Json, reference: string): unknown {
  if (reference === '#') return root;
  if (!reference.startsWith('#/')) return undefined;
  let place: unknown = root;
  for (const part of reference.slice(2).split('/')) {
    const name = decoded(part).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof place !== 'object' || place === null || !Object.hasOwn(place, name)) return undefined;
    place = (place as Json)[name];
  }
  return place;
}

/** References are URLs, in which names may be encoded. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

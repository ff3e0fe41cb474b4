import { OutboundError } from '../../contract/codes/outbound.ts';
import type { Invocation, StringMap } from './openapi.ts';
import { RequestLayout, type RequestSize, ROW } from './requestLayout.ts';
import { EACH, tokensOf } from './schemaPaths.ts';

type Key = string | number;

/** Where the value of a feature goes in a request. */
export interface FeaturePath {
  feature: string;
  before: readonly Key[];
  after: readonly Key[];
  /** Whether rows stand in a list between `before` and `after`; otherwise a request has one row. */
  hasRows: boolean;
  /** The path ends at the items of a list, which the value is or is put into. */
  isList: boolean;
  types: ReadonlySet<unknown>;
}

/** Further lists are made for one row, so a large index would make a large one. */
const MAX_INDEX = 9999;
/** Where nothing else is said, rows are objects in a list of this name. */
const DEFAULT_LIST = ['instances', EACH];

/** Where features go, and how large this makes requests. */
export interface FeaturePaths {
  paths: readonly FeaturePath[];
  /** Whether a request may have several rows. */
  hasRows: boolean;
  size: RequestSize;
}

/** @throws OutboundError `configuration_invalid` for what is not a path, and for paths that exclude each other */
export function featurePathsOf(map: StringMap, described: Invocation | undefined): FeaturePaths {
  const paths = pathsIn(map, described);
  if (described?.paths.isExhausted) throw tooLarge();
  const hasRows = paths.every((path) => path.hasRows);
  const layout = new RequestLayout();
  for (const path of paths) {
    const other = layout.add(path.feature, keysOf(path, hasRows ? ROW : 0));
    if (other !== undefined) throw noPath(path.feature, `has a place that excludes that of ${other.slice(0, 200)}`);
  }
  return { paths, hasRows, size: layout.size };
}

function keysOf<R>({ before, after, hasRows }: FeaturePath, row: R): (Key | R)[] {
  return hasRows ? [...before, row, ...after] : [...before];
}

function pathsIn(map: StringMap, described: Invocation | undefined): FeaturePath[] {
  return Object.entries(map).map(([feature, path]) => {
    const tokens = tokensOf(path);
    if (!tokens) throw noPath(feature, 'is not a path such as instances[*].cpu');
    const schema = described?.request.schema;
    const paths = described?.paths;
    const full = tokens.length === 1 && tokens[0] !== EACH ? located(tokens[0] as string, described) : tokens;
    const isColumn = !full.includes(EACH) && schema && paths?.typesAt(schema, full).has('array');
    const target = isColumn ? [...full, EACH] : full;
    return featurePathOf(feature, target, (schema && paths?.typesAt(schema, target)) ?? new Set());
  });
}

/** A name alone is the property of an instance, wherever the document has it. */
function located(name: string, described: Invocation | undefined): string[] {
  const { schema } = described?.request ?? {};
  if (!schema || !described) return [...DEFAULT_LIST, name];
  const { paths } = described;
  return paths.find(schema, name) ?? [...(paths.findList(schema) ?? DEFAULT_LIST), name];
}

function featurePathOf(feature: string, tokens: readonly string[], types: ReadonlySet<unknown>): FeaturePath {
  const split = tokens.indexOf(EACH);
  const hasRows = split >= 0;
  const tail = tokens.slice(hasRows ? split + 1 : tokens.length);
  const isList = tail.at(-1) === EACH;
  const keys = (some: readonly string[]) => some.map((token) => keyOf(feature, token));
  const before = keys(hasRows ? tokens.slice(0, split) : tokens);
  return { feature, before, after: keys(isList ? tail.slice(0, -1) : tail), hasRows, isList, types };
}

function keyOf(feature: string, token: string): Key {
  if (!token.startsWith('[')) return token;
  // A list within a row has one item.
  const index = token === EACH ? 0 : Number(token.slice(1, -1));
  if (index > MAX_INDEX) throw noPath(feature, `has an index above ${MAX_INDEX}`);
  return index;
}

const tooLarge = () =>
  new OutboundError(
    'configuration_invalid',
    'openapi_spec is too large to find the places of all features: leave out schemas that the maps do not need',
  );

const noPath = (feature: string, why: string) =>
  new OutboundError('configuration_invalid', `input_feature_map.${feature.slice(0, 200)} ${why}`);

type Container = Record<Key, unknown>;

/**
 * Puts the value of a feature into a request, and makes the lists and objects on the way. Paths that were read together never
 * lead into a value.
 * @param row index of the row in the request
 * @returns the request
 */
export const put = (body: unknown, path: FeaturePath, row: number, value: unknown): unknown =>
  putAt(body, keysOf(path, row), path.isList && !Array.isArray(value) ? [value] : value);

function putAt(body: unknown, [first, ...others]: readonly Key[], value: unknown): unknown {
  if (first === undefined) return value;
  const here = (body ?? containerFor(first)) as Container;
  here[first] = putAt(here[first], others, value);
  return here;
}

/** Objects without a prototype: names come from the registration. */
const containerFor = (key: Key): object => (typeof key === 'number' ? [] : Object.create(null));

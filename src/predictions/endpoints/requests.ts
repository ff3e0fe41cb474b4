import { OutboundError } from '../../contract/codes/outbound.ts';
import { stringifyExact } from '../../contract/exactJson.ts';
import { csvLine } from '../../domain/values/csv.ts';
import type { InvocationRequest } from '../../ports/cloud/cloudEndpoints.ts';
import type { ReadRow } from '../rows/slices.ts';
import { fieldsOf, isMissing, isTooDeep, missingField, type Row, unreadableValue } from '../rows/values.ts';
import { type FeaturePaths, featurePathsOf, put } from './featurePaths.ts';
import type { Invocation, StringMap } from './openapi.ts';
import { SHALLOW, typedValue } from './typedValue.ts';

const JSON_TYPE = 'application/json';
const CSV_TYPE = 'text/csv';

/** Types of values that the specification leaves open. */
const open: ReadonlySet<unknown> = new Set();

/** How rows become requests. */
export interface RequestPlan {
  /** Rows of one request, at most. */
  size: number;
  /** The values of a row, in the order of its paths, or why it cannot be sent. */
  read(row: Row, index: number): ReadRow<readonly unknown[]>;
  request(rows: readonly (readonly unknown[])[]): InvocationRequest;
}

/** Most bytes that a layout adds to the values of a request: names, and null where no feature goes. */
const MAX_PLACES_BYTES = 4 * 1024 * 1024;

/** @param rows of a whole call: without a map, their fields may be the columns. @throws OutboundError `configuration_invalid` */
export type Planner = (rows: readonly Row[]) => RequestPlan;

interface Registration {
  map: StringMap;
  batch: number;
  described: Invocation | undefined;
}

/** A registration is read once, with its first call: the calls of a batch search the specification together. */
export function requestPlanner({ map, batch, described }: Registration): Planner {
  const isEmpty = Object.keys(map).length === 0;
  const { request, response } = described ?? {};
  const accept = response?.isCsv && !response.schema ? CSV_TYPE : JSON_TYPE;
  if (request?.isCsv && (isEmpty || !request.schema)) {
    return (rows) => csvPlan(isEmpty ? fieldsOf(rows) : Object.keys(map), batch, accept);
  }
  let plan: RequestPlan | undefined;
  return () => {
    plan ??= isEmpty ? openPlan(batch, accept) : jsonPlan(featurePathsOf(map, described), batch, accept);
    return plan;
  };
}

/** One line for each row, without a line of names, as the models of SageMaker take it. */
function csvPlan(features: readonly string[], size: number, accept: string): RequestPlan {
  return {
    size,
    read: (row, index) => {
      const absent = features.find((feature) => isMissing(valueIn(row, feature)));
      if (absent !== undefined) return { error: missingField(index, absent) };
      const deep = features.find((feature) => isTooDeep(valueIn(row, feature)));
      if (deep !== undefined) return { error: unreadableValue(index, deep, SHALLOW) };
      return { values: features.map((feature) => valueIn(row, feature)) };
    },
    request: (rows) => ({
      body: rows.map((values) => csvLine(values.map(textOf))).join('\n'),
      contentType: CSV_TYPE,
      accept,
    }),
  };
}

const textOf = (value: unknown): string => (typeof value === 'object' ? stringifyExact(value) : String(value));

/** A feature may be called like something that every object has. */
const valueIn = (row: Row, feature: string): unknown => (Object.hasOwn(row, feature) ? row[feature] : undefined);

/** Without a map: the rows as they are. */
function openPlan(size: number, accept: string): RequestPlan {
  return {
    size,
    read(row, index) {
      const values: [string, unknown][] = [];
      for (const [feature, value] of Object.entries(row)) {
        const typed = typedValue(value, open);
        if ('what' in typed) return { error: unreadableValue(index, feature, typed.what) };
        values.push([feature, typed.value]);
      }
      return { values: [Object.fromEntries(values)] };
    },
    request: (rows) => jsonRequest({ instances: rows.map(([row]) => row) }, accept),
  };
}

function jsonPlan({ paths, hasRows, size }: FeaturePaths, batch: number, accept: string): RequestPlan {
  const fitting = Math.floor((MAX_PLACES_BYTES - size.fixed) / Math.max(1, size.row));
  if (fitting < 1) throw tooLarge();
  return {
    size: hasRows ? Math.min(batch, fitting) : 1,
    read(row, index) {
      const values: unknown[] = [];
      for (const { feature, types, isList } of paths) {
        const value = valueIn(row, feature);
        if (isMissing(value) && !(value === '' && types.has('string'))) return { error: missingField(index, feature) };
        const typed = typedValue(value, Array.isArray(value) && isList ? open : types);
        if ('what' in typed) return { error: unreadableValue(index, feature, typed.what) };
        values.push(typed.value);
      }
      return { values };
    },
    request(rows) {
      let body: unknown;
      for (const [index, values] of rows.entries()) {
        for (const [column, path] of paths.entries()) body = put(body, path, index, values[column]);
      }
      return jsonRequest(body, accept);
    },
  };
}

const tooLarge = () =>
  new OutboundError(
    'configuration_invalid',
    'input_feature_map makes requests of more than 4 MB: use smaller indices or shorter names',
  );

const jsonRequest = (body: unknown, accept: string): InvocationRequest => ({
  body: stringifyExact(body),
  contentType: JSON_TYPE,
  accept,
});

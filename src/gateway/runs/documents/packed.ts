import type { Json } from '../../../contract/basics.ts';
import { parseExact, stringifyExact } from '../../../contract/exactJson.ts';
import type { PackableDoc, TurnCall } from './stored.ts';

/** Fields with values from outside. */
const OUTSIDE = ['input', 'output', 'history', 'arguments', 'echoed', 'entities'];

type WithCalls = { call?: TurnCall; calls?: TurnCall[] };
type WithDefinition = { definition?: { output_schema?: unknown } };

/**
 * The form of the store, which restricts the names and the depth of fields: values from outside are JSON text. Documents of earlier
 * versions have objects there.
 */
export function packed<D extends PackableDoc>(doc: D): D {
  const values = doc as unknown as Json;
  const json = OUTSIDE.filter((field) => typeof values[field] === 'object' && values[field] !== null);
  const texts = Object.fromEntries(json.map((field) => [field, stringifyExact(values[field])]));
  const withTexts = withSchema({ ...doc, ...texts, ...(json.length > 0 ? { json } : {}) }, stringifyExact);
  return withCalls(withTexts, ({ extra, ...call }) =>
    extra === undefined ? call : { ...call, extra: stringifyExact(extra) as unknown as Json },
  );
}

/** Inverse of `packed`; takes documents of earlier versions as they are. */
export function unpacked<D extends PackableDoc>({ json = [], ...doc }: D): D {
  const values = doc as Json;
  const read = Object.fromEntries(json.map((field) => [field, parsed(values[field])]));
  return withCalls(withSchema({ ...doc, ...read } as unknown as D, parsed), ({ extra, ...call }) =>
    extra === undefined ? call : { ...call, extra: parsed(extra) as Json },
  );
}

function withCalls<D extends PackableDoc>(doc: D, change: (call: TurnCall) => TurnCall): D {
  const { call, calls } = doc as WithCalls;
  return { ...doc, ...(call ? { call: change(call) } : {}), ...(calls ? { calls: calls.map(change) } : {}) };
}

function withSchema<D extends PackableDoc>(doc: D, change: (schema: unknown) => unknown): D {
  const { definition } = doc as WithDefinition;
  if (definition?.output_schema === undefined) return doc;
  return { ...doc, definition: { ...definition, output_schema: change(definition.output_schema) } };
}

/** A text that was damaged since stays as it is. */
function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return parseExact(value);
  } catch {
    return value;
  }
}

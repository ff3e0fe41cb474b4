import { isObject, type Json } from '../../../contract/basics.ts';
import { Fault } from '../../../contract/codes/faults.ts';
import type { Deadline } from '../../../ports/platform/clock.ts';
import { type IndexDetails, lacksIndex, type SearchServer } from './server.ts';

/** A field as the index holds it. */
export interface IndexField {
  type: string;
  settings: Json;
}

/** The fields of an index, and how its vectors are searched. */
export interface Mapping {
  /** By dotted path, with those inside of others. */
  fields: ReadonlyMap<string, IndexField>;
  /** Elasticsearch has its vectors in another type of field and is asked in another way. */
  isElastic: boolean;
  /** Length of the vectors; undefined where the server does not say. */
  dimensions: number | undefined;
}

const VECTOR_TYPES: ReadonlySet<string> = new Set(['knn_vector', 'dense_vector']);

/** Reads what the fields of a store are. @throws Fault `kb_not_found`, `configuration_invalid`; OutboundError */
export async function readMapping(server: SearchServer, details: IndexDetails, deadline: Deadline): Promise<Mapping> {
  const { index, vector_field, text_field, id_field } = details;
  const answer = await server.ask('_mapping', deadline);
  const fields = new Map<string, IndexField>();
  const indexes = Object.values(answer).flatMap((entry) =>
    isObject(entry) && isObject(entry.mappings) ? [entry.mappings] : [],
  );
  if (indexes.length === 0) throw lacksIndex(index);
  for (const mappings of indexes) collect(mappings, '', fields);
  const missing = [vector_field, text_field, ...(id_field ? [id_field] : [])].filter((field) => !fields.has(field));
  if (missing.length > 0) {
    const names = missing.length === 1 ? `field ${missing[0]}` : `fields ${missing.join(', ')}`;
    throw new Fault('kb_not_found', `The index ${index} has no ${names}`);
  }
  const { type = '', settings = {} } = fields.get(vector_field) ?? {};
  if (!VECTOR_TYPES.has(type)) {
    const message = `The field ${vector_field} of ${index} is of type ${type}, not knn_vector or dense_vector`;
    throw new Fault('configuration_invalid', message);
  }
  const isElastic = type === 'dense_vector';
  const length = isElastic ? settings.dims : settings.dimension;
  return { fields, isElastic, dimensions: typeof length === 'number' ? length : undefined };
}

function collect(mappings: Json, prefix: string, fields: Map<string, IndexField>): void {
  for (const below of [mappings.properties, mappings.fields]) {
    if (!isObject(below)) continue;
    for (const [name, settings] of Object.entries(below)) {
      if (!isObject(settings)) continue;
      const path = `${prefix}${name}`;
      fields.set(path, { type: typeof settings.type === 'string' ? settings.type : 'object', settings });
      collect(settings, `${path}.`, fields);
    }
  }
}

/** @throws Fault `configuration_invalid` */
export function assertLength({ dimensions }: Mapping, details: IndexDetails, vector: Float32Array): void {
  if (dimensions === undefined || dimensions === vector.length) return;
  const holds = `the field ${details.vector_field} of ${details.index} holds vectors of ${dimensions}`;
  const message = `The embedding model makes vectors of ${vector.length} numbers, but ${holds}`;
  throw new Fault('configuration_invalid', message);
}

import type { Json } from '../../../contract/basics.ts';
import type { Mapping } from './mapping.ts';
import type { IndexDetails } from './server.ts';

const NUMBERS: ReadonlySet<string> = new Set([
  ...['byte', 'short', 'integer', 'long', 'unsigned_long', 'float', 'half_float', 'double', 'scaled_float'],
]);

/** Whether a field of this type holds a value as it is. */
const HOLDS: Readonly<Record<string, (value: unknown) => boolean>> = {
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  date: (value) => typeof value === 'number' || (typeof value === 'string' && !Number.isNaN(Date.parse(value))),
};

/**
 * Why an index would refuse or change metadata, which is better found before a document is written: an index takes one passage
 * and refuses the next.
 */
export function metadataProblem(
  metadata: Json,
  { metadata_field, id_field, text_field, vector_field }: IndexDetails,
  { fields }: Mapping,
): string | undefined {
  const prefix = metadata_field ? `${metadata_field}.` : '';
  for (const [key, value] of Object.entries(metadata)) {
    if (!metadata_field && [id_field, text_field, vector_field].includes(key)) {
      return `The metadata have the key ${key}, which is a field of the store; set details.metadata_field or rename the key`;
    }
    const type = fields.get(`${prefix}${key}`)?.type ?? '';
    const holds = HOLDS[NUMBERS.has(type) ? 'number' : type];
    const isOther = type === 'object' || type === 'nested';
    if (isOther || (holds && ![value].flat().every(holds))) {
      return `The metadata's ${key} does not fit the index, whose field ${prefix}${key} is of type ${type}`;
    }
  }
  return undefined;
}

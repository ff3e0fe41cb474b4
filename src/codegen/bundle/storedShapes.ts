import { Ajv } from 'ajv';
import standalone from 'ajv/dist/standalone/index.js';
import type { TSchema } from 'typebox';
import {
  jsonText,
  optional,
  type Shape,
  type StoredCollection,
  type StoredShapes,
} from '../../contract/rows/stored.ts';
import { type CollectionRow, collections } from '../../table.ts';
import { plain } from './compile.ts';
import type { JsonSchema } from './schemas.ts';

type StoredRow = NonNullable<CollectionRow['stored']>;

const standaloneCode = standalone as unknown as (ajv: Ajv, refs: Record<string, string>) => string;

const storedAjv = (code = false) =>
  new Ajv({ strict: false, ownProperties: true, ...(code ? { code: { source: true, esm: true } } : {}) });

const STORED = Object.entries(collections).flatMap(([name, row]): [string, StoredRow][] =>
  typeof row === 'object' && row.stored ? [[name, row.stored]] : [],
);

interface StoredField {
  name: string;
  /** Schema of the value, or of the content of a JSON text. */
  schema: JsonSchema;
  isJson: boolean;
  isOptional: boolean;
}

function fieldsOf(schema: TSchema): StoredField[] {
  const { properties = {}, required = [] } = plain(schema) as JsonSchema & { required?: string[] };
  return Object.entries(properties).map(([name, field]) => {
    const content = field['x-json'] as JsonSchema | undefined;
    return { name, schema: content ?? field, isJson: content !== undefined, isOptional: !required.includes(name) };
  });
}

const describe = ({ family, replaceable, isSearched }: StoredRow): Omit<StoredCollection, 'shapes'> => ({
  family,
  replaceable: replaceable ?? false,
  isSearched: isSearched ?? true,
});

/** The checks of all collections, compiled when a collection is first read, for tests and tools. */
export function compileStored(): Record<string, StoredCollection> {
  const shapeOf = (schema: TSchema): Shape => {
    const ajv = storedAjv();
    const entries = fieldsOf(schema).map((field) => {
      const validate = ajv.compile(field.schema);
      const value = (data: unknown) => validate(data);
      const check = field.isJson ? jsonText(value) : value;
      return [field.name, field.isOptional ? optional(check) : check];
    });
    return Object.fromEntries(entries);
  };
  const shapesOf = ({ schema, kinds = {} }: StoredRow): StoredShapes => ({
    common: shapeOf(schema),
    kinds: Object.fromEntries(Object.entries(kinds).map(([kind, more]) => [kind, shapeOf(more)])),
  });
  return Object.fromEntries(
    STORED.map(([name, row]) => {
      let shapes: StoredShapes | undefined;
      return [name, { ...describe(row), shapes: async () => (shapes ??= shapesOf(row)) }];
    }),
  );
}

/** The same as modules of the bundle. @returns the members of `stored` in the contract, and file name -> text */
export function storedModules(): { members: string; files: Record<string, string> } {
  const files: Record<string, string> = {};
  const members = STORED.map(([name, row]) => {
    const fields = [row.schema, ...Object.values(row.kinds ?? {})].flatMap(fieldsOf);
    // Most fields are texts: equal schemas share one function.
    const schemas = [...new Set(fields.map(({ schema }) => JSON.stringify(schema)))];
    const ajv = storedAjv(true);
    for (const [index, schema] of schemas.entries()) ajv.addSchema(JSON.parse(schema), `is${index}`);
    files[`stored.${name}.checks.js`] = standaloneCode(
      ajv,
      Object.fromEntries(schemas.map((_, index) => [`is${index}`, `is${index}`])),
    );
    const shapeText = (schema: TSchema): string => {
      const checks = fieldsOf(schema).map((field) => {
        const value = `is.is${schemas.indexOf(JSON.stringify(field.schema))}`;
        const check = field.isJson ? `jsonText(${value})` : value;
        return `${field.name}: ${field.isOptional ? `optional(${check})` : check},`;
      });
      return `{\n${checks.join('\n')}\n}`;
    };
    const kinds = Object.entries(row.kinds ?? {}).map(([kind, more]) => `${kind}: ${shapeText(more)},`);
    files[`stored.${name}.js`] = [
      "import { jsonText, optional } from '../src/contract/rows/stored.ts';",
      `import * as is from './stored.${name}.checks.js';`,
      `export const shapes = {\ncommon: ${shapeText(row.schema)},\nkinds: {\n${kinds.join('\n')}\n},\n};`,
      '',
    ].join('\n');
    const data = JSON.stringify(describe(row));
    return `  ${name}: { ...${data}, shapes: async () => (await import('./stored.${name}.js')).shapes },`;
  });
  return { members: members.join('\n'), files };
}

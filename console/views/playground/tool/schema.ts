import { isObject } from '../../../../src/contract/basics.ts';
import { pointed } from '../../../../src/contract/pointers.ts';

/** How a value of a JSON schema is asked for. What a form cannot ask for is JSON text. */
export type Shape = { title: string; help?: string; initial?: unknown } & (
  | { kind: 'text' | 'number' | 'integer' | 'boolean' | 'json' }
  | { kind: 'choice'; options: readonly unknown[] }
  | { kind: 'list'; item: Shape }
  | { kind: 'fields'; fields: readonly Field[] }
);
export interface Field {
  name: string;
  isRequired: boolean;
  shape: Shape;
}
export type Fields = Extract<Shape, { kind: 'fields' }>;

type Schema = Readonly<Record<string, unknown>>;

/** Deeper values, and objects with more fields, are asked for as JSON. */
const MOST_DEPTH = 6;
const MOST_FIELDS = 60;
/** References that refer to references, at most. */
const MOST_REFERENCES = 10;
/** Keywords whose values depend on each other. */
const COMBINING = ['oneOf', 'anyOf', 'allOf', 'not', 'if', 'patternProperties', 'prefixItems', 'dependentSchemas'];
const LONGEST_HELP = 500;

/** The form of a tool's arguments; undefined if they can only be given as JSON. @param schema of a server: anything may be in it */
export function formOf(schema: unknown): Fields | undefined {
  const shape = shapeOf(schema, 'Arguments', { root: schema, depth: 0, left: { fields: MOST_FIELDS } });
  return shape.kind === 'fields' ? shape : undefined;
}

interface Place {
  root: unknown;
  depth: number;
  /** Fields that the whole form may still have: a schema may refer to itself in many places. */
  left: { fields: number };
}

function shapeOf(given: unknown, name: string, place: Place): Shape {
  const schema = resolved(given, place.root);
  if (!schema) return { kind: 'json', title: name };
  const { title, description, default: initial } = schema;
  const about = {
    title: typeof title === 'string' && title !== '' ? title : name,
    ...(typeof description === 'string' ? { help: description.slice(0, LONGEST_HELP) } : {}),
    ...(initial === undefined ? {} : { initial }),
  };
  if (COMBINING.some((key) => key in schema) || place.depth > MOST_DEPTH) return { ...about, kind: 'json' };
  if ('const' in schema) return { ...about, kind: 'choice', options: [schema.const] };
  if (Array.isArray(schema.enum)) return { ...about, kind: 'choice', options: unique(schema.enum) };
  return { ...about, ...kindOf(schema, place) } as Shape;
}

/** Each value once. */
const unique = (values: readonly unknown[]): unknown[] => [
  ...new Map(values.map((value) => [JSON.stringify(value), value])).values(),
];

function kindOf(schema: Schema, { root, depth, left }: Place): object {
  const deeper = { root, depth: depth + 1, left };
  switch (typeIn(schema)) {
    case 'string':
      return { kind: 'text' };
    case 'number':
    case 'integer':
    case 'boolean':
      return { kind: typeIn(schema) };
    case 'array': {
      const item = shapeOf(schema.items, 'Entry', deeper);
      return schema.items === undefined ? { kind: 'json' } : { kind: 'list', item };
    }
    case 'object': {
      const names = Object.keys(objectIn(schema.properties) ?? {});
      // A form without fields would hide that the tool takes anything.
      const isOpen = names.length === 0 && depth > 0;
      left.fields -= names.length;
      if (isOpen || left.fields < 0) return { kind: 'json' };
      const required = Array.isArray(schema.required) ? schema.required : [];
      const fields = Object.entries(objectIn(schema.properties) ?? {}).map(([name, inner]) => ({
        name,
        isRequired: required.includes(name),
        shape: shapeOf(inner, name, deeper),
      }));
      return { kind: 'fields', fields };
    }
    default:
      return { kind: 'json' };
  }
}

/** The type, without `null`, which is the same as giving nothing; several others have none. */
function typeIn({ type, properties }: Schema): unknown {
  const types = Array.isArray(type) ? type.filter((name) => name !== 'null') : [type];
  if (types.length !== 1) return undefined;
  return types[0] ?? (objectIn(properties) ? 'object' : undefined);
}

const objectIn = (value: unknown): Schema | undefined => (isObject<Schema>(value) ? value : undefined);

/** Follows references inside the document. */
function resolved(given: unknown, root: unknown): Schema | undefined {
  let schema = objectIn(given);
  for (let hops = 0; schema && typeof schema.$ref === 'string'; hops++) {
    if (hops >= MOST_REFERENCES) return undefined;
    const { $ref, ...beside } = schema;
    const target = objectIn($ref === '#' ? root : pointed(root, $ref as string));
    schema = target && { ...target, ...beside };
  }
  return schema;
}

/** Whether the control of a shape shows such a value: another would be sent without being seen. */
function isShown(value: unknown, shape: Shape): boolean {
  switch (shape.kind) {
    case 'text':
      return typeof value === 'string';
    case 'number':
    case 'integer':
      return typeof value === 'number';
    case 'list':
      return Array.isArray(value) && value.every((entry) => isShown(entry, shape.item));
    case 'fields': {
      const given = objectIn(value);
      const fields = new Map(shape.fields.map((field) => [field.name, field.shape]));
      const isShownIn = (name: string) => fields.has(name) && isShown(given?.[name], fields.get(name) as Shape);
      return given !== undefined && Object.keys(given).every(isShownIn);
    }
    case 'boolean':
      return typeof value === 'boolean';
    case 'choice':
      return shape.options.some((option) => JSON.stringify(option) === JSON.stringify(value));
    default:
      return true;
  }
}

/** The value that a form begins with: what the schema gives as default, and the only choice of required fields. */
export function initialOf(shape: Shape, isRequired = true): unknown {
  if (shape.initial !== undefined && isShown(shape.initial, shape)) return shape.initial;
  if (!isRequired) return undefined;
  if (shape.kind === 'choice' && shape.options.length === 1) return shape.options[0];
  if (shape.kind === 'boolean') return false;
  if (shape.kind === 'list') return [];
  if (shape.kind !== 'fields') return undefined;
  const entries = shape.fields.map(({ name, isRequired: is, shape: inner }) => [name, initialOf(inner, is)] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

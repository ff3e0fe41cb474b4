import { readFileSync } from 'node:fs';
import { expect } from 'chai';

interface Schema {
  $ref?: string;
  type?: string;
  description?: string;
  properties?: Record<string, Schema>;
}
interface Parameter {
  name: string;
  description?: string;
  schema: Schema;
}
interface Document {
  components: { schemas: Record<string, Schema>; parameters: Record<string, Parameter> };
  paths: Record<string, Record<string, { operationId: string; parameters?: (Parameter | { $ref: string })[] }>>;
}

const LONGEST = 300;
const { components, paths } = JSON.parse(
  readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8'),
) as Document;
const named = Object.entries(components.schemas);

const described = ({ description, $ref }: Schema): string | undefined =>
  description ?? ($ref && components.schemas[$ref.replace('#/components/schemas/', '')]?.description);
/** `last_test`, `LastTest` and `Last test.` are the same to a reader. */
const bare = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/** Where it stands, what it is called, and what is said of it. */
type Description = [location: string, name: string, text: string | undefined];

const fieldsOf = (location: string, { properties = {} }: Schema): Description[] =>
  Object.entries(properties).map(([name, field]): Description => [`${location}.${name}`, name, described(field)]);

/** The fields of a schema and of its parts. */
function deepFieldsOf(location: string, schema: unknown): Description[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties, ...parts } = schema as Schema;
  const inner = Object.entries(properties ?? {}).flatMap(([name, field]) => deepFieldsOf(`${location}.${name}`, field));
  const others = Object.entries(parts).flatMap(([key, part]) => deepFieldsOf(`${location}/${key}`, part));
  return [...fieldsOf(location, schema as Schema), ...inner, ...others];
}

function alternativesIn(schema: unknown): object[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { anyOf = [] } = schema as { anyOf?: object[] };
  return [...anyOf, ...Object.values(schema).flatMap(alternativesIn)];
}

const fields = named.flatMap(([name, schema]) => deepFieldsOf(name, schema));
/** An enumeration is described where it is used, so that it stands once. */
const objects = named
  .filter(([, { type, properties }]) => type === 'object' || properties)
  .map(([name, schema]): Description => [name, name, schema.description]);
const parameters = [
  ...Object.entries(components.parameters),
  ...Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ operationId, parameters = [] }) => parameters.map((parameter) => [operationId, parameter] as const)),
].flatMap(([location, parameter]): Description[] =>
  '$ref' in parameter
    ? []
    : [[`${location} ${parameter.name}`, parameter.name, parameter.description ?? described(parameter.schema)]],
);

describe('descriptions in the OpenAPI document', () => {
  for (const [what, descriptions] of Object.entries({ fields, objects, parameters })) {
    it(`describe all ${what} in one short sentence that adds to the name`, () => {
      expect(descriptions).to.have.length.above(50);
      const wordless = descriptions.filter(([, , text]) => !text?.trim()).map(([location]) => location);
      expect(wordless, 'without a description').to.deep.equal([]);
      const idle = descriptions
        .filter(([, name, text]) => bare(text ?? '') === bare(name))
        .map(([location]) => location);
      expect(idle, 'which only repeats the name').to.deep.equal([]);
      const long = descriptions.filter(([, , text = '']) => text.length > LONGEST);
      expect(
        long.map(([location]) => location),
        `of more than ${LONGEST} characters`,
      ).to.deep.equal([]);
    });
  }

  it('belong to a union, not to its alternatives', () => {
    const options = named.flatMap(([, schema]) => alternativesIn(schema));
    expect(options).to.have.length.above(20);
    for (const option of options) expect(option).not.to.have.property('description');
  });

  it('has no two schemas that differ in their descriptions alone', () => {
    const withoutDescriptions = (schema: unknown): unknown =>
      JSON.parse(JSON.stringify(schema), (_key, value) => {
        if (typeof value !== 'object' || value === null || typeof value.description !== 'string') return value;
        const { description, ...rest } = value;
        return rest;
      });
    const names = new Map<string, string[]>();
    for (const [name, schema] of named) {
      const text = JSON.stringify(withoutDescriptions(schema));
      names.set(text, [...(names.get(text) ?? []), name]);
    }
    expect([...names.values()].filter((alike) => alike.length > 1)).to.deep.equal([]);
  });
});

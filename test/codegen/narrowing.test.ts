import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { Type } from 'typebox';
import { plain } from '../../src/codegen/bundle/compile.ts';
import type { JsonSchema } from '../../src/codegen/bundle/schemas.ts';
import { tsType } from '../../src/codegen/client/clientTypes.ts';
import { Components } from '../../src/codegen/openapi/components.ts';
import { withNarrowing } from '../../src/codegen/openapi/narrowing.ts';
import { named, narrowed } from '../../src/contract/schemas/named.ts';

const Size = named('Size', Type.Enum(['small', 'medium', 'large'], { description: 'How large' }));
const Part = narrowed(Size, Type.Enum(['small', 'large'], { description: 'How large, roughly', default: 'small' }));
const Box = named(
  'Box',
  Type.Object(
    {
      name: Type.String({ description: 'What it is called' }),
      size: Type.Optional(Size),
      note: Type.Optional(Type.Union([Type.String(), Type.Null()], { description: 'What to know of it' })),
    },
    { description: 'A box' },
  ),
);
const NewBox = narrowed(
  Box,
  Type.Object(
    {
      name: Type.String({ maxLength: 3, description: 'What it is called' }),
      size: Part,
      note: Type.Optional(Type.String({ description: 'What to know of it' })),
    },
    { description: 'A box to make' },
  ),
);

const remarks = ({ description, default: preset }: JsonSchema) => ({ description, default: preset });

function documented(schema: JsonSchema) {
  const components = new Components();
  const made = components.of(schema, 'Place');
  return { made, schemas: components.schemas };
}

describe('a schema that is narrower than a named one', () => {
  const { made, schemas } = documented(plain(NewBox));

  it('becomes a reference with the narrowing keywords beside it', () => {
    expect(Object.keys(schemas)).to.have.members(['Box', 'Size']);
    expect(made).to.deep.equal({
      $ref: '#/components/schemas/Box',
      description: 'A box to make',
      required: ['size'],
      properties: {
        name: { type: 'string', maxLength: 3, description: 'What it is called' },
        size: {
          $ref: '#/components/schemas/Size',
          enum: ['small', 'large'],
          description: 'How large, roughly',
          default: 'small',
        },
        note: { type: 'string', description: 'What to know of it' },
      },
    });
  });

  it('can be merged back from both', () => {
    const { Box: box = {}, Size: size = {} } = schemas;
    const merged = withNarrowing(box, made);
    expect(merged).to.deep.include({ type: 'object', required: ['name', 'size'], description: 'A box to make' });
    expect(merged.properties?.name).to.deep.equal({ type: 'string', maxLength: 3, description: 'What it is called' });
    const part = merged.properties?.size ?? {};
    expect(withNarrowing(size, part)).to.deep.equal({ type: 'string', enum: ['small', 'large'], ...remarks(part) });
    expect(withNarrowing(box, { $ref: '#/components/schemas/Box' })).to.deep.equal(box);
  });

  it('accepts the same values as the original', () => {
    const ajv = new Ajv2020({ strict: false });
    const there = ajv.compile({ ...made, components: { schemas } });
    const here = ajv.compile(plain(NewBox));
    const values = [
      { name: 'abc', size: 'small' },
      { name: 'abc', size: 'large', note: '' },
      { name: 'abcd', size: 'small' },
      { name: 'abc', size: 'medium' },
      { name: 'abc', size: 'small', note: null },
      { name: 'abc' },
      { size: 'small' },
      'abc',
    ];
    expect(values.map((value) => there(value))).to.deep.equal(values.map((value) => here(value)));
    expect(values.filter((value) => here(value))).to.have.length(2);
  });

  it('is the plain reference where only the order of values differs, or nothing', () => {
    const turned = narrowed(Size, Type.Enum(['large', 'medium', 'small']));
    expect(documented(plain(turned)).made).to.deep.equal({ $ref: '#/components/schemas/Size' });
    const same = narrowed(Box, Type.Object(Box.properties, { description: 'A box' }));
    expect(documented(plain(same)).made).to.deep.equal({ $ref: '#/components/schemas/Box' });
  });

  it('is refused where it is not narrower', () => {
    const wrong = {
      'huge is another value': narrowed(Size, Type.Enum(['small', 'huge'])),
      'colour is another field': narrowed(Box, Type.Object({ name: Type.String(), colour: Type.String() })),
      'name is not required': narrowed(Box, Type.Object({ name: Type.Optional(Type.String()) })),
      'maxProperties is missing': narrowed(
        named('Few', Type.Record(Type.String(), Type.Unknown(), { maxProperties: 3 })),
        Type.Record(Type.String(), Type.Unknown()),
      ),
    };
    for (const [why, schema] of Object.entries(wrong)) expect(() => documented(plain(schema)), why).to.throw(why);
    const nameless = narrowed(Type.Object({ a: Type.String() }), Type.Object({ a: Type.String() }));
    expect(() => documented({ 'x-narrows': { type: 'string' }, ...plain(Type.String()) })).to.throw(
      'narrows an unnamed schema',
    );
    expect(() => documented(plain(nameless))).not.to.throw();
  });

  it('is a narrower type in the client', () => {
    const flat = (type: string) => type.replaceAll(/\/\*\*.*?\*\/|\s+/g, ' ').replaceAll(/ +/g, ' ');
    expect(flat(tsType(made, schemas))).to.equal('Box & { size: Exclude<Size, "medium">; note?: string; }');
    const one = { $ref: '#/components/schemas/Size', enum: ['small'] };
    expect(tsType(one, schemas)).to.equal('"small"');
    expect(tsType({ $ref: '#/components/schemas/Box', description: 'A box' }, schemas)).to.equal('Box');
    const needed = {
      $ref: '#/components/schemas/Box',
      required: ['note'],
      properties: { name: { maxLength: 3, type: 'string' } },
    };
    expect(flat(tsType(needed, schemas))).to.equal('Box & { note: string | null; }');
    const other = { $ref: '#/components/schemas/Box', properties: { name: { const: 'a' } } };
    expect(flat(tsType(other, schemas))).to.equal('Box & { name: "a"; }');
  });
});

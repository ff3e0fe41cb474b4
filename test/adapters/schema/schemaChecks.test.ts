import { expect } from 'chai';
import { SizedMap } from '../../../src/adapters/schema/sizedMap.ts';
import { schemaChecks } from '../../../src/app/gateway/schemaChecks.ts';
import { Fault } from '../../../src/contract/codes/faults.ts';

describe('Checks against schemas', () => {
  const checks = schemaChecks();
  const check = (schema: object, value: unknown, owner: 'caller' | 'server' = 'server') =>
    checks.check(schema as Record<string, unknown>, JSON.stringify(value), owner);
  const refusal = async (schema: object): Promise<string> => {
    try {
      await checks.assertUsable(schema as Record<string, unknown>, 'schema');
      return '';
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      return error.message;
    }
  };

  const SLOW = {
    type: 'object',
    properties: { text: { type: 'string', pattern: '^(a+)+$' }, n: { type: 'integer' } },
    additionalProperties: false,
  };
  const SLOW_VALUE = { text: `${'a'.repeat(50)}!` };

  it('leaves unchecked only the value that takes too long', async () => {
    expect(await check(SLOW, SLOW_VALUE)).to.deep.equal({ problems: [], unchecked: 'limit' });
    expect(await check(SLOW, { n: 'one' })).to.deep.equal({
      problems: [{ field: 'n', message: 'must be an integer' }],
    });
  });

  it('checks the others that wait behind a slow one', async () => {
    const [slow, next, last] = await Promise.all([check(SLOW, SLOW_VALUE), check(SLOW, { n: 'one' }), check(SLOW, {})]);
    expect(slow.unchecked).to.equal('limit');
    expect(next.problems).to.have.length(1);
    expect(last).to.deep.equal({ problems: [] });
  });

  it('does not hold up the process', async () => {
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 1);
    await check(SLOW, SLOW_VALUE);
    clearInterval(timer);
    expect(turns).to.be.greaterThan(5);
  });

  it('does not check values that would take too much memory, and goes on', async () => {
    const anyOf = Array.from({ length: 3000 }, (_, n) => ({ const: n }));
    const many = checks.check({ items: { anyOf } }, `[${'-1,'.repeat(20_000)}5]`, 'server');
    const larger = checks.check({ items: { type: 'object' } }, `[${'{},'.repeat(6_000_000)}5]`, 'server');
    // Each level doubles the errors of the next one.
    const levels = Array.from({ length: 30 }, (_, n) => {
      const $ref = `#/$defs/l${n + 1}`;
      return [`l${n}`, { anyOf: [{ $ref }, { $ref }] }];
    });
    const $defs = { ...Object.fromEntries(levels), l30: { type: 'string' } };
    const doubled = check({ $defs, $ref: '#/$defs/l0' }, 5);
    const key = '~'.repeat(200_000);
    const paths = check({ additionalProperties: { items: { type: 'string' } } }, { [key]: Array(900).fill(5) });
    const answers = await Promise.all([many, larger, doubled, paths, check({ type: 'string' }, 5)]);
    for (const answer of answers.slice(0, 4)) expect(answer).to.deep.equal({ problems: [], unchecked: 'limit' });
    expect(answers[4]?.problems).to.have.length(1);
  });

  it('refuses schemas that are too large or too deep', async () => {
    const nested = (levels: number) => {
      let schema: object = {};
      for (let level = 1; level < levels; level += 1) schema = { not: schema };
      return schema;
    };
    expect(await refusal({ description: 'x'.repeat(262_100) })).to.equal('');
    expect(await refusal({ description: 'ü'.repeat(131_072) })).to.include('262144 bytes');
    expect(await refusal({ type: 5, description: 'x'.repeat(15_000_000) })).to.include('262144 bytes');
    expect(await refusal(nested(100))).to.equal('');
    expect(await refusal(nested(101))).to.include('100 levels');
    expect(await refusal(nested(400_000))).to.include('100 levels');
    expect(await check(nested(101), 1)).to.deep.equal({ problems: [], unchecked: 'schema' });
  });

  it('names up to a hundred problems', async () => {
    const { problems } = await check({ items: { type: 'string' } }, Array(900).fill(5));
    expect(problems).to.have.length(100);
    expect(problems[99]).to.deep.equal({ field: '99', message: 'must be a string' });
  });

  it('reads both drafts, and schemas that refer to the schema of schemas', async () => {
    const $schema = 'http://json-schema.org/draft-07/schema#';
    expect((await check({ $schema, items: [{ type: 'string' }] }, [5])).problems).to.have.length(1);
    expect((await check({ prefixItems: [{ type: 'string' }] }, [5])).problems).to.have.length(1);
    expect((await check({ $schema, $ref: $schema }, { type: 'nonsense' })).problems).to.have.length(1);
    const $ref = 'https://json-schema.org/draft/2020-12/schema';
    expect((await check({ $ref }, { type: 'nonsense' })).problems).to.have.length(1);
    expect((await check({ type: 'nonsense' }, 5)).unchecked).to.equal('schema');
  });

  it('keeps schemas of different callers apart', async () => {
    const schema = (type: string) => ({
      $defs: { a: { $id: 'https://example.com/a', type } },
      $ref: 'https://example.com/a',
    });
    expect((await check(schema('string'), 5, 'caller')).problems).to.have.length(1);
    expect(await check(schema('integer'), 5, 'caller')).to.deep.equal({ problems: [] });
    expect((await check({ $ref: 'https://example.com/a' }, 5, 'caller')).unchecked).to.equal('schema');
  });

  it('finds no problem in what differs only in digits that a number does not have', async () => {
    const rounded = (schema: object, json: string) => checks.check(schema as Record<string, unknown>, json, 'server');
    expect(await rounded({ uniqueItems: true }, '[9007199254740992,9007199254740993]')).to.deep.equal({ problems: [] });
    expect(await rounded({ exclusiveMinimum: 9007199254740992 }, '9007199254740993')).to.deep.equal({ problems: [] });
    expect((await rounded({ uniqueItems: true }, '[5,5]')).problems).to.have.length(1);
    expect((await rounded({ type: 'string' }, '9007199254740993')).problems).to.have.length(1);
  });

  const multiples: [number, number, boolean][] = [
    [1.13, 0.01, true],
    [4.35, 0.01, true],
    [0.3, 0.1, true],
    [-19.99, 0.01, true],
    [12_345_678.91, 0.01, true],
    [1e21, 0.1, true],
    [1e-7, 1e-9, true],
    [0, 0.01, true],
    [9, 3, true],
    [1.135, 0.01, false],
    [0.35, 0.1, false],
    [12_345_678.915, 0.01, false],
    [10, 3, false],
    [7.5, 1, false],
  ];
  for (const [value, multipleOf, isMultiple] of multiples) {
    it(`finds that ${value} is ${isMultiple ? 'a' : 'no'} multiple of ${multipleOf}`, async () => {
      const { problems } = await check({ properties: { a: { type: 'number', multipleOf } } }, { a: value });
      expect(problems).to.deep.equal(
        isMultiple ? [] : [{ field: 'a', message: `must be a multiple of ${multipleOf}` }],
      );
    });
  }
});

describe('SizedMap', () => {
  it('drops what was not read for the longest time', () => {
    const map = new SizedMap<number>(10);
    map.set('a', 1, 4);
    map.set('b', 2, 4);
    map.get('a');
    map.set('c', 3, 4);
    expect(['a', 'b', 'c'].map((key) => map.get(key))).to.deep.equal([1, undefined, 3]);
    map.set('c', 4, 4);
    expect(['a', 'c'].map((key) => map.get(key))).to.deep.equal([1, 4]);
    map.set('large', 5, 11);
    expect(['a', 'c', 'large'].map((key) => map.get(key))).to.deep.equal([undefined, undefined, undefined]);
  });
});

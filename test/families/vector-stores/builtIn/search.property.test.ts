import { expect } from 'chai';
import fc from 'fast-check';
import type { Json } from '../../../../src/contract/basics.ts';
import { readFilter } from '../../../../src/families/vector-stores/queries/filter.ts';
import { matches as matchesRead } from '../../../../src/families/vector-stores/queries/matches.ts';
import { filterProblems } from '../../../../src/gateway/retrieval/filter.ts';
import { document, KnowledgeSite } from '../../../support/knowledge/site.ts';
import { holds, holdsAsync } from '../../../support/property.ts';

const KEYS = ['team', 'n', 'tags', '__proto__', 'toString'];
const matchesFilter = (filter: Json, metadata: Json): boolean => matchesRead(readFilter(filter), metadata);
const scalar = fc.oneof(fc.constantFrom('a', 'ab', 'b', '', '1', 'true'), fc.constantFrom(0, 1, 2, -1.5), fc.boolean());
const metadata = fc
  .array(
    fc.tuple(
      fc.constantFrom(...KEYS),
      fc.oneof(scalar, fc.array(fc.oneof(fc.constantFrom('a', 'ab'), fc.constant(1)), { maxLength: 3 })),
    ),
    { maxLength: 4 },
  )
  .map((entries) => JSON.parse(JSON.stringify(Object.fromEntries(entries))) as Json);
const condition = <T>(names: string[], value: fc.Arbitrary<T>) =>
  fc
    .tuple(fc.constantFrom(...names), fc.record({ key: fc.constantFrom(...KEYS), value }))
    .map(([name, inner]) => ({ [name]: inner }));
const filters = fc.letrec<{ filter: Json; group: Json; leaf: Json }>((tie) => ({
  filter: fc.oneof({ maxDepth: 3 }, tie('leaf'), tie('group')),
  group: fc
    .tuple(fc.constantFrom('andAll', 'orAll'), fc.array(tie('filter'), { minLength: 2, maxLength: 3 }))
    .map(([name, parts]) => ({ [name]: parts })),
  leaf: fc.oneof(
    condition(['equals', 'notEquals'], scalar),
    condition(['in', 'notIn'], fc.array(scalar, { minLength: 1, maxLength: 3 })),
    condition(['greaterThan', 'greaterThanOrEquals', 'lessThan', 'lessThanOrEquals'], fc.constantFrom(-1, 0, 1, 1.5)),
    condition(['startsWith', 'listContains', 'stringContains'], fc.constantFrom('a', 'b', 'ab', '')),
  ),
})).filter;

/** The contract in other words: a condition is a set of values, and a key that is missing is in none. */
function reference(filter: Json, found: Json): boolean {
  const [[operator, inner]] = Object.entries(filter) as [[string, never]];
  if (operator === 'andAll') return !(inner as Json[]).some((part) => !reference(part, found));
  if (operator === 'orAll') return (inner as Json[]).filter((part) => reference(part, found)).length > 0;
  const { key, value } = inner as { key: string; value: unknown };
  if (!Object.keys(found).includes(key)) return false;
  const it = found[key];
  const isSame = (a: unknown, b: unknown) => typeof a === typeof b && JSON.stringify(a) === JSON.stringify(b);
  const isAmong = (list: unknown) => (list as unknown[]).some((each) => isSame(each, it));
  const compare = (test: (a: number, b: number) => boolean) => typeof it === 'number' && test(it, value as number);
  switch (operator) {
    case 'equals':
      return isSame(it, value);
    case 'notEquals':
      return !isSame(it, value);
    case 'in':
      return isAmong(value);
    case 'notIn':
      return !isAmong(value);
    case 'greaterThan':
      return compare((a, b) => a > b);
    case 'greaterThanOrEquals':
      return compare((a, b) => a >= b);
    case 'lessThan':
      return compare((a, b) => a < b);
    case 'lessThanOrEquals':
      return compare((a, b) => a <= b);
    case 'startsWith':
      return typeof it === 'string' && it.indexOf(value as string) === 0;
    case 'listContains':
      return Array.isArray(it) && it.some((each) => isSame(each, value));
    default: {
      const texts = (Array.isArray(it) ? it : [it]).filter((each) => typeof each === 'string');
      return texts.some((text) => text.split(value as string).length > 1 || value === '');
    }
  }
}

describe('search in a store in the platform', () => {
  it('filters as the contract says', () => {
    holds(
      fc.property(filters, metadata, (filter, found) => {
        expect(filterProblems(filter)).to.deep.equal([]);
        expect(matchesFilter(filter, found), JSON.stringify([filter, found])).to.equal(reference(filter, found));
      }),
      2000,
    );
  });

  it('missing keys match nothing, and numbers never equal text', () => {
    const matches = (operator: string, value: unknown, found: Json) =>
      matchesFilter({ [operator]: { key: 'k', value } }, found);
    for (const [operator, value] of Object.entries({
      notEquals: 1,
      notIn: [1],
      equals: 1,
      lessThan: 1,
      startsWith: '',
    }))
      expect(matches(operator, value, { other: 1 }), operator).to.equal(false);
    expect(matches('equals', 1, { k: '1' })).to.equal(false);
    expect(matches('notEquals', 1, { k: '1' })).to.equal(true);
    expect(matches('in', ['1'], { k: 1 })).to.equal(false);
    expect(matches('equals', true, { k: 'true' })).to.equal(false);
    expect(matches('greaterThan', 1, { k: '2' })).to.equal(false);
    expect(matches('equals', 1, JSON.parse('{"__proto__": 1}') as Json)).to.equal(false);
  });

  const dimensions = 13;
  const vector = fc.array(fc.integer({ min: -50, max: 50 }), { minLength: dimensions, maxLength: dimensions });
  const step = fc.oneof(
    fc.record({
      id: fc.integer({ min: 0, max: 5 }),
      vectors: fc.array(vector, { minLength: 1, maxLength: 4 }),
      metadata,
    }),
    fc.record({ removed: fc.integer({ min: 0, max: 5 }) }),
  );

  it('finds what a comparison with each passage finds, whatever was written and removed before', () =>
    holdsAsync(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 12 }),
        vector,
        fc.option(filters),
        async (steps, query, filter) => {
          const site = new KnowledgeSite();
          const [one, two] = [site.member(), site.member()];
          const expected = new Map<string, { vectors: number[][]; metadata: Json }>();
          for (const each of steps) {
            if ('removed' in each) {
              const id = `d${each.removed}`;
              expect(await one.remove([id])).to.equal(expected.delete(id) ? 1 : 0);
            } else {
              const id = `d${each.id}`;
              const texts = each.vectors.map((_, index) => `${id} ${index}`);
              await one.replace([document(id, texts, each.vectors, each.metadata)]);
              expected.set(id, each);
            }
            // The other member follows several changes at a time.
            await one.follow();
          }
          const unit = (numbers: readonly number[]) => {
            const length = Math.hypot(...numbers);
            return length === 0 ? numbers : numbers.map((n) => n / length);
          };
          const cosine = (a: readonly number[]) =>
            unit(a).reduce((sum, n, index) => sum + n * (unit(query)[index] as number), 0);
          const scores = [...expected.values()]
            .filter((each) => !filter || reference(filter, each.metadata))
            .flatMap(({ vectors }) => vectors.map(cosine))
            .sort((a, b) => b - a);
          for (const member of [one, two]) {
            const count = 7;
            const terms = {
              vector: Float32Array.from(query),
              searchType: 'semantic' as const,
              count,
              filter: filter ?? undefined,
            };
            const found = await member.search(terms);
            expect(found).to.have.length(Math.min(count, scores.length));
            for (const [rank, { score, text, id }] of found.entries()) {
              expect(score).to.be.closeTo(scores[rank] as number, 1e-5);
              const { vectors, metadata: facts } = expected.get(id as string) ?? { vectors: [], metadata: {} };
              expect(cosine(vectors[Number(text.split(' ')[1])] as number[])).to.be.closeTo(score as number, 1e-5);
              expect(found[rank]?.metadata).to.deep.equal(facts);
            }
          }
        },
      ),
      40,
    ));

  it('takes any text as a query', async () => {
    const site = new KnowledgeSite();
    const one = site.member();
    await one.replace([document('a', ['NEAR the * of ^ "x" \u0000 (y)', 'größer ÄÖ'], [[1], [2]])]);
    await holdsAsync(
      fc.asyncProperty(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.string(),
          fc.constantFrom('"', '\0', 'a\0b', '\ud800', '" OR "', 'x NOT y'),
        ),
        async (text) => {
          await one.search({ text });
        },
      ),
      300,
    );
    const [file] = await Promise.all([one.files.open('x')]);
    expect(file).to.be.an('object');
    expect((await one.search({ text: 'GRÖSSER größer' })).map(({ text }) => text)).to.deep.equal(['größer ÄÖ']);
  });
});

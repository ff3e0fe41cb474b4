import { expect } from 'chai';
import fc from 'fast-check';
import type { Json } from '../../../../src/contract/basics.ts';
import { readFilter } from '../../../../src/families/vector-stores/queries/filter.ts';
import { matches } from '../../../../src/families/vector-stores/queries/matches.ts';
import { holdsAsync } from '../../../support/property.ts';
import { type Row, search, startWorld, worlds } from './worlds.ts';

const KEYS = ['level', 'owner', 'open', 'tags', 'mixed'];
const TEXTS = [
  'ops',
  'Ops',
  'web',
  'a*b',
  'a?b',
  "o'neil",
  'päts',
  '3',
  'true',
  '',
  'x'.repeat(300),
  'a b',
  'ops team',
];
const NUMBERS = [3, 3.5, -1, 0, 1e9, 2 ** 40, 0.1];

const text = fc.constantFrom(...TEXTS);
const number = fc.constantFrom(...NUMBERS);
/** As the mapping of an index has them: the first document decides what a key holds. */
const metadata = fc.record(
  {
    level: number,
    owner: text,
    open: fc.boolean(),
    tags: fc.array(text, { minLength: 1, maxLength: 3 }),
    mixed: fc.oneof(text, number, fc.boolean()),
  },
  { requiredKeys: [] },
);

const scalar = fc.oneof(text, number, fc.boolean());
const condition = fc.oneof(
  fc.record({ operator: fc.constantFrom('equals', 'notEquals'), value: scalar }),
  fc.record({
    operator: fc.constantFrom('in', 'notIn'),
    value: fc.array(scalar, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({
    operator: fc.constantFrom('greaterThan', 'greaterThanOrEquals', 'lessThan', 'lessThanOrEquals'),
    value: number,
  }),
  fc.record({ operator: fc.constantFrom('startsWith', 'listContains', 'stringContains'), value: text }),
);
const leaf = fc
  .tuple(fc.constantFrom(...KEYS, 'missing'), condition)
  .map(([key, { operator, value }]): Json => ({ [operator]: { key, value } }));
const { filter } = fc.letrec<{ filter: Json; group: Json }>((tie) => ({
  filter: fc.oneof({ maxDepth: 2 }, { arbitrary: leaf, weight: 3 }, { arbitrary: tie('group'), weight: 1 }),
  group: fc
    .tuple(fc.constantFrom('andAll', 'orAll'), fc.array(tie('filter'), { minLength: 2, maxLength: 3 }))
    .map(([operator, parts]): Json => ({ [operator]: parts })),
}));

const DIMENSIONS = 4;
/** Decides the mapping of each key. */
const FIRST: Json = { level: 1.5, owner: 'somebody', open: true, tags: ['first'], mixed: 'first' };

describe('filters of real stores mean what the app says they mean', () => {
  for (const world of worlds()) {
    describe(world.name, function () {
      this.timeout(120_000);
      startWorld(world);

      const rows: Row[] = [];
      before(async () => {
        const samples = fc.sample(metadata, { numRuns: 60, seed: 7 });
        for (const [index, facts] of [FIRST, ...samples].entries()) {
          const vector = [1, index / 100, 0, (index % 7) / 10];
          rows.push({ id: `row-${index}`, text: `row ${index}`, vector, metadata: facts as Json });
        }
        await world.create('filtered', DIMENSIONS);
        for (const row of rows) await world.put('filtered', [row]);
      });

      it('a random filter finds the rows that match it, and no others', async () => {
        const target = world.target('filtered');
        await holdsAsync(
          fc.asyncProperty(filter, async (json) => {
            const expected = rows.filter((row) => matches(readFilter(json), row.metadata)).map(({ id }) => id);
            const vector = new Float32Array([1, 0, 0, 0]);
            const found = await search(target, { text: 'x', count: 100, filter: json, vector });
            expect(found.map(({ id }) => id).sort()).to.deep.equal(expected.sort());
          }),
          150,
        );
      });
    });
  }
});

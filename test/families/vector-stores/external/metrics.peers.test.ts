import { expect } from 'chai';
import { documentOf, SavedStore } from './saved.ts';
import { PgWorld, search, startWorld } from './worlds.ts';

/** Nearest to [1, 0] by the angle, by the distance and by the inner product: three different rows. */
const ROWS = [
  { id: 'angle', text: 'angle', vector: [0.1, 0], metadata: {} },
  { id: 'distance', text: 'distance', vector: [0.9, 0.2], metadata: {} },
  { id: 'product', text: 'product', vector: [9, 9], metadata: {} },
];
const QUERY = { text: 'x', count: 3, vector: new Float32Array([1, 0]) };

describe('columns of PostgreSQL', function () {
  this.timeout(60_000);
  const world = new PgWorld();
  startWorld(world);

  let count = 0;
  async function created(index?: string): Promise<string> {
    const name = `metric${count++}`;
    await world.create(name, 2);
    if (index !== undefined) await world.run(`CREATE INDEX ON ${name} USING ${index}`);
    await world.put(name, ROWS);
    return name;
  }
  const found = async (name: string) =>
    (await search(world.target(name), QUERY)).map(({ id, score = Number.NaN }) => [id, Number(score.toFixed(3))]);

  const byDistance = [
    ['distance', Number((1 / (1 + Math.hypot(0.1, 0.2))).toFixed(3))],
    ['angle', Number((1 / 1.9).toFixed(3))],
    ['product', Number((1 / (1 + Math.hypot(8, 9))).toFixed(3))],
  ];
  const byAngle = [
    ['angle', 1],
    ['distance', Number((0.9 / Math.hypot(0.9, 0.2)).toFixed(3))],
    ['product', Number(Math.SQRT1_2.toFixed(3))],
  ];

  it('are compared as their index does, and by the angle without one', async () => {
    expect(await found(await created())).to.deep.equal(byAngle);
    expect(await found(await created('hnsw (embedding vector_cosine_ops)'))).to.deep.equal(byAngle);
    expect(await found(await created('hnsw (embedding vector_l2_ops)'))).to.deep.equal(byDistance);
    expect(await found(await created('ivfflat (embedding vector_l2_ops) WITH (lists = 1)'))).to.deep.equal(byDistance);
    expect(await found(await created('hnsw (embedding vector_ip_ops)'))).to.deep.equal([
      ['product', 9],
      ['distance', 0.9],
      ['angle', 0.1],
    ]);
  });

  it('need none for metadata, where a filter is not supported', async () => {
    const name = await created('hnsw (embedding vector_l2_ops)');
    const details = { metadata_column: undefined };
    const [first] = await search(world.target(name, details), QUERY);
    expect([first?.id, first?.metadata]).to.deep.equal(['distance', {}]);
    const filter = { equals: { key: 'team', value: 'ops' } };
    const refused = await search(world.target(name, details), { ...QUERY, filter }).catch(({ code }) => code);
    expect(refused).to.equal('not_supported');
    const store = await SavedStore.of(world, name, details);
    expect(await store.write([documentOf('mine', [[1, 0]], { team: 'ops' })])).to.deep.equal([undefined]);
    expect((await world.run(`SELECT facts FROM ${name} WHERE id = 'mine#0'`))[0]).to.deep.equal({ facts: null });
  });
});

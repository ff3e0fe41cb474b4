import { expect } from 'chai';
import { contract, gatewayContract } from '../../src/codegen/bundle/live.ts';
import { CAPABILITIES } from '../../src/contract/capabilities.ts';
import type { CompiledRow, Plan } from '../../src/contract/rows/compiled.ts';
import { MemoryApp } from '../support/memory/app.ts';

/** The fields of a body that the schema leaves open, as JSON around a value. */
function openFields(plan: Plan): { field: string; around: [string, string] }[] {
  if (plan === true) return [{ field: '', around: ['', ''] }];
  const inside = (key: string, below: Plan) =>
    openFields(below).map(({ field, around: [before, after] }) => ({
      field: field === '' ? key : `${key}.${field}`,
      around: [`{${JSON.stringify(key)}:${before}`, `${after}}`] as [string, string],
    }));
  const items = plan.i === undefined ? [] : openFields(plan.i);
  return [
    ...Object.entries(plan.p ?? {}).flatMap(([key, below]) => inside(key, below)),
    ...(plan.a === undefined ? [] : inside('unknown', plan.a)),
    ...items.map(({ field, around: [before, after] }) => ({
      field: field === '' ? '0' : `0.${field}`,
      around: [`[${before}`, `${after}]`] as [string, string],
    })),
  ];
}

const nested = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
const lists = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
const rows = [...contract.rows, ...gatewayContract.rows].filter(({ bodyPlan, file }) => bodyPlan !== null && !file);
const isGateway = ({ id }: CompiledRow) => gatewayContract.rows.some((row) => row.id === id);

describe('levels of a body', () => {
  const app = new MemoryApp();
  app.user('any', { capabilities: [...Object.keys(CAPABILITIES), 'admin_all_objects'] });

  const post = async (row: CompiledRow, body: string) => {
    const parts = row.segments.map((part) => (typeof part === 'string' ? part : 'x'));
    const path = isGateway(row) ? parts.join('/') : ['ml', ...parts].join('/');
    return app.request({
      method: row.method,
      path: `/${path}`,
      query: [],
      headers: [],
      sessionToken: 'any',
      body: Buffer.from(row.wrapped ? `{"payload":${body}}` : body),
    });
  };

  for (const row of rows) {
    const fields = openFields(row.bodyPlan ?? {});
    if (fields.length === 0 || row.id === 'runBatch') continue;
    it(`are bounded in ${row.id}: ${fields.length} fields`, async () => {
      for (const [index, { field, around }] of fields.entries()) {
        for (const levels of index === 0 ? [102, 5000, 400_000] : [102, 5000]) {
          const body = around.join(levels * 8 < row.maxBody ? nested(levels) : lists(levels));
          if (body.length > row.maxBody) continue;
          const { status, json } = await post(row, body);
          expect([status, json.error_code], `${field} ${levels} ${JSON.stringify(json)}`.slice(0, 400)).to.deep.equal([
            400,
            'validation_failed',
          ]);
          const named = json.errors.map((problem: { field: string }) => problem.field).join();
          expect(named, String(levels)).to.match(/\w|\$body/);
        }
      }
      expect(app.site.log.events('error')).to.deep.equal([]);
    });
  }

  it('are bounded before a body of nothing else is parsed', async () => {
    const row = gatewayContract.rows.find(({ id }) => id === 'createChatCompletion') as CompiledRow;
    for (const levels of [600_000, 2_000_000]) {
      const { status, json } = await post(row, `{"x":${'['.repeat(levels)}${']'.repeat(levels)}}`);
      expect([status, json.error_code, json.errors[0].field]).to.deep.equal([400, 'validation_failed', '$body']);
    }
  });

  it('of items of a batch fail these alone', async () => {
    const row = gatewayContract.rows.find(({ id }) => id === 'runBatch') as CompiledRow;
    for (const levels of [101, 5000, 400_000]) {
      for (const operation of ['chat', 'embed', 'tool', 'retrieve', 'predict']) {
        const deep = nested(levels);
        const field = operation === 'tool' ? 'arguments' : operation === 'retrieve' ? 'filter' : 'x';
        const items = `[{"id":"a","${field}":${deep}},{"id":"b","${field}":{}}]`;
        const { status, json } = await post(row, `{"operation":"${operation}","items":${items}}`);
        expect([status, json.result?.length], `${operation} ${levels}`).to.deep.equal([200, 2]);
        expect(json.result[0], `${operation} ${levels}`).to.include({ error_code: 'validation_failed' });
      }
    }
    expect(app.site.log.events('error')).to.deep.equal([]);
  });
});

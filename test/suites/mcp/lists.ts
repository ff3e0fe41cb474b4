import { expect } from 'chai';
import type { Answer } from '../../support/worlds/world.ts';
import { expectFields, expectOk, type Json, type McpCalls, URL } from './calls.ts';

export function listsTopic(mcp: McpCalls): void {
  const { world, post, list } = mcp;
  const titled = (index: number) => `item ${String(index).padStart(2, '0')}`;
  const items = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => titled(from + index));
  const of = (reply: Answer) => reply.json.result.map((item: { name: string }) => item.name.toLowerCase());
  const make = async (index: number, user = 'anna') => {
    const name = index % 2 ? titled(index).replace('item', 'Item') : titled(index);
    const description = index === 3 ? 'the Fourth' : `about ${name}`;
    expectOk(await post({ name, type: 'PLATFORM', description, details: { url: URL } }, user));
  };

  it('shows 30 unless told otherwise, by name without case, and pages', async () => {
    await Promise.all(Array.from({ length: 35 }, (_, index) => make(index)));
    const first = await list('');
    expect(of(first)).to.deep.equal(items(0, 30));
    expect(first.json).to.have.all.keys('status', 'message', 'result', 'pagination');
    const { pagination } = first.json;
    const full = { offset: 0, count: 30, total: 35, returned: 30, has_more: true, next_offset: 30 };
    expect(pagination).to.deep.equal(full);
    const page = async (query: string, expected: string[], more: Json) => {
      const reply = await list(query);
      expect(of(reply), query).to.deep.equal(expected);
      expect(reply.json.pagination, query).to.include({ total: 35, returned: expected.length, ...more });
    };
    const last = { has_more: false, next_offset: null };
    await page('?offset=30', items(30, 35), { offset: 30, count: 30, ...last });
    await page('?count=0', items(0, 35), { count: 0, ...last });
    await page('?count=2&offset=3', items(3, 5), { has_more: true, next_offset: 5 });
    await page('?count=5&offset=30', items(30, 35), last);
    await page('?offset=1000', [], last);
    await page('?count=0&offset=33', items(33, 35), last);
    await page('?sort_dir=desc&count=0', items(0, 35).reverse(), last);
    await page('?count=2&sort_key=name&sort_dir=desc', items(33, 35).reverse(), { has_more: true, next_offset: 2 });
  });

  it('sorts by time', async () => {
    for (const index of [1, 3, 0, 2]) {
      await make(index);
      await world.later();
    }
    const byTime = await list('?sort_key=created_at&sort_dir=desc&count=0');
    expect(of(byTime)).to.deep.equal([2, 0, 3, 1].map(titled));
  });

  it('searches name and description without case, and counts what the caller may read', async () => {
    for (let index = 0; index < 12; index += 1) await make(index);
    await make(12, 'bert');
    expect(of(await list('?search=FOURTH'))).to.deep.equal([titled(3)]);
    expect(of(await list('?search=ABOUT%20item%2005'))).to.deep.equal([titled(5)]);
    const found = await list('?search=em%200&count=3');
    expect(found.json.pagination).to.include({ total: 10, returned: 3, has_more: true, next_offset: 3 });
    const total = async (query: string, user?: string) => (await list(query, user)).json.pagination.total;
    expect(await total('?search=nothing-like-it')).to.equal(0);
    expect(await total('?search=.*')).to.equal(0);
    expect([await total('?search=item'), await total('?search=item', 'bert')]).to.deep.equal([12, 1]);
    expect(await total('?search=item', 'carl')).to.equal(0);
    expect(await total('?search=item&count=0', 'root')).to.equal(13);
  });

  it('refuses bad values with the field', async () => {
    const bad = {
      count: ['-1', 'x', '1.5', '', 'NaN', 'Infinity', '99999999999999999999', '1&count=2'],
      offset: ['-1', 'abc'],
      sort_key: ['details', 'token', 'secret_ref', '__proto__', ''],
      sort_dir: ['up', 'ASC'],
      name: ['a/b', ''],
    };
    for (const [field, values] of Object.entries(bad)) {
      for (const value of values) expectFields(await list(`?${field}=${value}`), field);
    }
    expectFields(await list('?count=-1&offset=x&sort_dir=up'), 'count', 'offset', 'sort_dir');
  });
}

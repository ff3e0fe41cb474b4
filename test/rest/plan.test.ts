import { expect } from 'chai';
import { applyPlan } from '../../src/rest/plan.ts';

const cut = (value: unknown, plan: Parameters<typeof applyPlan>[1]) => {
  const dropped: string[] = [];
  return [applyPlan(value, plan, dropped), dropped];
};

describe('key plans', () => {
  it('keep what is declared at every depth and report the rest with its path', () => {
    const plan = { p: { a: {}, b: { p: { c: {} } }, list: { i: { p: { d: {} } } } } };
    const value = { a: 1, x: 2, b: { c: 3, y: 4 }, list: [{ d: 5 }, { d: 6, z: 7 }] };
    expect(cut(value, plan)).to.deep.equal([
      { a: 1, b: { c: 3 }, list: [{ d: 5 }, { d: 6 }] },
      ['x', 'b.y', 'list.1.z'],
    ]);
  });

  it('any other key may be allowed', () => {
    expect(cut({ a: { k: 1 }, b: 2 }, { p: { b: {} }, a: { p: {} } })).to.deep.equal([{ a: {}, b: 2 }, ['a.k']]);
    expect(cut({ a: { deep: [1] } }, true)).to.deep.equal([{ a: { deep: [1] } }, []]);
  });

  it('trim where it is marked and nowhere else', () => {
    expect(cut({ a: ' x ', b: ' y ' }, { p: { a: { t: 1 }, b: {} } })[0]).to.deep.equal({ a: 'x', b: ' y ' });
  });

  it('make texts of numbers, booleans and null where it is marked, and of nothing else', () => {
    const plan = { p: { a: { c: 1, t: 1 }, b: {} } } as const;
    const made = (value: unknown) => (cut({ a: value, b: value }, plan)[0] as { a: unknown; b: unknown }).a;
    expect([5, 1.5, -0, 1e21, true, false, null, ' x '].map(made)).to.deep.equal([
      ...['5', '1.5', '0', '1e+21', 'true', 'false', '', 'x'],
    ]);
    for (const odd of [[], {}, JSON.parse('1e999')]) expect(made(odd)).to.deep.equal(odd);
    expect(cut({ b: 5 }, plan)[0]).to.deep.equal({ b: 5 });
    expect(cut({ a: 'TRUE', b: 'TRUE' }, { p: { a: { l: 1 }, b: {} } })[0]).to.deep.equal({ a: 'true', b: 'TRUE' });
  });

  it('values of another type than planned pass: the validator has the word', () => {
    expect(cut({ a: [1], list: { x: 1 } }, { p: { a: { p: { b: {} } }, list: { i: {} } } })[0]).to.have.property('a');
    expect(cut(null, { p: {} })[0]).to.equal(null);
  });

  it('inherited names are undeclared keys, and __proto__ is data', () => {
    const value = JSON.parse('{"__proto__":{"polluted":1},"constructor":1,"toString":2}');
    expect(cut(value, { p: {} })).to.deep.equal([{}, ['__proto__', 'constructor', 'toString']]);
    const [kept] = cut(JSON.parse('{"__proto__":{"x":1}}'), { p: {}, a: true });
    expect(Object.keys(kept as object)).to.deep.equal(['__proto__']);
    expect(Object.getPrototypeOf(kept)).to.equal(Object.prototype);
    expect(({} as Record<string, unknown>).polluted).to.equal(undefined);
  });
});

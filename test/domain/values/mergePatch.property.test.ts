import { expect } from 'chai';
import fc from 'fast-check';
import { mergePatch } from '../../../src/domain/values/json.ts';
import { anyKey, holds } from '../../support/property.ts';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
const { tree } = fc.letrec<{ tree: Json }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    fc.constantFrom(null, true, 0, 1, '', 'x'),
    fc.array(tie('tree'), { maxLength: 3 }),
    fc.dictionary(anyKey, tie('tree'), { maxKeys: 4, noNullPrototype: true }),
  ) as fc.Arbitrary<Json>,
}));
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** RFC 7396, section 2, word for word. */
function reference(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const result: [string, unknown][] = isObject(target) ? Object.entries(target) : [];
  for (const [name, value] of Object.entries(patch)) {
    const at = result.findIndex(([key]) => key === name);
    const old = at < 0 ? undefined : result[at]?.[1];
    if (at >= 0) result.splice(at, 1);
    if (value !== null) result.push([name, reference(old, value)]);
  }
  return Object.fromEntries(result);
}

function hasNull(value: unknown): boolean {
  return isObject(value) && Object.values(value).some((item) => item === null || hasNull(item));
}

describe('merge patches, for any two values', () => {
  it('are those of RFC 7396', () => {
    holds(
      fc.property(tree, tree, (target, patch) => {
        expect(mergePatch(target, patch)).to.deep.equal(reference(target, patch));
      }),
    );
  });
  it('change nothing that was given', () => {
    holds(
      fc.property(tree, tree, (target, patch) => {
        const before = JSON.stringify([target, patch]);
        mergePatch(target, patch);
        expect(JSON.stringify([target, patch])).to.equal(before);
      }),
    );
  });
  it('leave no null of the patch behind, and do the same when they are repeated', () => {
    holds(
      fc.property(tree, tree, (target, patch) => {
        if (!isObject(patch)) return;
        const once = mergePatch(isObject(target) ? {} : target, patch);
        expect(hasNull(once)).to.equal(false);
        expect(mergePatch(once, patch)).to.deep.equal(once);
      }),
    );
  });
  it('never reach a prototype', () => {
    holds(
      fc.property(tree, tree, (target, patch) => {
        mergePatch(target, patch);
        expect(Object.keys(Object.prototype)).to.deep.equal([]);
      }),
    );
  });
});

import { expect } from 'chai';
import type { StoreKind } from '../../../src/families/vector-stores/kinds/kind.ts';
import { kindOf } from '../../../src/families/vector-stores/kinds/registry.ts';
import { STORE_TYPES } from '../../../src/families/vector-stores/names.ts';

type Details = Parameters<StoreKind['problems']>[0];

/** Rules run on bodies that lack fields or fail their schema, too: all problems are named at once. */
describe('rules of details', () => {
  for (const type of STORE_TYPES) {
    const { required, optional, problems } = kindOf(type);
    const fields = [...required, ...optional];

    it(`of ${type} take nothing at all`, () => {
      expect(problems({} as Details, [])).to.be.an('array');
    });

    it(`of ${type} take values of any type`, () => {
      for (const value of [5, true, null, {}, [], 'x', ''])
        for (const field of fields) expect(problems({ [field]: value } as unknown as Details, [])).to.be.an('array');
    });
  }
});

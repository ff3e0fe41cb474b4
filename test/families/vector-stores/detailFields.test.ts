import { expect } from 'chai';
import { STORE_DETAILS } from '../../../src/families/vector-stores/kinds/details.ts';
import { kindOf } from '../../../src/families/vector-stores/kinds/registry.ts';
import { STORE_TYPES } from '../../../src/families/vector-stores/names.ts';

describe('fields of details', () => {
  for (const type of STORE_TYPES)
    it(`of ${type} are those with a schema`, () => {
      const { required, optional } = kindOf(type);
      expect([...required, ...optional].sort()).to.deep.equal(Object.keys(STORE_DETAILS[type]).sort());
    });
});

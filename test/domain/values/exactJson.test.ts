import assert from 'node:assert/strict';
import { parseExact, stringifyExact } from '../../../src/domain/values/exactJson.ts';

describe('Exact JSON', () => {
  for (const number of [
    '9007199254740991',
    '9007199254740993',
    '-9007199254740993',
    '725653563933458432',
    '18446744073709551615',
    '-9223372036854775808',
    '123456789012345678901234567890',
    '0.1',
    '-1.5e-7',
    '1e+21',
  ]) {
    it(`writes ${number} as it was read`, () => {
      const text = `{"a":[${number},{"b":${number}}],"c":"${number}"}`;
      assert.equal(stringifyExact(parseExact(text)), text);
    });
  }

  it('keeps the type number for what a number can hold', () => {
    assert.deepEqual(parseExact('[9007199254740991,12345678901234567890,0.1234567890123456]'), [
      9007199254740991,
      12345678901234567890n,
      0.1234567890123456,
    ]);
  });

  it('reads an integer with decimal zeros', () => {
    assert.equal(stringifyExact(parseExact('9007199254740993.00')), '9007199254740993');
  });

  it('gives the text of what is no number here', () => {
    assert.deepEqual(parseExact('[1e999,-1e999]'), ['1e999', '-1e999']);
    assert.equal(parseExact('9'.repeat(5000)), '9'.repeat(5000));
  });

  it('keeps digits inside of texts and keys, and a key called __proto__', () => {
    const text = '{"9007199254740993":"9007199254740993","__proto__":{"a":9007199254740993}}';
    assert.equal(stringifyExact(parseExact(text)), text);
  });

  it('refuses what JSON.parse refuses', () => {
    for (const text of ['9007199254740993n', '09007199254740993', '+9007199254740993', '']) {
      assert.throws(() => parseExact(text), SyntaxError);
    }
  });
});

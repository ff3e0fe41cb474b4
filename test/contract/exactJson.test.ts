import assert from 'node:assert/strict';
import { parseExact, stringifyExact, stringifyWellFormed, withRawNumbers } from '../../src/contract/exactJson.ts';

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

  it('writes halves of surrogate pairs as U+FFFD where asked to', () => {
    for (const [value, written] of [
      ['half \ud83d end', 'half \ufffd end'],
      ['\ude80\ud83d', '\ufffd\ufffd'],
      ['\ud83d\ude80', '\ud83d\ude80'],
      ['the text \\ud83d', 'the text \\ud83d'],
      ['\\\\\ud83d', '\\\\\ufffd'],
    ] as const) {
      assert.deepEqual(JSON.parse(stringifyWellFormed({ [value]: [value] })), { [written]: [written] });
    }
  });

  it('gives libraries values that they write with all digits', () => {
    const value = { a: [9007199254740993n, 1, 'x', null], b: { c: -9007199254740993n } };
    assert.equal(
      JSON.stringify(withRawNumbers(value)),
      '{"a":[9007199254740993,1,"x",null],"b":{"c":-9007199254740993}}',
    );
  });
});

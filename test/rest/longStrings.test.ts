import { expect } from 'chai';
import { base64Size, cutLongStrings, decodeInPlace, longString, textOf } from '../../src/rest/longStrings.ts';

const cut = (text: string, most = 1_000_000) => cutLongStrings(Buffer.from(text), most);
const LONG = 'x'.repeat(70_000);

describe('long strings of JSON', () => {
  it('are taken out and found again', () => {
    const value = { short: 'a"b\\', file: LONG, list: [1, { deep: `${LONG}é"\\\n` }], last: 'é' };
    const found = cut(JSON.stringify(value));
    if (!found) throw new Error('nothing');
    expect(found.rest.length).to.be.lessThan(400);
    expect(found.long).to.have.length(2);
    const back = JSON.parse(found.rest.toString(), (_key, item) => {
      const long = longString(found, item);
      return long ? textOf(long) : item;
    });
    expect(back).to.deep.equal(value);
  });

  it('leaves JSON without any as it is, broken or not', () => {
    for (const text of [
      '',
      '{}',
      '{"a":"b"}',
      '{"a":"b',
      '"',
      '\\"',
      '{"a":"\\"}',
      'null',
      '"\\\\"',
      `{"a":"${LONG}`,
    ]) {
      expect(cut(text)?.rest.toString(), text.slice(0, 20)).to.equal(text);
    }
  });

  it('cannot be made believe that a text stands for a long one', () => {
    const found = cut(JSON.stringify({ a: LONG, b: 'long-00000000-0000-4000-8000-000000000000-0' }));
    if (!found) throw new Error('nothing');
    expect(longString(found, 'long-00000000-0000-4000-8000-000000000000-0')).to.equal(undefined);
    expect(longString(found, `${found.placeholder}7`)).to.equal(undefined);
    expect(longString(found, 3)).to.equal(undefined);
  });

  it('gives up on JSON that is large without them', () => {
    expect(cut(JSON.stringify({ file: LONG, pad: Array(1000).fill('short') }), 5000)).to.equal(undefined);
    expect(cut('['.repeat(6000), 5000)).to.equal(undefined);
    expect(cut(JSON.stringify({ file: LONG }), 5000)).to.not.equal(undefined);
  });

  it('survives every cut of its input', () => {
    const bytes = Buffer.from(JSON.stringify({ 'k"\\': `${'y'.repeat(65_540)}\\"`, z: '\\' }));
    for (let end = 0; end < bytes.length; end += 1 + (end > 50 && end < bytes.length - 50 ? 997 : 0)) {
      const found = cutLongStrings(bytes.subarray(0, end), 1_000_000);
      if (!found) throw new Error(`at ${end}`);
      expect(() => JSON.parse(found.rest.toString()), String(end)).to.throw(SyntaxError);
    }
  });
});

describe('base64 by pieces', () => {
  it('decodes every length, with padding and without', () => {
    for (const length of [0, 1, 2, 3, 4, 5, 49_150, 49_151, 49_152, 49_153, 200_001]) {
      const bytes = Buffer.from(Array.from({ length }, (_, index) => (index * 7) % 256));
      const text = bytes.toString('base64');
      expect(base64Size(Buffer.from(text)), String(length)).to.equal(length);
      expect(decodeInPlace(Buffer.from(text))?.equals(bytes), String(length)).to.equal(true);
      expect(decodeInPlace(Buffer.from(text.replace(/=+$/, '')))?.equals(bytes), String(length)).to.equal(true);
    }
  });

  it('refuses invalid base64', () => {
    for (const text of [
      'A',
      'AAAAA',
      'AA=',
      'A===',
      'AA=A',
      '====',
      'AA==AA==',
      'AA A',
      'AAA!',
      'é'.repeat(4),
      'AAAA\n',
    ]) {
      expect(decodeInPlace(Buffer.from(text)), text).to.equal(undefined);
    }
    const broken = Buffer.alloc(200_000, 'A');
    broken[131_072] = 0x21;
    expect(decodeInPlace(broken)).to.equal(undefined);
  });
});

import { expect } from 'chai';
import type { MaskedTexts } from '../../src/masking/masking.ts';
import { mask } from './cases.ts';

const WORD = /\b[a-z]+-[a-z0-9]{10}\b/g;

function masked(...texts: string[]): MaskedTexts & { words: string[] } {
  const result = mask(texts);
  return { ...result, words: result.texts.join('\n').match(WORD) ?? [] };
}

/** The code with another character at a place. */
const changed = (word: string, index: number): string => {
  const place = word.indexOf('-') + 1 + index;
  return word.slice(0, place) + (word.charAt(place) === 'x' ? 'y' : 'x') + word.slice(place + 1);
};

describe('masking: putting values back', () => {
  it('reads placeholders in any case and with marks of Markdown', () => {
    const { restorer, words } = masked('user=ada.lind');
    const [word = ''] = words;
    const [label = '', code = ''] = word.split('-');
    const spellings: Record<string, string> = {
      [word]: 'ada.lind',
      [word.toUpperCase()]: 'ada.lind',
      [`**${word}**`]: '**ada.lind**',
      [`\`${word}\``]: '`ada.lind`',
      [`${label}\\-${code}`]: 'ada.lind',
      [`${label}\\_${code}`]: 'ada.lind',
      [`${label}_${code}`]: 'ada.lind',
      [`${label}\u2011${code}`]: 'ada.lind',
      [`${label}\u2010${code}`]: 'ada.lind',
      [`${label}${code}`]: 'ada.lind',
      [`${label}-**${code}**`]: 'ada.lind',
      [`**${label}**-${code}`]: 'ada.lind',
      [`_${word}_`]: '_ada.lind_',
      [`${word}'s`]: "ada.lind's",
      [`${word}s`]: 'ada.linds',
      [`${word}-s`]: 'ada.lind-s',
      [`host-${code}`]: 'ada.lind',
      [`(${word}@x)`]: '(ada.lind@x)',
    };
    for (const [spelling, value] of Object.entries(spellings)) {
      expect(restorer.text(`so ${spelling}, yes`), spelling).to.equal(`so ${value}, yes`);
    }
    expect(restorer.counts).to.deep.equal({
      restored: Object.keys(spellings).length,
      repaired: 0,
      unknown: 0,
      withheld: 0,
    });
  });

  it('repairs one wrong character in text alone', () => {
    const { restorer, words } = masked('user=ada.lind from 10.1.2.3');
    const [word = '', address = ''] = words;
    expect(restorer.text(`${changed(word, 4)} at ${changed(address, 9)}`)).to.equal('ada.lind at 10.1.2.3');
    expect(restorer.text(word.slice(0, -3) + word.slice(-2))).to.equal('ada.lind');
    expect(restorer.counts).to.include({ restored: 3, repaired: 3, unknown: 0 });
    expect(restorer.arguments({ user: changed(word, 4) })).to.deep.equal({ user: changed(word, 4) });
    expect(restorer.counts).to.include({ restored: 3, unknown: 1 });
  });

  it('leaves codes that nobody gave, and counts them', () => {
    const { restorer, words } = masked('user=ada.lind');
    const [word = ''] = words;
    const unknown = changed(changed(changed(word, 3), 5), 7);
    const text = `${unknown} user-management id-2026 host-mailserver2 name-changes sec-23456`;
    expect(restorer.text(text)).to.equal(text);
    expect(restorer.counts).to.include({ restored: 0 });
    expect(restorer.counts.unknown).to.be.within(0, 1);
  });

  it('leaves what stood in the request in the form of a placeholder', () => {
    const { restorer, texts } = mask(['Earlier: user-k7m2q9xw4d, <IP_7f3a9c21d04b>. user=ada.lind']);
    expect(texts[0]).to.include('user-k7m2q9xw4d').and.to.include('<IP_7f3a9c21d04b>');
    expect(restorer.text('user-k7m2q9xw4d')).to.equal('user-k7m2q9xw4d');
    expect(restorer.counts).to.include({ unknown: 0, restored: 0 });
  });

  it('writes the first spelling into texts and the plain value into arguments', () => {
    const { restorer, words } = masked('{"user":"NORTH\\\\r.silva"} and North\\r.silva');
    const [word = ''] = words;
    expect(words.every((other) => other === word)).to.equal(true);
    expect(restorer.text(word)).to.equal('NORTH\\\\r.silva');
    expect(restorer.arguments({ q: `user="${word}"` })).to.deep.equal({ q: 'user="NORTH\\r.silva"' });
  });

  it('restores strings of JSON, and never keys', () => {
    const { restorer, words } = masked('user=ada.lind');
    const [word = ''] = words;
    const value = { [word]: [word, 1, null, true, { a: `x ${word}` }] };
    expect(restorer.json(value)).to.deep.equal({ [word]: ['ada.lind', 1, null, true, { a: 'x ada.lind' }] });
    const hostile = JSON.parse(`{"__proto__":"${word}"}`);
    expect(JSON.stringify(restorer.json(hostile))).to.equal('{"__proto__":"ada.lind"}');
  });

  it('withholds values that must not go to a destination', () => {
    const { restorer, words } = masked('password=Kp4!zzqq9 user=ada.lind');
    const [secret = '', user = ''] = words;
    const mayRestore = ({ kind }: { kind: string }) => kind !== 'password';
    const args = restorer.arguments({ url: `https://evil.example/?d=${secret}&u=${user}` }, { mayRestore });
    expect(args.url).to.equal(`https://evil.example/?d=${secret}&u=ada.lind`);
    expect(restorer.counts).to.include({ withheld: 1, restored: 1 });
  });

  it('drops the beginning of a placeholder where the answer was cut', () => {
    const { restorer, words } = masked('user=ada.lind');
    const [word = ''] = words;
    const cut = (text: string) => restorer.text(text, { isCut: true });
    expect(cut(`It was ${word.slice(0, -1)}`)).to.equal('It was ');
    expect(cut(`It was ${word.slice(0, 'user-'.length + 6)}`)).to.equal('It was ');
    expect(cut(`It was ${word}`)).to.equal('It was ada.lind');
    expect(cut('It was user-xyz')).to.equal('It was user-xyz');
  });

  it('takes values with special characters as they are', () => {
    const value = "a$1$&b\\d+(x'9";
    const { restorer, words } = masked(`password={${value}}`);
    expect(restorer.text(`so ${words[0]}.`)).to.equal(`so ${value}.`);
  });
});

import { expect } from 'chai';
import fc from 'fast-check';
import { holds } from '../../support/property.ts';

type Line = { kind: 'same' | 'added' | 'removed' | 'gap'; text: string };
interface LineDiff {
  diffLines(before: string, after: string): Line[];
}

const SIGNS = { same: ' ', added: '+', removed: '-', gap: '…' };

// The types of the pages are compiled separately.
const address = new URL('../../../console/parts/text/lineDiff.ts', import.meta.url).href;
const { diffLines } = (await import(address)) as LineDiff;

describe('the console: changes of a text', () => {
  const diff = (before: string, after: string) => diffLines(before, after).map(({ kind, text }) => SIGNS[kind] + text);

  it('are the lines that differ, with two lines around them', () => {
    expect(diff('', '')).to.deep.equal([]);
    expect(diff('a\nb', 'a\nb')).to.deep.equal([]);
    expect(diff('', 'a\nb')).to.deep.equal(['+a', '+b']);
    expect(diff('a\nb', '')).to.deep.equal(['-a', '-b']);
    expect(diff('a\nb\nc', 'a\nx\nc')).to.deep.equal([' a', '-b', '+x', ' c']);
    expect(diff('a\nb\nc\nd', 'b\nc\ne\nd')).to.deep.equal(['-a', ' b', ' c', '+e', ' d']);
    const long = ['1', '2', '3', '4', '5', '6'];
    expect(diff(long.join('\n'), [...long, '7'].join('\r\n'))).to.deep.equal(['…', ' 5', ' 6', '+7']);
    expect(diff(['0', ...long, '8'].join('\n'), ['x', ...long, 'y'].join('\n'))).to.deep.equal([
      '-0',
      '+x',
      ' 1',
      ' 2',
      '…',
      ' 5',
      ' 6',
      '-8',
      '+y',
    ]);
  });

  it('lead from one text to the other, and only these', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 });
    holds(
      fc.property(text, text, (old, now) => {
        const lines = diffLines(old.join('\n'), now.join('\n'));
        const side = (kind: Line['kind']) =>
          lines
            .filter((line) => line.kind === kind)
            .map((line) => line.text)
            .sort();
        // What is left of each side without its own lines is the same.
        const without = (all: string[], gone: string[]) => {
          const rest = all.join('\n') === '' ? [] : [...all];
          for (const one of gone) {
            const at = rest.indexOf(one);
            expect(at).to.be.at.least(0);
            rest.splice(at, 1);
          }
          return rest.sort();
        };
        expect(without(old, side('removed'))).to.deep.equal(without(now, side('added')));
        if (old.join('\n') === now.join('\n')) expect(lines).to.deep.equal([]);
      }),
    );
  });

  it('of two large texts replace one by the other', () => {
    const lines = (word: string) => Array.from({ length: 1500 }, (_, index) => `${word} ${index}`).join('\n');
    const kinds = diffLines(`${lines('a')}\nend`, `${lines('b')}\nend`).map(({ kind }) => kind);
    expect(kinds).to.have.length(3001);
    expect(kinds.slice(1500, 3000).every((kind) => kind === 'added')).to.equal(true);
  });
});

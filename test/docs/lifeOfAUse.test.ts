import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { allCodes } from '../../src/contract/codes/codes.ts';
import { project } from '../support/e2e/build.ts';

const page = readFileSync(join(project, 'docs/guide/life-of-a-use.md'), 'utf8');
const steps = [...page.matchAll(/^\| (\d+)\. (.*) \|$/gm)].map(([, number, text = '']) => ({ number, text }));

describe('the page about the life of a use', () => {
  it('numbers its steps, and names files that are there', () => {
    expect(steps.map(({ number }) => Number(number))).to.deep.equal(steps.map((_, index) => index + 1));
    expect(steps).to.have.length.above(5);
    for (const { number, text } of steps) {
      const [, file = ''] = /`(src\/[^`]+)`$/.exec(text) ?? [];
      expect(existsSync(join(project, file)), `step ${number}: ${file}`).to.equal(true);
    }
  });

  it('names codes that exist', () => {
    const inTable = new Set<string>(allCodes().map(({ code }) => code));
    const codes = steps.flatMap(({ text }) => [...text.matchAll(/\d{3} `(\w+)`/g)].map(([, code = '']) => code));
    expect(codes).to.include('limit_exceeded');
    expect(codes.filter((code) => !inTable.has(code))).to.deep.equal([]);
  });
});

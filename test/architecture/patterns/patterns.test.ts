import { expect } from 'chai';
import { compileRows } from '../../../src/codegen/bundle/compile.ts';
import { table } from '../../../src/table.ts';
import { problemsOf } from './patternReport.ts';
import { patternsOfTable, patternsOfText } from './patterns.ts';

const where = 'here';

describe('the check of patterns', () => {
  it('sees literals, and what constants make of new RegExp', () => {
    const text = `
      const SIZE = 3; const NAME: string = '^a$';
      const all = [/x\\/y/gi, new RegExp(NAME), new RegExp(\`.{1,\${SIZE}}\`, 'g'), RegExp('b', 'u'), 4 / 2 / 1];
      const made = (text: string) => new RegExp(\`^\${text}$\`);
    `;
    const { patterns, unknown } = patternsOfText(text);
    expect(patterns.map(({ source, flags }) => `${source} ${flags}`.trim())).to.have.members([
      'x\\/y gi',
      '^a$',
      '.{1,3} g',
      'b u',
    ]);
    expect(unknown).to.deep.equal(['text:4']);
  });

  for (const [source, flags = ''] of [
    // What stood in this code, and what is known from elsewhere.
    ['^\\[?[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*\\]?$'],
    ['\\/+$'],
    ['^\\s*(.*?)\\s*(?::\\s*(-?\\d+)\\s*)?$', 's'],
    ['\\/v1(\\/(messages|models|complete)(\\/.*)?)?$'],
    ['network .* not found|network not found', 'i'],
    ['\\n\\s*Deserialization error: '],
    ['^(a+)+$'],
    ['^(\\w+\\s?)*$'],
    ['(x|x)*y'],
  ]) {
    it(`finds /${source}/`, () => {
      expect(problemsOf({ where, source: source ?? '', flags })).to.have.length(1);
    });
  }

  for (const [source, flags = ''] of [
    ['^[A-Za-z0-9][A-Za-z0-9 _.\\-@+()]*$', 'u'],
    ['(?<!\\/)\\/+$'],
    ['"((?:[^"\\\\]|\\\\.)*)"', 'y'],
    ['^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$'],
    ['\\s+', 'g'],
  ]) {
    it(`takes /${source}/`, () => {
      expect(problemsOf({ where, source: source ?? '', flags })).to.deep.equal([]);
    });
  }

  it('every text of a request that a pattern is for has a length', () => {
    const fields = patternsOfTable(table).filter(({ isText }) => isText);
    expect(fields.length).to.be.greaterThan(50);
    expect(fields.filter(({ maxLength }) => maxLength === undefined)).to.deep.equal([]);
  });

  it('64 KB of anything in any field of a request is refused in a moment', async () => {
    const pieces = ['a', ':', '.', '-', '/', ' ', 'a-', 'a.', 'a ', '1:', '-a', '\n', '%', '(', 'arn:aws-', 'us-'];
    const texts = pieces.map((piece) => `${piece.repeat(65_536 / piece.length)}!`);
    for (const row of compileRows(table)) {
      const checks = await row.checks();
      for (const part of ['params', 'query', 'body'] as const) {
        const fields = propertiesOf(table.find(({ id }) => id === row.id)?.[part]);
        for (const field of fields) {
          for (const text of texts) {
            const before = process.threadCpuUsage();
            checks[part]?.({ [field]: text });
            const { user, system } = process.threadCpuUsage(before);
            expect((user + system) / 1000, `${row.id} ${part} ${field} ${text.slice(0, 8)}`).to.be.lessThan(30);
          }
        }
      }
    }
  });
});

const propertiesOf = (schema: unknown) =>
  Object.keys((schema as { properties?: object } | undefined)?.properties ?? {});

import { expect } from 'chai';
import { checkEvidence, type EvidenceRequest, type EvidenceStep } from '../../src/evidence/evidence.ts';
import { STARTED_AT } from './cases.ts';
import { stepOf } from './rules.ts';

const check = (output: string, steps: readonly EvidenceStep[], more: Partial<EvidenceRequest> = {}) =>
  checkEvidence({ output, input: '', steps, startedAt: STARTED_AT, ...more });
const byOf = (output: string, steps: readonly EvidenceStep[], more: Partial<EvidenceRequest> = {}) =>
  check(output, steps, more).entities.map(({ by }) => by);

describe('evidence: sources', () => {
  const ROW = { src: '192.0.2.7', n: 412 };

  it('reads rows in each of their shapes, with the field', () => {
    const cells = { fields: ['src', { name: 'n' }], rows: [['192.0.2.7', '412']] };
    const shapes = [[ROW], ROW, cells, 'src,n\n192.0.2.7,412\n', `${JSON.stringify(ROW)}\n${JSON.stringify(ROW)}`];
    for (const shape of shapes) {
      const expected = [[{ step: 1, field: 'src' }], [{ step: 1, field: 'n' }]];
      expect(byOf('192.0.2.7 had 412', [stepOf(shape)]), JSON.stringify(shape)).to.deep.equal(expected);
    }
  });

  it('derives the same from rows in each of their shapes', () => {
    const rows = [{ n: 41 }, { n: 52 }, { n: 73 }];
    const cells = { fields: ['n', 'm'], rows: rows.map(({ n }) => [String(n), 'x']) };
    const csv = 'n,m\n41,x\n52,x\n73,x\n';
    for (const shape of [rows, { results: rows }, cells, csv]) {
      const [entity] = check('166 in all', [stepOf(shape)]).entities;
      expect(entity, JSON.stringify(shape)).to.deep.equal({
        ...{ text: '166', kind: 'number', status: 'derived', by: [{ step: 1, field: 'n' }], why: 'sum of n' },
      });
    }
  });

  it('counts a text beside structured content once', () => {
    const rows = [{ n: 41 }, { n: 52 }];
    const both = { content: [{ type: 'text', text: JSON.stringify(rows) }], structuredContent: { rows } };
    expect(byOf('93 and 186', [stepOf(both)])).to.deep.equal([[], [{ step: 1, field: 'n' }]]);
  });

  it('has one entry for each source, the input first', () => {
    const steps = [stepOf([{ a: '192.0.2.7' }, { b: '192.0.2.7' }], 3), stepOf('192.0.2.7', 5)];
    expect(byOf('192.0.2.7', steps, { input: { finding: { src: '192.0.2.7' } } })).to.deep.equal([
      [{ input: true, field: 'src' }, { step: 3, field: 'a' }, { step: 5 }],
    ]);
    expect(byOf('192.0.2.7', [], { input: 'Was 192.0.2.7 seen?' })).to.deep.equal([[{ input: true }]]);
  });

  it('reads steps of earlier runs of the session', () => {
    const earlier = stepOf([{ src: '192.0.2.7' }], 2, { runId: 'r1', input: '{"search":"index=fw 500"}' });
    expect(byOf('192.0.2.7', [earlier, stepOf('192.0.2.7')])).to.deep.equal([
      [{ run_id: 'r1', step: 2, field: 'src' }, { step: 1 }],
    ]);
    expect(check('```\nindex=fw 500\n```', [earlier]).unverified, 'no argument of its own steps').to.equal(1);
  });

  it('takes neither arguments nor empty results for evidence', () => {
    const input = JSON.stringify({ query: 'src=192.0.2.7', ip: '192.0.2.7' });
    const empty = [
      ...[
        [],
        {},
        '',
        '0',
        'null',
        { results: [], count: 0, ip: '192.0.2.7' },
        { isKnown: false, ip: '192.0.2.7', note: '' },
      ],
      ...['192.0.2.7', { fields: ['192.0.2.7'], rows: [] }, { data: { items: [], query: 'src=192.0.2.7' } }],
    ];
    for (const output of empty) {
      expect(check('192.0.2.7', [stepOf(output, 1, { input })]).unverified, JSON.stringify(output)).to.equal(1);
    }
    expect(check('user count', [stepOf('user,count', 1, { input })]).backed, 'a header alone').to.equal(0);
    for (const output of [[{ count: 0, ip: '192.0.2.7' }], { ip: '192.0.2.7', count: 5 }, 'seen: 192.0.2.7']) {
      expect(check('192.0.2.7', [stepOf(output, 1, { input })]).backed, JSON.stringify(output)).to.equal(1);
    }
  });

  it('says that a claim may stand in the part that was cut', () => {
    const json = '[{"src":"192.0.2.7","n":41},{"src":"192.0.2.8","n":5';
    const { entities } = check('192.0.2.7, 192.0.2.8 and 192.0.2.9', [stepOf(json, 1, { isCut: true })]);
    expect(entities.map(({ text, by, why }) => ({ text, by, why }))).to.deep.equal([
      { text: '192.0.2.9', by: [], why: 'may stand in the part that was cut' },
      { text: '192.0.2.7', by: [{ step: 1, field: 'src' }], why: undefined },
      { text: '192.0.2.8', by: [{ step: 1, field: 'src' }], why: undefined },
    ]);
  });

  it('lists 200 entities of 256 characters, and counts all', () => {
    const many = Array.from({ length: 300 }, (_, n) => `10.0.${n % 3}.${n % 250}`);
    const evidence = check(`https://x.example/${'a'.repeat(500)} ${many.join(' ')}`, [
      stepOf(many.slice(0, 250).join(' ')),
    ]);
    const distinct = new Set(many).size;
    expect(evidence.checked).to.equal(distinct + 1);
    expect(evidence.entities).to.have.length(200);
    expect(evidence.entities[0]?.text).to.have.length(256);
    expect(evidence.backed + evidence.unverified).to.equal(distinct + 1);
  });

  it('reads inputs of any kind, and answers without claims', () => {
    for (const input of [undefined, null, 5, true, [], {}, { a: { b: [null] } }, 12n]) {
      expect(check('Nothing was found.', [stepOf('x')], { input })).to.deep.equal({
        ...{ checked: 0, backed: 0, derived: 0, unverified: 0, entities: [] },
      });
    }
  });
});

import { expect } from 'chai';
import type { EvidenceEntity } from '../../src/evidence/evidence.ts';
import { type Case, cases, check, expectedSources, isSameText, sourcesOf } from './cases.ts';

type Line = Pick<EvidenceEntity, 'kind' | 'status'> & { text: string; by: number[] };

/** What the check must say: every entity that is neither ignored nor a person's name. */
function expectedLines({ expect: expected }: Case): Line[] {
  return expected.flatMap((each) => {
    const { text, kind, status } = each;
    return status === 'ignored' || kind === 'name' ? [] : [{ text, kind, status, by: expectedSources(each) }];
  });
}

/** What it says, with the texts of the labels for numbers that stand with their unit here. */
function actualLines(each: Case): Line[] {
  return check(each).entities.map((entity) => {
    const { kind, status } = entity;
    const text = each.expect.find((expected) => isSameText(entity, expected))?.text ?? entity.text;
    return { text, kind, status, by: sourcesOf(entity) };
  });
}

describe('evidence: labelled runs', () => {
  for (const each of cases) {
    it(`${each.id} ${each.title}`, () => {
      expect(actualLines(each)).to.have.deep.members(expectedLines(each));
    });
  }

  it('says the same of the same run', () => {
    for (const each of cases) expect(check(each)).to.deep.equal(check(each));
  });

  it('counts each entity by its status, the unverified first', () => {
    for (const each of cases) {
      const { checked, backed, derived, unverified, entities } = check(each);
      expect(checked).to.equal(backed + derived + unverified);
      expect(entities.slice(0, unverified).every(({ status }) => status === 'unverified')).to.equal(true);
      expect(entities).to.have.length(checked);
    }
  });

  it('names the field that holds a value, and why a claim is unverified', () => {
    const entity = (id: string, text: string) => {
      const run = cases.find((each) => each.id === id);
      return run && check(run).entities.find((each) => each.text === text);
    };
    expect(entity('e30', '203.0.113.209')?.by).to.deep.equal([{ step: 1, field: 'ScriptBlockText' }]);
    expect(entity('e01', '203.0.113.77')?.by).to.deep.equal([
      { input: true, field: 'src_ip' },
      { step: 1, field: 'src_ip' },
    ]);
    expect(entity('e20', 'T1078')?.why).to.equal("the model's classification");
    expect(entity('e29', '192.0.2.99')?.why).to.equal('may stand in the part that was cut');
    expect(entity('e10', 'NORTH\\edemir')?.why).to.include('CORP\\edemir');
    expect(entity('e14', '50')?.why).to.equal('sum of count');
  });
});

import { expect } from 'chai';
import { checkTemplate, fillTemplate } from '../../src/spl/template.ts';
import { judge, tricky } from './tricky.ts';

describe('the guard, for tricky searches', () => {
  it('knows all of them', () => {
    expect(tricky.searches).to.have.length(73);
    expect(tricky.templates).to.have.length(10);
  });

  for (const { id, spl, verdict, reason, canonical, why } of tricky.searches) {
    it(`${verdict === 'allow' ? 'allows' : 'refuses'} ${id}: ${why || spl}`, () => {
      const result = judge(spl);
      if (verdict === 'allow') {
        expect(result).to.include({ allowed: true });
        if (canonical) expect(result).to.include({ search: canonical });
        return;
      }
      expect(result).to.include({ allowed: false, reason });
    });
  }
});

describe('templates, for tricky values', () => {
  for (const [index, { template, args, values, verdict, result, why }] of tricky.templates.entries()) {
    it(`${index + 1}: ${why ?? template}`, () => {
      const list = Object.entries(args).map(([name, argument]) => ({ name, is_required: true, ...argument }));
      const faults = checkTemplate(template, list);
      if (verdict === 'refuse_template') {
        expect(faults).to.not.deep.equal([]);
        return;
      }
      expect(faults).to.deep.equal([]);
      const filled = fillTemplate(template, list, values ?? {});
      if (verdict === 'allow') expect(filled).to.deep.equal({ search: result });
      else expect(filled).to.have.nested.property('fault.code', 'invalid');
    });
  }
});

import { expect } from 'chai';
import fc from 'fast-check';
import { mayNameToolOf, plainToolName, toolNameOf } from '../../../src/gateway/tools/toolNames.ts';
import { holds } from '../../support/property.ts';

const nameOf = (connection: string, tool: string) => toolNameOf({ connection, tool });
const HASHED = /_[0-9a-f]{8}$/;

describe('names of tools', () => {
  it('are connection and tool, where that is unambiguous', () => {
    expect(nameOf('jira', 'search')).to.equal('jira__search');
    expect(nameOf('jira', 'search__all')).to.equal('jira__search__all');
    expect(nameOf('jira-2', '_x')).to.equal('jira-2___x');
  });

  it('end in a hash where they had to be changed or cut, or would be read otherwise', () => {
    for (const [connection, tool] of [
      ['my jira', 'search'],
      ['jira', 'search all'],
      ['jira', 'sucheé'],
      ['a__b', 'c'],
      ['a_', 'c'],
      ['jira', 'x'.repeat(80)],
      ['jira', 'get_deadbeef'],
      // Prefixes of what records offer.
      ['search', 'spl'],
      ['retrieve', 'docs'],
      ['agent', 'helper'],
    ] as const) {
      const name = nameOf(connection, tool);
      expect(name, tool)
        .to.match(HASHED)
        .and.match(/^[A-Za-z0-9_-]{1,64}$/);
      expect(plainToolName(name), tool).to.equal(undefined);
    }
    expect(nameOf('jira', 'x'.repeat(58))).to.match(/^jira__x{58}$/);
    expect(nameOf('my jira', 'search')).to.match(/^my_jira__search_[0-9a-f]{8}$/);
  });

  it('differ for different tools, and lead back to their connection', () => {
    const part = fc.oneof(
      fc.string({ unit: fc.constantFrom('a', 'B', '_', '-', ' ', '.', '0', 'f'), minLength: 1, maxLength: 12 }),
      fc.string({ minLength: 1, maxLength: 90 }),
      fc.constantFrom('a', 'a_', '_a', 'a__b', 'x_00000000', 'x_deadbeef'),
    );
    holds(
      fc.property(part, part, part, part, (c1, t1, c2, t2) => {
        const [one, two] = [nameOf(c1, t1), nameOf(c2, t2)];
        expect(one).to.match(/^[A-Za-z0-9_-]{1,64}$/);
        expect(one === two).to.equal(c1 === c2 && t1 === t2);
        expect(mayNameToolOf(c1, one)).to.equal(true);
        const plain = plainToolName(one);
        if (plain) expect(plain).to.deep.equal({ connection: c1, tool: t1 });
        else expect(one).to.match(HASHED);
      }),
    );
  });
});

import { expect } from 'chai';
import { valueWriter } from '../../src/spl/quoting.ts';

/** Fills the places of a text, written as `@`. */
function filled(search: string, value: string): string {
  const writer = valueWriter(search);
  return search.replaceAll('@', (_, place: number) => writer(value, place));
}

describe('values in a search', () => {
  const CASES: readonly [string, string, string][] = [
    ['user=@', 'CORP\\j', 'user="CORP\\\\j"'],
    ['user="@"', 'CORP\\j', 'user="CORP\\\\j"'],
    ['user="a@b" x=@', 'q"r', 'user="aq\\"rb" x="q\\"r"'],
    ['x="\\"@" y=@', 'v', 'x="\\"v" y="v"'],
    ['x="\\\\" y=@', 'v', 'x="\\\\" y="v"'],
    ['```a " b``` y=@', 'v', '```a " b``` y="v"'],
    ['x="```" y=@ z="@"', 'v', 'x="```" y="v" z="v"'],
    ['`m("@", @)`', 'v', '`m("v", "v")`'],
    ['@ OR @', '" | delete', '"\\" | delete" OR "\\" | delete"'],
  ];
  for (const [search, value, expected] of CASES) {
    it(`stand in ${search} as ${expected}`, () => {
      expect(filled(search, value)).to.equal(expected);
    });
  }
});

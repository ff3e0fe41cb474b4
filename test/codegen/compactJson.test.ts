import { expect } from 'chai';
import { compactJson } from '../../src/codegen/openapi/compactJson.ts';

describe('compact JSON', () => {
  it('has a line for each value that fits, and breaks the others', () => {
    const item = { name: 'a "quoted"\n text', values: [1, null, []] };
    expect(compactJson(item)).to.equal('{ "name": "a \\"quoted\\"\\n text", "values": [ 1, null, [] ] }');
    const long = { items: [item, item], text: 'x'.repeat(130), missing: undefined };
    const lines = compactJson(long).split('\n');
    expect(lines.slice(0, 3)).to.deep.equal(['{', '  "items": [', `    ${compactJson(item)},`]);
    expect(lines).to.have.length(7);
    expect(lines.filter((line) => line.length > 120)).to.have.length(1);
    expect(JSON.parse(compactJson(long))).to.deep.equal({ items: [item, item], text: long.text });
  });
});

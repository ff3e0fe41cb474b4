import { expect } from 'chai';

type WithNamed = (args: readonly object[], search: string) => object[];
const PATH = '../../../console/views/connections/searches/namedArguments.ts';

describe('arguments of a search that is typed', () => {
  let withNamed: WithNamed;
  before(async () => {
    ({ withNamed } = await import(new URL(PATH, import.meta.url).href));
  });

  it('are those between dollar signs, in their order and once', () => {
    const search = 'search index=$index$ host="$host$" price="$$5" $host$ $not an argument$';
    expect(withNamed([], search)).to.deep.equal([
      { name: 'index', type: 'string', is_required: true },
      { name: 'host', type: 'string', is_required: true },
    ]);
  });

  it('stay as they were set, and go with their place only if nobody touched them', () => {
    const host = { name: 'host', type: 'string', is_required: false };
    const index = { name: 'index', type: 'index', is_required: true };
    const untouched = { name: 'user', type: 'string', is_required: true };
    expect(withNamed([host, index, untouched], 'search a')).to.deep.equal([host, index]);
    expect(withNamed([host], 'search $host$')).to.deep.equal([host]);
  });
});

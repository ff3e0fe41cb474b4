import { expect } from 'chai';
import { collections, definitions, families, table } from '../../src/table.ts';

describe('the table of endpoints', () => {
  it('names the parameters of a path as its schema does', () => {
    for (const row of table) {
      const inPath = [...row.path.matchAll(/\{(\w+)(\.\.\.)?\}/g)].map((match) => match[1]);
      expect(Object.keys(row.params?.properties ?? {}), row.id).to.have.members(inPath);
      expect(row.path.replace(/\{\w+\.\.\.\}$/, ''), `${row.id}: the rest comes last`).not.to.include('...');
    }
  });

  it('has an upper bound for every number of a query: the text Infinity is converted to one', () => {
    for (const row of table) {
      for (const [name, schema] of Object.entries(row.query?.properties ?? {})) {
        const { type, maximum } = schema as { type?: string; maximum?: number };
        if (type === 'integer' || type === 'number') expect(maximum, `${row.id} ${name}`).to.be.a('number');
      }
    }
  });

  it('names families, secrets and collections that exist', () => {
    expect(Object.keys(families)).to.include.members(Object.keys(definitions));
    for (const name of Object.keys(collections)) expect(name).to.match(/^ml_[a-z_]+$/);
  });
});

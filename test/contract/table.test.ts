import { expect } from 'chai';
import { collections, families, secretSchemas, table } from '../../src/table.ts';
import { INTERFACE_ROWS } from './interfaceRows.ts';

/** What the interface has and the table has not yet. A family that arrives takes its rows out of this list. */
const MISSING: readonly string[] = [];

/** Method and path; what stands behind the question mark is no part of the path. */
const key = (row: string) => row.replace(/\?.*/, '').replaceAll(/\{(\w+)(\.\.\.)?\}/g, '{}');
const ours = new Map(table.map((row) => [key(`${row.method} ${row.path}`), row]));

describe('the table against the interface', () => {
  it('knows the interface: 55 rows', () => {
    // One of them is written twice: with and without `test_connection`.
    expect(new Set(INTERFACE_ROWS.map(key)).size).to.equal(55);
    expect(INTERFACE_ROWS).to.have.length(56);
  });

  it('lacks exactly the rows that are listed as missing', () => {
    expect(INTERFACE_ROWS.filter((row) => !ours.has(key(row)))).to.deep.equal(MISSING);
  });

  it('goes beyond the interface only where a row says so', () => {
    const given = new Set(INTERFACE_ROWS.map(key));
    const more = [...ours].filter(([path]) => !given.has(path)).map(([, row]) => row);
    expect(more.filter((row) => !row.addition).map((row) => row.path)).to.deep.equal([]);
    const marked = table.filter((row) => row.addition && given.has(key(`${row.method} ${row.path}`)));
    expect(marked.map((row) => row.path)).to.deep.equal([]);
  });

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

  it('gates each write and gives it a flag, save those that need a session only', () => {
    for (const row of table.filter((each) => each.family === 'mcp-connections')) {
      const isRead = row.method === 'GET';
      expect(row.gate, row.id).to.deep.equal(isRead ? 'session' : { all: ['edit_agent_connections'] });
      expect(row.flag, row.id).to.equal(isRead ? undefined : 'mcp_connections');
    }
  });

  it('names families, secrets and collections that exist', () => {
    expect(Object.keys(families)).to.include.members(Object.keys(secretSchemas));
    for (const name of Object.keys(collections)) expect(name).to.match(/^ml_[a-z_]+$/);
  });
});

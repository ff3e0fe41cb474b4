import { expect } from 'chai';
import { OPERATIONS } from '../../src/gateway/table.ts';
import { table } from '../../src/table.ts';
import { read, sources } from './sources.ts';

const importers = (name: string): string[] =>
  sources().filter((path) => new RegExp(`import \\{[^}]*\\b${name}\\b[^}]*\\} from`, 's').test(read(path)));

describe('the right to call an upstream', () => {
  it('is made by the frame, for a use that has begun, and for calls that are not a use', () => {
    expect(importers('BEGUN')).to.deep.equal(['domain/async/unmetered.ts', 'gateway/frame.ts']);
    expect(importers('unmetered').filter((path) => path.startsWith('gateway/'))).to.deep.equal([]);
  });

  it('begins a use in one place', () => {
    const places = sources().filter((path) => path.startsWith('gateway/') && /\buse\.begin\(/.test(read(path)));
    expect(places).to.deep.equal(['gateway/frame.ts']);
  });
});

describe('operations', () => {
  it('stand under their own names, beside an endpoint that is there', () => {
    for (const [name, operation] of Object.entries(OPERATIONS)) {
      expect(operation.name).to.equal(name);
      if (operation.row) expect(table.map(({ id }) => id)).to.include(operation.row);
    }
  });
});

import { expect } from 'chai';
import { type FieldChange, fieldChanges, serializeChanges } from '../../../src/domain/audit/fieldChanges.ts';

describe('the changes of an audit entry', () => {
  const stored = (changes: FieldChange[]) => JSON.parse(serializeChanges(changes)) as FieldChange[];
  const headers = (count: number, length: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`a${index}`.padEnd(length, 'x'), 'new']));

  it('are all there up to 200', () => {
    expect(stored(fieldChanges({}, headers(200, 5)))).to.have.length(200);
    expect(stored([])).to.deep.equal([]);
  });

  it('are counted beyond 200, secrets among them', () => {
    const secrets = Array.from({ length: 20_000 }, (_, index) => ({ field: `s${index}`, secret: 'set' as const }));
    const changes = stored([...fieldChanges({}, headers(150, 5)), ...secrets]);
    expect(changes).to.have.length(201);
    expect(changes.at(-1)).to.deep.equal({ field: '*', after: '19950 more' });
  });

  it('take at most 64 KB, in any script', () => {
    const long = Object.fromEntries(Array.from({ length: 190 }, (_, index) => [`f${index}`, '\u{1F511}'.repeat(200)]));
    const text = serializeChanges(fieldChanges({ ...long, first: 'old' }, headers(10, 30_000)));
    expect(Buffer.byteLength(text)).to.be.within(60_000, 65_536);
    const changes = JSON.parse(text) as { field: string; after?: unknown }[];
    expect(changes.at(-1)).to.deep.equal({ field: '*', after: `${201 - (changes.length - 1)} more` });
    expect(Math.max(...changes.map(({ field }) => field.length))).to.equal(256);
  });
});

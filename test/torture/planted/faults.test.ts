import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { NEEDED } from '../../../src/codegen/package/needed.ts';
import { project } from '../../support/e2e/build.ts';
import { FAULTS } from './faults.ts';

describe('faults that torture plants', () => {
  it('each have one place in the source', () => {
    const places = FAULTS.map(({ name, file, find }) => [
      name,
      readFileSync(join(project, file), 'utf8').split(find).length - 1,
    ]);
    expect(places).to.deep.equal(FAULTS.map(({ name }) => [name, 1]));
  });

  it('are built from all that the build reads', () => {
    for (const script of NEEDED.filter((name) => name.endsWith('.mjs'))) {
      const text = readFileSync(join(project, script), 'utf8');
      const read = [...text.matchAll(/ from '\.\/([^'/]+)/g)].map(([, name = '']) => name);
      expect(read.length, script).to.be.above(0);
      expect(NEEDED, script).to.include.members(read);
    }
  });
});

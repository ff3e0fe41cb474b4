import { expect } from 'chai';
import { CONTAINER_TYPES } from '../../src/families/containers/engines/registry.ts';
import { read, sources } from './sources.ts';

const NAMES = CONTAINER_TYPES.join('|');
/** An engine's name as a text, or as the key of a record that has them all. */
const NAMED = new RegExp(`(['"\`])(?:${NAMES})\\1|\\.(?:${NAMES})\\b(?!\\.)`, 'g');
/** What is about one engine alone; an example is of one. */
const OWN = new RegExp(`^(families/containers/engines/|adapters/(${NAMES})/|codegen/openapi/examples\\.ts$)`);

const named = (text: string) => [...text.matchAll(NAMED)].map(([found]) => found);

describe('container engines', () => {
  it('are named by their values and their adapters alone', () => {
    const elsewhere = sources().filter((path) => !OWN.test(path));
    expect(elsewhere.length).to.be.above(100);
    const found = elsewhere.flatMap((path) => named(read(path)).map((name) => `${path}: ${name}`));
    expect(found).to.deep.equal([]);
  });

  it('a name elsewhere would be seen', () => {
    for (const text of ["type === 'docker' ? 1 : 2", 'case "kubernetes":', 'if (kinds.docker === kind) {}', '`docker`'])
      expect(named(text), text).to.have.length(1);
    expect(named("import('../adapters/docker/engine.ts'); // external-dns.alpha.kubernetes.io")).to.have.length(0);
  });
});

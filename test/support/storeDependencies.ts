import type { StoreDependencies } from '../../src/families/vector-stores/kinds/kind.ts';

/** Dependencies of vector stores, of which a test needs only some. */
export const storeDependencies = (parts: Partial<StoreDependencies>): StoreDependencies =>
  new Proxy(parts as StoreDependencies, {
    get(known, name) {
      if (!(name in known)) throw new Error(`this test has no ${String(name)} for vector stores`);
      return known[name as keyof StoreDependencies];
    },
  });

import fc from 'fast-check';

/** Seeded, so that a run is the same everywhere; ML_TEST_SEED tries others, ML_TEST_RUNS more. */
const seed = Number(process.env.ML_TEST_SEED ?? 20_261_121);
const numRuns = Number(process.env.ML_TEST_RUNS ?? 200);

export const holds = <T extends [unknown, ...unknown[]]>(property: fc.IProperty<T>, runs = numRuns): void =>
  fc.assert(property, { seed, numRuns: runs });

export const holdsAsync = <T extends [unknown, ...unknown[]]>(
  property: fc.IAsyncProperty<T>,
  runs = numRuns,
): Promise<void> => fc.assert(property, { seed, numRuns: runs });

/** Few, since a passage can be long and one proves that retrieval works. */
const TESTED_PASSAGES = 3;

/** A query for tests of stores. Its vector has a direction, since a cosine needs one. */
export const probeQuery = (dimensions = 1) => {
  return { text: '', count: TESTED_PASSAGES, vector: new Float32Array(dimensions).fill(1, 0, 1) };
};

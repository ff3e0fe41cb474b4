/** Few, since a passage can be long and one proves that retrieval works. */
export const TESTED_PASSAGES = 3;

/** A vector for tests of stores; it has a direction, since a cosine needs one. */
export const probeVector = (dimensions = 1): Float32Array => new Float32Array(dimensions).fill(1, 0, 1);

const LENGTHS = [3, 6] as const;
const [SHORT, LONG] = LENGTHS;
/** Places of a table, a power of two. */
const SIZE = 2 ** 22;

/**
 * Tells texts that cannot stand in a long one, in the time that reading them takes: searching for each would take the product of
 * their lengths.
 * @returns whether all pieces of a text of 3 characters or more occur; true for each text that does
 */
export function mayContain(whole: string): (part: string) => boolean {
  const tables = LENGTHS.map((length) => {
    const table = new Uint8Array(SIZE);
    for (const place of places(whole, length)) table[place] = 1;
    return { length, table };
  });
  return (part) => {
    const size = part.length < LONG ? SHORT : LONG;
    return tables.every(
      ({ length, table }) => length !== size || [...places(part, length)].every((place) => table[place] === 1),
    );
  };
}

function* places(text: string, length: number): Generator<number> {
  for (let start = 0; start + length <= text.length; start += 1) {
    let hash = 0;
    for (let index = start; index < start + length; index += 1) hash = Math.imul(hash, 31) + text.charCodeAt(index);
    yield Math.imul(hash, 0x9e3779b1) >>> 10;
  }
}

/** What belongs to an object, or follows from a list that is never changed but replaced: made once for each, and forgotten with it. */
export function memoizeByObject<A extends object, B extends object | string | number | boolean>(
  make: (list: A) => B,
): (list: A) => B {
  const known = new WeakMap<A, B>();
  return (list) => {
    const before = known.get(list);
    if (before !== undefined) return before;
    const made = make(list);
    known.set(list, made);
    return made;
  };
}

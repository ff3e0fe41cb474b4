/** What follows from a list that is never changed but replaced: worked out once for each, and forgotten with it. */
export function onceFor<A extends object, B>(make: (list: A) => B): (list: A) => B {
  const known = new WeakMap<A, B>();
  return (list) => {
    const made = known.get(list) ?? make(list);
    known.set(list, made);
    return made;
  };
}

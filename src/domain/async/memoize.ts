/** Caches a result per object until the object is garbage-collected. The object must not be mutated. */
export function memoizeByObject<A extends object, B extends object | string | number | boolean>(
  compute: (key: A) => B,
): (key: A) => B {
  const cache = new WeakMap<A, B>();
  return (key) => {
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    const value = compute(key);
    cache.set(key, value);
    return value;
  };
}

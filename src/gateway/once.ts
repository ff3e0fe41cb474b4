/** Reads what a request needs under a key once, also if several ask at the same time. */
export function once<K, V>(known: Map<K, Promise<V>>, key: K, read: () => Promise<V>): Promise<V> {
  const reading = known.get(key) ?? read();
  known.set(key, reading);
  return reading;
}

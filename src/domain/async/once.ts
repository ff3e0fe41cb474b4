/** Reads what a request needs under a key once, also if several ask at the same time. */
export function once<K, V>(readings: Map<K, Promise<V>>, key: K, read: () => Promise<V>): Promise<V> {
  const reading = readings.get(key) ?? read();
  readings.set(key, reading);
  return reading;
}

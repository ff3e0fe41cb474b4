/** Whether a value has more than so many levels. Without recursion: the value may be made to exhaust the stack. */
export function nestsDeeperThan(value: unknown, levels: number): boolean {
  let layer: unknown[] = [value];
  for (let depth = 0; layer.length > 0; depth += 1) {
    const nested = layer.filter((item) => typeof item === 'object' && item !== null);
    if (nested.length > 0 && depth >= levels) return true;
    layer = nested.flatMap((item) => Object.values(item as object));
  }
  return false;
}

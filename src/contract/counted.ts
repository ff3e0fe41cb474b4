/** `1 model`, `2 models`, `0 entries`: a number with its noun in the right form. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}

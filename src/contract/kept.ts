/** What is loaded once and kept: the runtime looks for a module at each `import()`, which takes as long as a small check. */
export function kept<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: T | undefined;
  return async () => (loaded ??= await load());
}

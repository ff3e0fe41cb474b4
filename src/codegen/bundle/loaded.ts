import type { Metafile } from 'esbuild';

type Outputs = Metafile['outputs'];

/** @param main source file of the entry point */
export function entryOf(outputs: Outputs, main: string): string {
  const entry = Object.keys(outputs).find((path) => outputs[path]?.entryPoint === main);
  if (entry === undefined) throw new Error(`The bundle has no ${main}`);
  return entry;
}

/** An output with all its static imports. */
export function loadedWith(outputs: Outputs, entry: string): string[] {
  const loaded = new Set([entry]);
  for (const path of loaded) {
    for (const each of outputs[path]?.imports ?? [])
      if (each.kind === 'import-statement' && !each.external) loaded.add(each.path);
  }
  return [...loaded];
}

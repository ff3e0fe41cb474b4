import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { build, type Metafile } from 'esbuild';
import { withoutNamespaces } from './builtins.ts';
import { entryOf, loadedWith } from './loaded.ts';

/** Chunks that become one file. */
interface Group {
  file: string;
  chunks: readonly string[];
}

/** Where a chunk has gone. */
interface Place {
  file: string;
  number: number;
}

/** What this many families load is one file. */
const SHARED_BY = 3;
const FAMILY = /^src\/families\/[^/]+\/handlers\.ts$/;
const IMPORT = /\bimport(?:\{([^}]*)\}from)?"\.\/([^"]+)";/g;

/**
 * Puts together what is loaded together. The bundler makes a chunk for each set of programs and lazily loaded parts that share
 * something: a start of the driver would find, read and compile more than twenty files, and a family as many again, at half a
 * millisecond each. Here the chunks of a start become one file, and those that most families share another.
 */
export async function link(root: string, { outputs }: Metafile, main: string): Promise<void> {
  const entry = entryOf(outputs, main);
  const folder = join(root, dirname(entry));
  const started = loadedWith(outputs, entry);
  const counts = new Map<string, number>();
  const families = Object.keys(outputs).filter((path) => FAMILY.test(outputs[path]?.entryPoint ?? ''));
  for (const path of families.flatMap((family) => loadedWith(outputs, family)))
    counts.set(path, (counts.get(path) ?? 0) + 1);
  const shared = [...counts]
    .filter(([path, count]) => count >= SHARED_BY && !started.includes(path))
    .map(([path]) => path);
  const groups: Group[] = [
    { file: basename(entry), chunks: started },
    { file: 'shared.mjs', chunks: shared },
  ];

  const places = new Map<string, Place>();
  for (const { file, chunks } of groups) {
    for (const [number, path] of chunks.entries()) places.set(basename(path), { file, number });
  }
  const texts = new Map<string, string>();
  for (const name of Object.keys(outputs).map((path) => basename(path))) {
    const text = withoutNamespaces(readFileSync(join(folder, name), 'utf8'));
    if (places.has(name)) writeFileSync(join(folder, name), text);
    else texts.set(name, text);
  }
  const merged = await Promise.all(groups.map((group) => merge(folder, outputs, group)));
  for (const name of places.keys()) rmSync(join(folder, name));
  for (const [index, { file }] of groups.entries()) texts.set(file, merged[index] ?? '');
  for (const [name, text] of texts) {
    const linked = rewired(text, places);
    const gone = [...places.keys()].find((chunk) => !texts.has(chunk) && linked.includes(`"./${chunk}"`));
    if (gone !== undefined) throw new Error(`${name} imports ${gone} in a way that the build does not expect`);
    writeFileSync(join(folder, name), linked);
  }
}

/** The text of a group's file. It exports what its chunks export, under names that tell their chunk. */
async function merge(folder: string, outputs: Metafile['outputs'], { chunks }: Group): Promise<string> {
  const own = new Set(chunks.map((path) => `./${basename(path)}`));
  const contents = chunks.map((path, number) => {
    const names = (outputs[path]?.exports ?? []).map((name) => `${name} as ${exported(name, number)}`);
    return `export { ${names.join(', ')} } from './${basename(path)}';`;
  });
  const { outputFiles } = await build({
    stdin: { contents: contents.join('\n'), resolveDir: folder },
    bundle: true,
    write: false,
    minifyWhitespace: true,
    minifySyntax: true,
    format: 'esm',
    platform: 'node',
    target: 'node26',
    legalComments: 'none',
    plugins: [
      {
        name: 'group',
        setup: ({ onResolve }) =>
          onResolve({ filter: /./ }, ({ path, kind }) =>
            kind === 'import-statement' && own.has(path) ? undefined : { path, external: true },
          ),
      },
    ],
  });
  return outputFiles[0]?.text ?? '';
}

/** What the first chunk of a group exports, the entry of a program for one, keeps its name. */
const exported = (name: string, number: number): string => (number === 0 ? name : `${name}$${number}`);

/** A file with its imports of chunks that stand in another file now. */
function rewired(text: string, places: ReadonlyMap<string, Place>): string {
  return text.replaceAll(IMPORT, (statement, names: string | undefined, from: string) => {
    const place = places.get(from);
    if (!place) return statement;
    if (names === undefined) return `import"./${place.file}";`;
    const renamed = names.split(',').map((each) => {
      const [name = '', local = name] = each.split(' as ');
      return `${exported(name, place.number)} as ${local}`;
    });
    return `import{${renamed.join(',')}}from"./${place.file}";`;
  });
}

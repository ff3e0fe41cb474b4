/** One file or folder of an archive. */
export interface TarEntry {
  path: string;
  mode: number;
  folder: boolean;
  data: Buffer;
}

const FOLDER = 'Directory';
const FILES: readonly string[] = ['File', 'OldFile'];

/** Every file and folder of an archive. Rejects with anything that is none, and with links of any kind. */
export async function readTar(archive: Buffer): Promise<TarEntry[]> {
  // Only a start with a package pays for the library.
  const { Parser } = await import('tar');
  const entries: TarEntry[] = [];
  const problems: string[] = [];
  const parser = new Parser({
    strict: true,
    onReadEntry: (entry) => {
      const { path, mode = 0, type } = entry;
      if (type !== FOLDER && !FILES.includes(type)) problems.push(`"${path}" is neither a file nor a folder`);
      const parts: Buffer[] = [];
      entry.on('data', (part: Buffer) => parts.push(part));
      entry.on('end', () => entries.push({ path, mode, folder: type === FOLDER, data: Buffer.concat(parts) }));
    },
  });
  parser.on('error', (error: Error) => problems.push(`the archive is damaged: ${error.message}`));
  // It gives all that is in one buffer before it returns.
  parser.end(archive);
  const [problem] = problems;
  if (problem !== undefined) throw new Error(problem);
  return entries;
}

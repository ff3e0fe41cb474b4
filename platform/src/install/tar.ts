/** One file or folder of an archive. */
export interface TarEntry {
  path: string;
  mode: number;
  folder: boolean;
  data: Buffer;
}

const FOLDER = 'Directory';
const FILES: readonly string[] = ['File', 'OldFile'];

/** All files and folders of an archive. Rejects invalid archives and links of any kind. */
export async function readTar(archive: Buffer): Promise<TarEntry[]> {
  // Loaded lazily: only a start with a package needs it.
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
  // The parser processes the whole buffer before it returns.
  parser.end(archive);
  const [problem] = problems;
  if (problem !== undefined) throw new Error(problem);
  return entries;
}

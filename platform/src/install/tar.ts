/** One file or folder of an archive. */
export interface TarEntry {
  path: string;
  mode: number;
  folder: boolean;
  data: Buffer;
}

const BLOCK = 512;

/** Reads ustar, pax and GNU long names. Throws on anything that is no such archive, and on links of any kind. */
export function readTar(archive: Buffer): TarEntry[] {
  const entries: TarEntry[] = [];
  let longName: string | undefined;
  for (let at = 0; at + BLOCK <= archive.length; ) {
    const header = archive.subarray(at, at + BLOCK);
    if (header.every((byte) => byte === 0)) return entries;
    checkSum(header);
    const size = octal(header, 124, 12);
    const data = archive.subarray(at + BLOCK, at + BLOCK + size);
    if (data.length < size) throw new Error('the archive ends in the middle of a file');
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
    const type = String.fromCharCode(header[156] ?? 0);
    if (type === 'x') longName = paxPath(data) ?? longName;
    else if (type === 'L') longName = data.toString('utf8').replace(/\0.*/s, '');
    else if (type === 'g') continue;
    else {
      const path = longName ?? headerPath(header);
      longName = undefined;
      if (!['0', '\0', '5'].includes(type)) throw new Error(`"${path}" is neither a file nor a folder`);
      entries.push({ path, mode: octal(header, 100, 8), folder: type === '5' || path.endsWith('/'), data });
    }
  }
  throw new Error('the archive has no end');
}

function text(header: Buffer, start: number, length: number): string {
  return header
    .subarray(start, start + length)
    .toString('utf8')
    .replace(/\0.*/s, '');
}

function octal(header: Buffer, start: number, length: number): number {
  const digits = text(header, start, length).trim();
  if (digits === '') return 0;
  if (!/^[0-7]+$/.test(digits)) throw new Error('a header of the archive is damaged');
  return Number.parseInt(digits, 8);
}

function checkSum(header: Buffer): void {
  let sum = 0;
  // The field itself counts as eight spaces.
  for (const [index, byte] of header.entries()) sum += index >= 148 && index < 156 ? 32 : byte;
  if (sum !== octal(header, 148, 8)) throw new Error('a header of the archive is damaged');
}

function headerPath(header: Buffer): string {
  const name = text(header, 0, 100);
  const prefix = text(header, 257, 5) === 'ustar' ? text(header, 345, 155) : '';
  return prefix === '' ? name : `${prefix}/${name}`;
}

/** Records are `<length> <key>=<value>\n`, the length counting itself. */
function paxPath(data: Buffer): string | undefined {
  for (let at = 0; at < data.length; ) {
    const space = data.indexOf(32, at);
    const length = Number(data.toString('ascii', at, space));
    if (space < 0 || !(length > 0)) throw new Error('a header of the archive is damaged');
    const record = data.toString('utf8', space + 1, at + length - 1);
    if (record.startsWith('path=')) return record.slice('path='.length);
    at += length;
  }
  return undefined;
}

/** Writes ustar archives, with GNU long names where a path needs one. */
export function tar(files: { path: string; data: Buffer; type?: string; link?: string }[]): Buffer {
  const blocks = files.flatMap(({ path, data, type = '0', link = '' }) => {
    const long = path.length > 100 ? [member('././@LongLink', Buffer.from(`${path}\0`), 'L')] : [];
    return [...long, member(path.slice(0, 100), data, type, link)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

function member(path: string, data: Buffer, type: string, link = ''): Buffer {
  const header = Buffer.alloc(512);
  header.write(path, 0);
  header.write(path.includes('/bin/') ? '0000755\0' : '0000644\0', 100);
  header.write('0000000\0', 108);
  header.write('0000000\0', 116);
  header.write(`${data.length.toString(8).padStart(11, '0')}\0`, 124);
  header.write('00000000000\0', 136);
  header.write('        ', 148);
  header.write(type, 156);
  header.write(link, 157);
  header.write('ustar\u000000', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return Buffer.concat([header, data, Buffer.alloc((512 - (data.length % 512)) % 512)]);
}

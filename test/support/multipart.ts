export const FORM = { 'Content-Type': 'multipart/form-data; boundary=fence' };

/** @param parts name, value and, of a file, what it is called */
export function multipart(parts: readonly (readonly [string, string | Buffer, string?])[]): Buffer {
  const head = (name: string, fileName?: string) =>
    fileName === undefined
      ? `name="${name}"\r\n\r\n`
      : `name="${name}"; filename="${fileName}"\r\nContent-Type: application/octet-stream\r\n\r\n`;
  return Buffer.concat([
    ...parts.flatMap(([name, value, fileName]) => [
      Buffer.from(`--fence\r\nContent-Disposition: form-data; ${head(name, fileName)}`),
      Buffer.from(value),
      Buffer.from('\r\n'),
    ]),
    Buffer.from('--fence--\r\n'),
  ]);
}

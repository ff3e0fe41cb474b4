/**
 * The platform's end of the persistent protocol, written from its description and not from the driver's code: a
 * misreading that both shared would pass every test.
 */
const utf8 = (text: string) => Buffer.byteLength(text, 'utf8');

/** A string of the protocol: its length in bytes, a line end, the bytes. */
export const str = (text: string) => `${utf8(text)}\n${text}`;

const COMMAND = ['/opt/splunk/etc/apps/ml_extension/bin/ml_rest.mjs'];

/** A packet with opcode, command (with INIT) and block (with BLOCK). */
export function packet(opcode: number, block?: unknown, between = ''): Buffer {
  const parts: string[] = [];
  if (opcode & 1) parts.push(`${COMMAND.length}\n`, ...COMMAND.map((piece) => str(piece) + between), str('') + between);
  if (opcode & 2) parts.push(str(typeof block === 'string' ? block : JSON.stringify(block)) + between);
  return Buffer.concat([Buffer.from([opcode]), Buffer.from(parts.join(''), 'utf8')]);
}

/** The ordinary request: INIT, BLOCK and END at once. */
export const request = (block: unknown) => packet(0x07, block);

/** Takes a whole output apart; a byte that is no frame throws. */
export function frames(output: Buffer): string[] {
  const found: string[] = [];
  let at = 0;
  while (at < output.length) {
    const end = output.indexOf(0x0a, at);
    const length = output.subarray(at, end < 0 ? undefined : end).toString('latin1');
    if (end < 0 || !/^(0|[1-9]\d*)$/.test(length)) throw new Error(`bad reply size ${JSON.stringify(length)}`);
    const from = end + 1;
    if (from + Number(length) > output.length) throw new Error('a frame is cut off');
    found.push(output.subarray(from, from + Number(length)).toString('utf8'));
    at = from + Number(length);
  }
  return found;
}

/** The other end of the chunked protocol, written from its description: shares no code with the command. */

export interface Chunk {
  metadata: Record<string, unknown>;
  body: string;
}

/** @param spaced some senders put spaces around the commas of the header */
export function chunk(metadata: object | null, body = '', spaced = false): Buffer {
  const json = metadata === null ? '' : JSON.stringify(metadata);
  const gap = spaced ? ' , ' : ',';
  const head = `chunked 1.0${gap}${Buffer.byteLength(json)}${gap}${Buffer.byteLength(body)}\n`;
  return Buffer.from(head + json + body, 'utf8');
}

export function searchinfo(args: readonly string[], more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    action: 'getinfo',
    preview: false,
    streaming_command_will_restart: false,
    searchinfo: {
      args: args.map((arg) => arg.replaceAll('"', '')),
      raw_args: args,
      dispatch_dir: '/nowhere/1700000000.12',
      sid: '1700000000.12',
      app: 'search',
      owner: 'admin',
      username: 'admin',
      session_key: 'canary-session-key',
      splunkd_uri: 'https://127.0.0.1:8089',
      splunk_version: '10.4.2',
      search: '%7C%20agentstatus',
      command: 'agentstatus',
      maxresultrows: 50_000,
      earliest_time: '0',
      latest_time: '0',
      ...more,
    },
  };
}

export const EXECUTE = { action: 'execute', finished: true };

/** Whole chunks at the head of the bytes; throws on bytes that are none. */
export function parseChunks(bytes: Buffer): { chunks: Chunk[]; rest: Buffer } {
  const chunks: Chunk[] = [];
  let rest = bytes;
  for (;;) {
    const end = rest.indexOf('\n');
    if (end < 0) return { chunks, rest };
    const match = /^chunked 1\.0,(\d+),(\d+)$/.exec(rest.subarray(0, end).toString());
    if (!match) throw new Error(`no chunk: ${rest.subarray(0, 100).toString()}`);
    const [metadataEnd, bodyEnd] = [end + 1 + Number(match[1]), end + 1 + Number(match[1]) + Number(match[2])];
    if (rest.length < bodyEnd) return { chunks, rest };
    const metadata = JSON.parse(rest.subarray(end + 1, metadataEnd).toString() || '{}');
    chunks.push({ metadata, body: rest.subarray(metadataEnd, bodyEnd).toString() });
    rest = rest.subarray(bodyEnd);
  }
}

/** Rows of a CSV body: CRLF, quotes doubled inside quotes. */
export function rowsOf(body: string): Record<string, string>[] {
  const cells: string[][] = [[]];
  let at = 0;
  while (at < body.length) {
    let text = '';
    if (body[at] === '"') {
      for (at += 1; ; at++) {
        if (body[at] === '"' && body[at + 1] !== '"') break;
        if (body[at] === '"') at += 1;
        if (at >= body.length) throw new Error('a quote does not end');
        text += body[at];
      }
      at += 1;
    } else while (at < body.length && !',\r\n'.includes(body.charAt(at))) text += body[at++];
    cells.at(-1)?.push(text);
    if (body[at] === ',') at += 1;
    else if (body.startsWith('\r\n', at)) {
      at += 2;
      if (at < body.length) cells.push([]);
    } else if (at < body.length) throw new Error(`no row end at ${at}`);
  }
  const [header = [], ...rows] = cells;
  return rows.map((row) => Object.fromEntries(header.map((name, index) => [name, row[index] ?? ''])));
}

import { createServer, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { listen } from '../../support/peers/listen.ts';

/** What a peer does with a request, given the answer that a good one would send. */
export interface Misbehaviour {
  name: string;
  /** A good answer may come of it all the same. */
  mayPass?: boolean;
  /** Nothing but the deadline ends it. */
  isEndless?: boolean;
  act(socket: Socket, request: string, good: string): void;
}

const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
const MIB = 1024 * 1024;

/** Writes as long as somebody listens, as fast as they do. */
function pour(socket: Socket, chunk: Buffer): void {
  const more = () => {
    while (!socket.destroyed && socket.write(chunk));
    if (!socket.destroyed) socket.once('drain', more);
  };
  more();
}

function drip(socket: Socket, text: string, everyMs: number): void {
  const timer = setInterval(() => (socket.destroyed ? clearInterval(timer) : socket.write(text)), everyMs);
}

const answer = (name: string, head: string, body: string | Buffer = '', mayPass = false): Misbehaviour => ({
  name,
  mayPass,
  act: (socket) => {
    socket.write(head);
    socket.end(body);
  },
});
const whole = (name: string, status: string, headers: string, body: string | Buffer = '') =>
  answer(
    name,
    `HTTP/1.1 ${status}\r\n${headers}content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n`,
    body,
  );
const json = (name: string, body: string) => whole(name, '200 OK', 'content-type: application/json\r\n', body);

/** `trap`: where redirects lead; nobody may come. */
export function misbehaviours(trap: string): Misbehaviour[] {
  return [
    { name: 'says nothing', act: () => {} },
    { name: 'drips headers for ever', isEndless: true, act: (socket) => drip(socket, 'x-a: b\r\n', 200) },
    {
      name: 'drips a body for ever',
      isEndless: true,
      act: (socket) => {
        socket.write(`${HEAD}transfer-encoding: chunked\r\n\r\n`);
        drip(socket, '1\r\n \r\n', 200);
      },
    },
    {
      name: 'an endless body',
      act: (socket) => {
        socket.write(`${HEAD}transfer-encoding: chunked\r\n\r\n`);
        pour(socket, Buffer.from(`10000\r\n${' '.repeat(65_536)}\r\n`));
      },
    },
    {
      name: 'an endless event stream',
      isEndless: true,
      act: (socket) => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n');
        pour(socket, Buffer.from(`data: ${'x'.repeat(65_536)}\n`));
      },
    },
    {
      name: 'endless headers',
      act: (socket) => {
        socket.write('HTTP/1.1 200 OK\r\n');
        pour(socket, Buffer.from(`x-a: ${'b'.repeat(8000)}\r\n`));
      },
    },
    {
      name: 'more than it said',
      mayPass: true,
      act: (socket, _, good) => {
        socket.write(good);
        pour(socket, Buffer.alloc(65_536, 32));
      },
    },
    answer('less than it said', `${HEAD}content-length: 100000\r\n\r\n`, '{"a":'),
    answer('no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n'),
    answer('bytes of no meaning', '', Buffer.from(Array.from({ length: 5000 }, (_, index) => (index * 7919) % 256))),
    answer('an end at once', ''),
    { name: 'a reset at once', act: (socket) => socket.resetAndDestroy() },
    whole('a web page', '200 OK', 'content-type: text/html\r\n', '<html><body>Welcome</body></html>'),
    json('JSON of another kind', '{"hello":"world"}'),
    json('null', 'null'),
    json('an array', '[]'),
    json('half of JSON', '{"choices":[{"mess'),
    json('deep JSON', '['.repeat(100_000) + ']'.repeat(100_000)),
    json('9 MiB of JSON', `{"data":"${'x'.repeat(9 * MIB)}"}`),
    whole(
      'broken UTF-8',
      '200 OK',
      'content-type: application/json\r\n',
      Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]),
    ),
    whole(
      'a bomb',
      '200 OK',
      'content-type: application/json\r\ncontent-encoding: gzip\r\n',
      gzipSync(Buffer.alloc(64 * MIB, 32)),
    ),
    whole('no gzip', '200 OK', 'content-type: application/json\r\ncontent-encoding: gzip\r\n', 'not compressed'),
    ...['301', '302', '303', '307', '308'].map((status) =>
      whole(`redirect ${status}`, `${status} Go`, `location: ${trap}/\r\n`),
    ),
    whole('a redirect to metadata', '302 Go', 'location: http://169.254.169.254/latest/\r\n'),
    whole('a redirect to a file', '302 Go', 'location: file:///etc/passwd\r\n'),
    whole('a redirect to nowhere', '302 Go', 'location: ://\r\n'),
    whole('a redirect without a place', '302 Go', ''),
    ...[
      '204 No',
      '400 Bad',
      '401 Who',
      '403 No',
      '404 None',
      '407 Proxy',
      '418 Tea',
      '429 Slow',
      '500 Oh',
      '503 Later',
    ].map((status) =>
      whole(
        status,
        status,
        'content-type: application/json\r\n',
        status.startsWith('204') ? '' : '{"error":{"message":"no"}}',
      ),
    ),
    whole('401 with a place for metadata', '401 Who', `www-authenticate: Bearer resource_metadata="${trap}/meta"\r\n`),
    answer('many interim answers', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(2000)),
    answer('two lengths', `${HEAD}content-length: 5\r\ncontent-length: 6\r\n\r\n`, '12345'),
  ];
}

/** A good answer, cut by a reset after so many bytes. */
export const cutAfter = (bytes: number): Misbehaviour => ({
  name: `a reset after ${bytes} bytes`,
  mayPass: true,
  act: (socket, _, good) => {
    if (bytes === 0) socket.resetAndDestroy();
    else socket.write(good.slice(0, bytes), () => setTimeout(() => socket.resetAndDestroy(), 2));
  },
});

/** A peer on a port of its own that treats every request so. */
export async function startPeer(
  { act }: Misbehaviour,
  good: (request: string) => string,
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((socket) => {
    let text = '';
    let acted = false;
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
      const start = text.indexOf('\r\n\r\n');
      if (acted || start < 0 || text.length < start + 4 + length) return;
      acted = true;
      act(socket, text, good(text));
    });
  });
  const { port, close } = await listen(server);
  return { url: `http://127.0.0.1:${port}`, close };
}

import { PassThrough, Readable } from 'node:stream';
import { expect } from 'chai';
import { ProtocolError } from '../../src/driver/packets.ts';
import { type Handler, serveFrames } from '../../src/driver/serve.ts';
import type { RestRequest } from '../../src/rest/request.ts';
import { MemoryLog } from '../support/memory/log.ts';
import { frames, packet, request, str } from './peer.ts';

const hello: Handler = async () => ({ status: 200, headers: {}, payload: 'hello' });
const LF = Buffer.from('\n');

/** Runs the loop over these chunks until their end. */
async function run(chunks: Buffer[], serve: Handler = hello) {
  const log = new MemoryLog();
  const output = new PassThrough();
  const written: Buffer[] = [];
  output.on('data', (chunk) => written.push(chunk));
  const requests: RestRequest[] = [];
  let error: unknown;
  let code: number | undefined;
  try {
    const input = Readable.from(chunks, { objectMode: false });
    code = await serveFrames(
      { input, output },
      (asked) => {
        requests.push(asked);
        return serve(asked);
      },
      { log, newId: () => 'request-1' },
    );
  } catch (thrown) {
    error = thrown;
  }
  await new Promise(setImmediate);
  return { output: Buffer.concat(written), requests, error, code, logged: log.text() };
}

const JSON_TYPE = ['Content-Type', 'application/json; charset=UTF-8'];
const TEXT_TYPE = ['Content-Type', 'text/plain; charset=UTF-8'];

describe('persistent protocol', () => {
  it('the byte-exact example of the platform', async () => {
    const input = Buffer.from('\x071\n8\nrest.mjs0\n35\n{"method":"GET","rest_path":"/x/y"}', 'latin1');
    const { output, requests, code } = await run([input]);
    const reply = '{"status":200,"payload":"hello","headers":[["Content-Type","text/plain; charset=UTF-8"]]}';
    expect(output.toString('latin1')).to.equal(`0\n${reply.length}\n${reply}`);
    expect([requests[0]?.method, requests[0]?.path]).to.deep.equal(['GET', '/x/y']);
    expect(code).to.equal(0);
  });

  it('several packets, one after the other, in one chunk', async () => {
    const paths = ['/a', '/b', '/c'];
    const { output, requests } = await run([Buffer.concat(paths.map((rest_path) => request({ rest_path })))]);
    expect(frames(output)).to.have.length(6);
    expect(requests.map((each) => each.path)).to.deep.equal(paths);
  });

  it('newlines before opcodes, after strings and before numbers', async () => {
    const spaced = packet(0x07, { rest_path: '/spaced' }, '\n\n');
    const { output, requests } = await run([Buffer.concat([LF, LF, spaced, LF, LF, spaced, LF])]);
    expect(frames(output)).to.have.length(4);
    expect(requests.map((each) => each.path)).to.deep.equal(['/spaced', '/spaced']);
  });

  it('lengths count bytes, in both directions', async () => {
    const payload = { text: 'ä€𝄞' };
    const { output, requests } = await run([request({ rest_path: '/ü' }), request({})], async () => ({
      status: 200,
      headers: {},
      payload,
    }));
    expect(requests[0]?.path).to.equal('/ü');
    // Without the text it is that many characters of one byte; the text has 2 + 3 + 4 bytes.
    const empty = JSON.stringify({ status: 200, payload: { text: '' }, headers: [JSON_TYPE] });
    expect(output.toString('utf8').split('\n')[1]).to.equal(String(empty.length + 9));
    expect(JSON.parse(frames(output)[1] ?? '')).to.deep.equal({ status: 200, payload, headers: [JSON_TYPE] });
  });

  it('integers beyond 2^53 keep their digits, in a text that the platform passes on', async () => {
    const { output } = await run([request({})], async () => ({
      status: 200,
      headers: { 'X-Own': 'kept' },
      payload: { n: 18446744073709551615n, list: [-9007199254740993n, 1] },
    }));
    expect(JSON.parse(frames(output)[1] ?? '')).to.deep.equal({
      status: 200,
      payload: '{"n":18446744073709551615,"list":[-9007199254740993,1]}',
      headers: [
        ['X-Own', 'kept'],
        ['Content-Type', 'application/json; charset=UTF-8'],
      ],
    });
  });

  it('INIT, BLOCK and END may come apart, and one INIT may have several blocks', async () => {
    const { output, code } = await run([
      packet(0x01),
      packet(0x02, {}),
      packet(0x02, {}),
      packet(0x04),
      packet(0x01),
      packet(0x06, {}),
    ]);
    expect(frames(output).map((frame) => frame && JSON.parse(frame).payload)).to.deep.equal([
      '',
      'hello',
      'hello',
      '',
      'hello',
    ]);
    expect(code).to.equal(0);
  });

  it('a command of several pieces and an argument are read over', async () => {
    const input = Buffer.concat([
      Buffer.from('\x07', 'latin1'),
      Buffer.from(`3\n${str('a')}${str('ö')}${str('')}${str('argument')}${str('{"rest_path":"/p"}')}`),
    ]);
    expect((await run([input])).requests[0]?.path).to.equal('/p');
    const none = Buffer.from(`\x070\n${str('')}${str('{"rest_path":"/q"}')}`, 'latin1');
    expect((await run([none])).requests[0]?.path).to.equal('/q');
  });

  it('requests come strictly one after the other', async () => {
    let running = 0;
    let most = 0;
    await run([Buffer.concat([request({}), request({}), request({})])], async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, 2));
      running -= 1;
      return { status: 200, headers: {}, payload: '' };
    });
    expect(most).to.equal(1);
  });

  describe('a clean end is EOF where an opcode is expected', () => {
    const ends = { nothing: [], 'line ends': [LF, LF], 'after a request': [request({})], 'after INIT': [packet(0x01)] };
    for (const [what, chunks] of Object.entries(ends)) {
      it(what, async () => {
        const { code, error } = await run(chunks);
        expect([code, error]).to.deep.equal([0, undefined]);
      });
    }

    it('also while a request is at work: its reply is still written', async () => {
      const { code, output } = await run([request({})], async () => {
        await new Promise((resolve) => setTimeout(resolve, 20));
        return { status: 200, headers: {}, payload: 'late' };
      });
      expect(code).to.equal(0);
      expect(frames(output)[1]).to.include('late');
    });
  });

  describe('a peer that breaks the protocol ends the loop', () => {
    const raw = (text: string) => [Buffer.from(text, 'latin1')];
    const broken: Record<string, Buffer[]> = {
      'INIT while a request is active': [packet(0x01), packet(0x01)],
      'INIT while active, with a block': [packet(0x03, {}), request({})],
      'BLOCK without INIT': [packet(0x02, {})],
      'BLOCK after END': [request({}), packet(0x02, {})],
      'an unknown opcode': raw('\x10'),
      'opcode 0': raw('\x00'),
      'a letter for an opcode': raw('7'),
      'no number': raw('\x07x\n'),
      'a negative number': raw('\x07-1\n'),
      'a number with a sign': raw('\x07+1\n'),
      'a number with a blank': raw('\x07 1\n'),
      'a carriage return': raw('\x071\r\n'),
      'an endless number': raw(`\x07${'1'.repeat(100)}`),
      'a length of hundreds of gigabytes': raw('\x071\n999999999999\n'),
      'EOF before a number': raw('\x07'),
      'EOF inside a number': raw('\x071'),
      'EOF inside the command': raw('\x071\n8\nrest'),
      'EOF before the block': raw('\x071\n8\nrest.mjs0\n'),
      'EOF inside the block': [request({ rest_path: '/x' }).subarray(0, -1)],
    };
    for (const [what, chunks] of Object.entries(broken)) {
      it(what, async () => {
        const { error } = await run(chunks);
        expect(error).to.be.instanceOf(ProtocolError);
        expect((error as Error).message).to.match(/^[^\n]{1,100}$/);
      });
    }
  });

  describe('a bad block is answered 400 and the process lives', () => {
    for (const block of ['', '{', 'null', '[]', '5', '"text"', '\u0000', '{"a":']) {
      it(JSON.stringify(block), async () => {
        const { output, code, requests, logged } = await run([request(block), request({})]);
        const [loaded, reply, , next] = frames(output);
        expect(loaded).to.equal('');
        const { status, payload } = JSON.parse(reply ?? '');
        expect([status, payload.status, payload.error_code]).to.deep.equal([400, 'fail', 'malformed_json']);
        expect(payload.messages[0].type).to.equal('ERROR');
        expect(payload.request_id).to.equal('request-1');
        expect(logged).to.include('"request_id":"request-1"');
        expect(JSON.parse(next ?? '').status).to.equal(200);
        expect([code, requests.length]).to.deep.equal([0, 1]);
      });
    }
  });

  it('a reply that cannot be written is a failure with an id and a line in the log, and the process lives', async () => {
    const endless: Record<string, unknown> = { secret: 'canary' };
    endless.self = endless;
    const tooLong = {
      toJSON: () => {
        throw new RangeError('Invalid string length');
      },
    };
    for (const payload of [endless, tooLong]) {
      const replies = [payload, 'next'];
      const { output, code, logged } = await run([request({}), request({})], async () => ({
        status: 200,
        headers: {},
        payload: replies.shift(),
      }));
      const [, reply, , next] = frames(output);
      const failure = JSON.parse(reply ?? '');
      expect(failure.status).to.equal(500);
      expect(failure.payload).to.include({ status: 'fail', error_code: 'internal_error', request_id: 'request-1' });
      expect(logged).to.match(/"bug".*"request_id":"request-1".*(Type|Range)Error/);
      expect(logged + reply).not.to.include('canary');
      expect([code, JSON.parse(next ?? '').payload]).to.deep.equal([0, 'next']);
    }
  });

  it('a block whose parts have the wrong shape does no harm', async () => {
    const odd = {
      method: 5,
      rest_path: [],
      query: [['a', { toString: 1, valueOf: 1 }], 'x', ['only'], ['k', 1], null],
      headers: { a: 1 },
      session: [],
      server: 'x',
      payload: { a: 1 },
      restmap: 5,
    };
    const { output, requests } = await run([request(odd)]);
    expect(JSON.parse(frames(output)[1] ?? '').status).to.equal(200);
    expect(requests[0]).to.deep.equal({
      method: 'GET',
      path: '/ml',
      query: [['k', '1']],
      headers: [],
      body: undefined,
      sessionToken: undefined,
      systemToken: undefined,
      serverUri: 'https://127.0.0.1:8089',
      serverId: undefined,
    });
  });

  it('the loop continues with both frames after any exception of a handler', async () => {
    const canary = 'canary-text';
    const throwing: Handler[] = [
      async () => {
        throw new Error(canary);
      },
      () => {
        throw canary;
      },
      async () => undefined as never,
    ];
    for (const serve of throwing) {
      const { output, code } = await run([request({}), request({})], serve);
      expect(frames(output)).to.have.length(4);
      expect(JSON.parse(frames(output)[1] ?? '').status).to.equal(500);
      expect(output.toString()).not.to.include(canary);
      expect(code).to.equal(0);
    }
  });

  describe('request blocks', () => {
    const read = async (block: unknown) => (await run([request(block)])).requests[0];

    it('the captured shape', async () => {
      const asked = await read({
        output_mode: 'xml',
        output_mode_explicit: false,
        server: { rest_uri: 'https://127.0.0.1:18089', hostname: 'h', servername: 'h', guid: 'g' },
        restmap: { name: 'script:ml_extension', conf: { match: '/ml' } },
        query: [
          ['arg1', 'value1'],
          ['arg1', 'value3'],
        ],
        connection: { src_ip: '127.0.0.1', ssl: true, listening_port: 8089 },
        session: { user: 'admin', authtoken: 'T' },
        system_authtoken: 'S',
        headers: [['If-Match', '3']],
        rest_path: '/ml/health',
        method: 'post',
        form: [],
        ns: { app: 'ml_extension', user: 'admin' },
      });
      expect(asked).to.deep.equal({
        method: 'POST',
        path: '/ml/health',
        query: [
          ['arg1', 'value1'],
          ['arg1', 'value3'],
        ],
        headers: [['If-Match', '3']],
        body: undefined,
        sessionToken: 'T',
        systemToken: 'S',
        serverUri: 'https://127.0.0.1:18089',
        serverId: 'g',
      });
    });

    it('absent keys are normal', async () => {
      const asked = await read({});
      expect([asked?.method, asked?.path, asked?.body, asked?.sessionToken]).to.deep.equal([
        'GET',
        '/ml',
        undefined,
        undefined,
      ]);
      expect((await read({ restmap: { conf: { match: '/ml' } }, path_info: 'a/b' }))?.path).to.equal('/ml/a/b');
    });

    it('payload is text, payload_base64 bytes', async () => {
      expect(Buffer.from((await read({ payload: '{"ä":1}' }))?.body ?? []).toString('utf8')).to.equal('{"ä":1}');
      const raw = Buffer.from([0, 255, 10, 7]);
      const asked = await read({ payload_base64: raw.toString('base64') });
      expect([...(asked?.body ?? [])]).to.deep.equal([...raw]);
      expect((await read({ payload: '' }))?.body?.byteLength).to.equal(0);
    });

    it('a body of megabytes arrives as it was, beside other long texts too', async () => {
      const raw = Buffer.alloc(3_000_001, 'payload ');
      const payload_base64 = raw.toString('base64');
      const long = 'q'.repeat(100_000);
      for (const more of [{}, { query: [['long', long]] }, { session: { authtoken: long } }]) {
        const asked = await read({ rest_path: '/x', payload_base64, ...more });
        expect(Buffer.from(asked?.body ?? []).equals(raw)).to.equal(true);
        expect(asked?.path).to.equal('/x');
        if ('query' in more) expect(asked?.query).to.deep.equal([['long', long]]);
        if ('session' in more) expect(asked?.sessionToken).to.equal(long);
      }
      expect(Buffer.from((await read({ payload: `"${long}"` }))?.body ?? []).toString()).to.equal(`"${long}"`);
      const { output } = await run([request({ payload_base64: '!'.repeat(100_000) }), request({})]);
      expect(frames(output).map((text) => text && JSON.parse(text).status)).to.deep.equal(['', 400, '', 200]);
    });
  });

  describe('reply blocks', () => {
    const reply = async (value: Awaited<ReturnType<Handler>>) =>
      JSON.parse(frames((await run([request({})], async () => value)).output)[1] ?? '');

    it('an object is the payload as it is', async () => {
      expect(await reply({ status: 201, headers: {}, payload: { a: [1] } })).to.deep.include({
        status: 201,
        payload: { a: [1] },
      });
    });

    it('headers are pairs', async () => {
      const { headers } = await reply({ status: 405, headers: { Allow: 'GET' }, payload: {} });
      expect(headers).to.deep.equal([['Allow', 'GET'], JSON_TYPE]);
    });

    it('have a Content-Type, whatever the payload is, and no 204, which the platform sends without one', async () => {
      const stream = ['content-type', 'text/event-stream'];
      const replies: [unknown, Record<string, string>, string[]][] = [
        [{ a: 1 }, {}, JSON_TYPE],
        [[], {}, JSON_TYPE],
        [{ a: 2n ** 60n }, {}, JSON_TYPE],
        ['', {}, TEXT_TYPE],
        ['data: 1\n\n', Object.fromEntries([stream]), stream],
        [null, {}, TEXT_TYPE],
        [undefined, {}, TEXT_TYPE],
      ];
      for (const [payload, headers, type] of replies) {
        const written = await reply({ status: 200, headers, payload });
        expect(written.headers, String(payload)).to.deep.equal([type]);
        expect(written.payload, String(payload)).not.to.equal(null);
      }
      const [, refusal] = frames((await run([Buffer.from('\x071\n8\nrest.mjs0\n1\n{')])).output);
      expect(JSON.parse(refusal ?? '')).to.deep.include({ status: 400, headers: [JSON_TYPE] });
    });
  });

  it('a reply of many megabytes goes out whole, to a slow reader too', async () => {
    const output = new PassThrough({ highWaterMark: 1024 });
    const text = 'x'.repeat(5_000_000);
    const input = Readable.from([request({}), request({})], { objectMode: false });
    const done = serveFrames({ input, output }, async () => ({ status: 200, headers: {}, payload: text }), {
      log: new MemoryLog(),
      newId: () => 'id',
    });
    let size = 0;
    const reading = (async () => {
      for await (const chunk of output) {
        size += chunk.length;
        if (size % 7 === 0) await new Promise(setImmediate);
      }
    })();
    expect(await done).to.equal(0);
    output.end();
    await reading;
    const one = Buffer.byteLength(JSON.stringify({ status: 200, payload: text, headers: [TEXT_TYPE] }));
    expect(size).to.equal(2 * (2 + String(one).length + 1 + one));
  });
});

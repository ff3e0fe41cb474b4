import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { encodePacket, ReplyFrames } from '../../src/drivers/frames.ts';
import { DriverFailure, DriverProcess } from '../../src/drivers/process.ts';
import type { DriverConfig } from '../../src/drivers/restmap.ts';
import { createFakeDriver, type Echo, type FakeDriver, failure, MemoryLog } from '../support/fakeDriver.ts';
import { patience } from '../support/patience.ts';
import { isAlive } from '../support/processes.ts';

describe('driver frames', () => {
  it('make the packet of the protocol description, byte for byte', () => {
    expect(encodePacket(['rest.mjs'], '', '{"method":"GET","rest_path":"/x/y"}').toString('latin1')).to.equal(
      '\x071\n8\nrest.mjs0\n35\n{"method":"GET","rest_path":"/x/y"}',
    );
  });

  it('count bytes', () => {
    expect(encodePacket(['ä', 'b'], 'ж', '"🙂"').toString('utf8')).to.equal('\x072\n2\nä1\nb2\nж6\n"🙂"');
    expect(encodePacket([], '', '').toString('utf8')).to.equal('\x070\n0\n0\n');
  });

  const cut = (...chunks: string[]): string[] => {
    const frames = new ReplyFrames();
    const found: string[] = [];
    for (const chunk of chunks) {
      frames.push(Buffer.from(chunk));
      for (let frame = frames.take(); frame; frame = frames.take()) found.push(frame.toString('utf8'));
    }
    return found;
  };

  it('are found in bytes of any split', () => {
    const text = '0\n\n12\n{"a":"жß🙂"}0\n3\nabc'.replace('12', String(Buffer.byteLength('{"a":"жß🙂"}')));
    const expected = ['', '{"a":"жß🙂"}', '', 'abc'];
    expect(cut(text)).to.deep.equal(expected);
    const bytes = Buffer.from(text);
    const frames = new ReplyFrames();
    const found: string[] = [];
    for (const byte of bytes) {
      frames.push(Buffer.of(byte));
      const frame = frames.take();
      if (frame) found.push(frame.toString('utf8'));
    }
    expect(found).to.deep.equal(expected);
  });

  it('name the unexpected character', () => {
    const bad: [string, string][] = [
      ['01\n', 'bad character (49) in reply size'],
      ['{}', 'bad character (123) in reply size'],
      ['1 \n', 'bad character (32) in reply size'],
      ['-1\n', 'bad character (45) in reply size'],
      ['1\r\n', 'bad character (13) in reply size'],
      ['99999999999', 'bad character (57) in reply size'],
      ['9999999999\n', 'reply size 9999999999 is too large'],
    ];
    for (const [text, message] of bad) expect(() => cut(text), text).to.throw(message);
  });
});

describe('driver process', () => {
  let fake: FakeDriver;
  let log: MemoryLog;
  let started: DriverProcess[];
  const start = (config?: DriverConfig, requestTimeoutMs = 0): DriverProcess => {
    const process_ = new DriverProcess(config ?? fake.config(), { env: process.env, cwd: '/', log, requestTimeoutMs });
    started.push(process_);
    return process_;
  };
  const call = (driver: DriverProcess, block: unknown) =>
    driver.call(encodePacket(['/bin/x.mjs'], 'arg', JSON.stringify(block))).then((reply) => reply.toString('utf8'));
  const echo = async (driver: DriverProcess, block: unknown = {}): Promise<Echo> =>
    JSON.parse(await call(driver, block)).payload;

  before(() => {
    fake = createFakeDriver();
  });
  after(() => fake.remove());
  beforeEach(() => {
    log = new MemoryLog();
    started = [];
  });
  afterEach(async () => {
    await Promise.all(started.map((one) => one.end(100)));
    for (const one of started) expect(isAlive(one.pid)).to.equal(false);
  });

  it('serves one request after the other with one process', async () => {
    const driver = start();
    const first = await echo(driver, { text_: 'жß🙂\n"' });
    expect(first).to.deep.include({ opcode: 7, command: ['/bin/x.mjs'], commandArg: 'arg', served: 1, cwd: '/' });
    expect(first.block).to.deep.equal({ text_: 'жß🙂\n"' });
    expect(first.pid).to.equal(driver.pid);
    expect((await echo(driver)).served).to.equal(2);
    expect(driver.busy).to.equal(false);
  });

  it('refuses a second request while one is open', async () => {
    const driver = start();
    const open = echo(driver, { do: 'slow', ms: 50 });
    expect((await failure(echo(driver))).message).to.match(/is busy/);
    expect((await open).served).to.equal(1);
  });

  it('accepts frames of any size, in any portions, with empty lines between', async () => {
    const driver = start();
    expect(await call(driver, { do: 'split', reply: { payload: 'жß🙂' } })).to.equal('{"payload":"жß🙂"}');
    expect((await echo(driver, { do: 'newlines' })).served).to.equal(2);
    expect((await echo(driver)).served).to.equal(3);
    const huge = JSON.parse(await call(driver, { do: 'huge', size: 10 * 1024 * 1024 })).payload;
    expect(Buffer.byteLength(huge)).to.equal(10 * 1024 * 1024);
    expect((await echo(driver, { filler: 'ä'.repeat(5 * 1024 * 1024) })).served).to.equal(5);
  });

  it('fails only the request during which the process dies, at once', async () => {
    for (const [how, message] of [
      ['exit', /ended with code 3 before it replied/],
      ['half', /ended with code 0 before it replied/],
      ['kill', /ended by signal SIGKILL before it replied/],
    ] as const) {
      const driver = start();
      expect((await echo(driver)).served).to.equal(1);
      const begun = Date.now();
      const error = await failure(call(driver, { do: how }));
      expect(error).to.be.instanceOf(DriverFailure);
      expect(error.message).to.match(message);
      expect(Date.now() - begun).to.be.below(patience(1000));
      expect(driver.isUsable).to.equal(false);
      expect((await failure(call(driver, {}))).message).to.match(/is gone/);
    }
  });

  it('keeps a reply that was written right before the end', async () => {
    expect((await echo(start(), { do: 'reply then exit' })).served).to.equal(1);
  });

  it('ends a process that writes anything but frames', async () => {
    for (const [bytes, message] of [
      ['hello\n', 'bad character (104) in reply size'],
      ['01\n', 'bad character (49) in reply size'],
      ['0\nprint\n', 'bad character (112) in reply size'],
      ['10\n17\n{"status":200}', 'bad character (115) in reply size'],
    ] as const) {
      const driver = start();
      expect((await failure(call(driver, { do: 'raw', bytes }))).message, bytes).to.equal(message);
      await driver.exited;
      expect(isAlive(driver.pid)).to.equal(false);
      expect(log.lines.join('\n')).to.include(
        `ERROR PersistentScript From {${process.execPath} ${fake.script}}: ${message}`,
      );
    }
  });

  it('fails the next request after a stray digit behind a reply', async () => {
    const driver = start();
    expect((await echo(driver, { do: 'stray after', bytes: '1' })).served).to.equal(1);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect((await failure(call(driver, {}))).message).to.equal('bad character (49) in reply size');
    expect(driver.isUsable).to.equal(false);
  });

  it('limits unrequested output', async () => {
    const driver = start();
    await echo(driver, { do: 'stray after', bytes: 'x'.repeat(3 * 1024 * 1024) });
    await driver.exited;
    expect(log.lines.join('\n')).to.include('output without a request');
  });

  it('reports a load error, reads the frame of the block too, and continues', async () => {
    const driver = start();
    const error = 'Can\'t load script "x.mjs"';
    expect((await failure(call(driver, { do: 'load error', error }))).message).to.equal(error);
    expect(log.lines.join('\n')).to.include(`load error: ${error}`);
    expect((await echo(driver)).served).to.equal(2);
    expect((await failure(call(driver, { do: 'load error, then exit', error }))).message).to.equal(error);
    await driver.exited;
  });

  it('fails a request whose driver closes its output or never answers', async () => {
    expect((await failure(call(start(), { do: 'close stdout' }))).message).to.match(/closed its output/);
    const begun = Date.now();
    expect((await failure(call(start(undefined, 200), { do: 'hang' }))).message).to.match(/did not reply within 0.2 s/);
    expect(Date.now() - begun).to.be.below(patience(2000));
  });

  it('names a driver that cannot be started', async () => {
    const plain = join(fake.dir, 'plain.sh');
    writeFileSync(plain, '#!/bin/sh\n');
    chmodSync(plain, 0o644);
    for (const [path, why] of [
      ['/no/such/driver', 'ENOENT'],
      [plain, 'EACCES'],
      ['bad\0path', 'ERR_INVALID_ARG_VALUE'],
    ] as const) {
      const driver = start({ path, args: [], env: {} });
      expect((await failure(call(driver, {}))).message).to.equal(`Cannot start driver ${path}: ${why}`);
      await driver.exited;
    }
  });

  it('writes stderr to the log line by line', async () => {
    const driver = start();
    await echo(driver, { do: 'stderr', bytes: 'one ä\n\nWARN two\n2026-11-20 12:00:00,000 INFO three\nrest' });
    await driver.end(1000);
    const from = `PersistentScript From {${process.execPath} ${fake.script}}:`;
    expect(log.lines).to.deep.equal([
      `ERROR ${from} one ä`,
      `WARN ${from} WARN two`,
      `INFO ${from} 2026-11-20 12:00:00,000 INFO three`,
      `ERROR ${from} rest`,
    ]);
  });

  it('ends by EOF, or by a kill after a while', async () => {
    const polite = start();
    await echo(polite);
    await polite.end(60_000);
    expect(isAlive(polite.pid)).to.equal(false);
    const stubborn = start(fake.config('--linger'));
    await echo(stubborn);
    const begun = Date.now();
    await stubborn.end(100);
    expect(Date.now() - begun).to.be.within(80, patience(2000));
    expect(log.lines).to.deep.equal([]);
  });

  it('notes a process that dies idle', async () => {
    const driver = start();
    const { pid } = await echo(driver);
    process.kill(pid, 'SIGKILL');
    await driver.exited;
    expect(log.lines.join()).to.include('WARN PersistentScript').and.include('ended by signal SIGKILL while idle');
  });
});

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { chunk, parseChunks, searchinfo } from '../search/peer.ts';
import { project } from '../support/e2e/build.ts';
import { frames, packet, request } from './peer.ts';

const X86 = 'runtime/linux_x86_64/node';
const TOOLS = ['head', 'od', 'tr', 'sed', 'cat', 'sh', 'mkdir'];

interface Refusal {
  status: number;
  headers: string[][];
  payload: { message: string; remedy: string; error_code: string; request_id: string; messages: { text: string }[] };
}

/** An installed `bin/` folder with a substitute for Node. */
describe('launcher without a runtime that fits', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ml-launcher-'));
  const tools = join(folder, 'tools');
  let bin: string;
  let count = 0;

  before(() => {
    mkdirSync(tools);
    for (const name of TOOLS) {
      symlinkSync(execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim(), join(tools, name));
    }
    machine('x86_64');
  });
  after(() => rmSync(folder, { recursive: true, force: true }));
  beforeEach(() => {
    count += 1;
    bin = join(folder, `app ${count} "ä"`, 'bin');
    cpSync(join(project, 'bin'), bin, { recursive: true });
    machine('x86_64');
  });

  const program = (path: string, text: string, mode = 0o755) => {
    mkdirSync(join(path, '..'), { recursive: true });
    rmSync(path, { force: true });
    writeFileSync(path, text);
    chmodSync(path, mode);
  };
  const machine = (name: string) => program(join(tools, 'uname'), `#!/bin/sh\necho ${name}\n`);
  const runtime = (text: string, mode?: number) => program(join(bin, X86), text, mode);
  const saying = (text: string, code: number) => runtime(`#!/bin/sh\necho '${text}' >&2\nexit ${code}\n`);

  function start(name = 'ml_rest.sh', env: Record<string, string> = {}) {
    const child = spawn(join(bin, name), { cwd: '/', env: { PATH: tools, ...env } });
    const [out, err]: [Buffer[], Buffer[]] = [[], []];
    child.stdout.on('data', (bytes) => out.push(bytes));
    child.stderr.on('data', (bytes) => err.push(bytes));
    child.stdin.on('error', () => {});
    const end = async () => {
      child.stdin.end();
      const [code] = await once(child, 'close');
      return { code, out: Buffer.concat(out), err: Buffer.concat(err).toString() };
    };
    const until = async (isEnough: (found: string[]) => boolean) => {
      for (;;) {
        const bytes = Buffer.concat(out);
        try {
          if (isEnough(frames(bytes))) return;
        } catch {
          // Not whole yet.
        }
        await once(child.stdout, 'data');
      }
    };
    return { write: (bytes: Buffer) => child.stdin.write(bytes), until, end };
  }

  async function refusal(env?: Record<string, string>): Promise<Refusal['payload']> {
    const driver = start('ml_rest.sh', env);
    driver.write(request({ method: 'GET' }));
    const { code, out, err } = await driver.end();
    const [loaded, reply = ''] = frames(out);
    expect([code, loaded]).to.deep.equal([0, '']);
    const { status, payload, headers } = JSON.parse(reply) as Refusal;
    expect([status, payload.error_code]).to.deep.equal([503, 'runtime_missing']);
    expect(headers).to.deep.equal([['Content-Type', 'application/json; charset=UTF-8']]);
    const line = JSON.parse(err) as Record<string, string>;
    const { message, remedy, request_id } = payload;
    expect(line).to.deep.equal({ level: 'error', event: 'no runtime', request_id, cause: message, remedy });
    return payload;
  }

  it('says that the package has none for this machine, and which one has', async () => {
    machine('riscv64');
    const { message, remedy } = await refusal();
    expect(message).to.equal('no Node runtime: this package has no runtime for Linux on riscv64');
    expect(remedy).to.include('install the variant').and.to.include('ML_EXTENSION_NODE');
  });

  for (const [what, prepare, said, todo] of [
    [
      'lacks a library',
      () => saying('node: error while loading shared libraries: libdl.so.2: cannot open shared object file: No', 127),
      'needs the system library libdl.so.2',
      'Node 24',
    ],
    ['meets an old system', () => saying('libc.so.6: version `GLIBC_2.28 not found', 1), 'glibc 2.28', 'Node 24'],
    ['may not be executed', () => runtime('#!/bin/sh\n', 0o644), 'may not be executed by this user', 'chmod 755'],
    [
      'is for another machine',
      () => runtime('\x7fELF\x02\x01\x01 no program'),
      'does not start on this machine',
      'Node 24',
    ],
    ['is too old', () => runtime('#!/bin/sh\necho v20.1.0\n'), 'is version 20.1.0, older than 24', 'Node 24'],
  ] as const) {
    it(`says what is wrong with a runtime that ${what}`, async () => {
      prepare();
      const { message, remedy, messages } = await refusal();
      expect(message)
        .to.include(`${join(bin, X86)} ${said}`.slice(0, -said.length))
        .and.to.include(said);
      expect(remedy).to.include(todo);
      expect(messages[0]?.text).to.equal(`${message}: ${remedy}`);
    });
  }

  it('says what is wrong with what ML_EXTENSION_NODE names, too', async () => {
    saying('error while loading shared libraries: libdl.so.2: cannot open shared object file', 127);
    const { message } = await refusal({ ML_EXTENSION_NODE: '/nowhere/node' });
    expect(message).to.match(/libdl\.so\.2; \/nowhere\/node does not exist$/);
  });

  it('answers packet after packet, whatever is in them', async () => {
    const driver = start();
    const block = { text: `${'ä'.repeat(70_000)}\n7\n` };
    driver.write(
      Buffer.concat([request(block), packet(0x01), packet(0x02, block, '\n'), packet(0x04), packet(0x0f, 'x')]),
    );
    const { code, out } = await driver.end();
    expect(frames(out).map((text) => text.length > 0)).to.deep.equal([false, true, false, true, false, true]);
    expect(code).to.equal(0);
  });

  it('serves as soon as a runtime is installed, without a new process', async () => {
    const driver = start();
    driver.write(request({}));
    await driver.until((found) => found.length >= 2);
    runtime(`#!/bin/sh\n[ "$1" = --version ] && echo v24.1.0 && exit\nprintf '4\\nnode'\ncat >/dev/null\n`);
    driver.write(request({}));
    await driver.until((found) => found.includes('node'));
    await driver.end();
  });

  it('takes another runtime where its own does not start, and says so in the log', async () => {
    saying('error while loading shared libraries: libdl.so.2: cannot open shared object file', 127);
    program(join(tools, 'node'), `#!/bin/sh\n[ "$1" = --version ] && echo v25.0.0 || printf '%s\\n' "$@" >&2\n`);
    const { code, err } = await start().end();
    rmSync(join(tools, 'node'));
    const [line = '', ...then] = err.trim().split('\n');
    expect(JSON.parse(line)).to.include({ level: 'warn', event: 'another runtime', node: join(tools, 'node') });
    // Without the limit a driver takes 132 MB after lists of 5,000 connections, with it 105 MB.
    expect([code, ...then]).to.deep.equal([0, '--max-semi-space-size=2', join(bin, 'ml_rest.mjs')]);
  });

  describe('the cached check of the runtime', () => {
    let home: string;
    let kept: string;
    let asked: string;

    beforeEach(() => {
      home = join(bin, '../../home');
      kept = join(home, 'var/run/splunk/ml_extension');
      asked = join(bin, 'asked');
      rmSync(home, { recursive: true, force: true });
      mkdirSync(join(home, 'var/run/splunk'), { recursive: true });
      appOf('1.0.0');
      willing();
    });

    const appOf = (version: string) => program(join(bin, '../default/app.conf'), `[id]\nversion = ${version}\n`, 0o644);
    /** A runtime that starts, counts how often it was asked, and says where its compiled code goes. */
    const willing = () =>
      runtime(
        `#!/bin/sh\n[ "$1" = --version ] && echo v24.1.0 && echo >>'${asked}' && exit\necho "code: $NODE_COMPILE_CACHE" >&2\n`,
      );
    async function starts(
      env: Record<string, string> = { SPLUNK_HOME: home },
    ): Promise<{ questions: number; code: string }> {
      rmSync(asked, { force: true });
      const { code, out, err } = await start('ml_rest.sh', env).end();
      expect([code, out.length]).to.deep.equal([0, 0]);
      expect(err).to.match(/^code: .*\n$/);
      return {
        questions: existsSync(asked) ? readFileSync(asked, 'utf8').length : 0,
        code: err.slice('code: '.length, -1),
      };
    }
    const old = (path: string) => utimesSync(path, 1_000_000_000, 1_000_000_000);

    it('the runtime is asked once whether it starts, and its compiled code is kept', async () => {
      old(join(bin, X86));
      expect(await starts()).to.deep.equal({ questions: 1, code: join(kept, 'code') });
      expect(statSync(kept).mode & 0o777).to.equal(0o700);
      expect(await starts()).to.deep.equal({ questions: 0, code: join(kept, 'code') });
      expect(await starts({ SPLUNK_HOME: home, NODE_COMPILE_CACHE: '/own' })).to.deep.equal({
        questions: 0,
        code: '/own',
      });
    });

    for (const [what, change] of Object.entries({
      'of another version of the app': () => appOf('1.0.1'),
      'that is older than the runtime': () => {
        old(join(kept, 'runtime'));
        willing();
      },
      'that is older than what the system knows of its libraries': () => old(join(kept, 'runtime')),
      'of another start of the machine': () => rewrite((note) => note.replace(/^\S+/, 'another')),
      'of an app in another place': () => rewrite((note) => note.replace('/bin\n', '/other/bin\n')),
      'of another machine': () => rewrite((note) => note.replace('x86_64', 'aarch64')),
      'that was cut off': () => rewrite((note) => note.slice(0, -3)),
      'that is empty': () => rewrite(() => ''),
    })) {
      it(`a note ${what} says nothing`, async () => {
        old(join(bin, X86));
        await starts();
        change();
        expect((await starts()).questions).to.equal(1);
        old(join(bin, X86));
        expect((await starts()).questions, 'with the new note').to.equal(0);
      });
    }
    const rewrite = (change: (note: string) => string) =>
      writeFileSync(join(kept, 'runtime'), change(readFileSync(join(kept, 'runtime'), 'utf8')));

    it('reports a replaced runtime that does not start, in spite of the cached check', async () => {
      old(join(bin, X86));
      await starts();
      saying('error while loading shared libraries: libdl.so.2: cannot open shared object file', 127);
      expect((await refusal({ SPLUNK_HOME: home })).message).to.include('libdl.so.2');
    });

    it('checks at each start if the result cannot be stored', async () => {
      for (const env of [{}, { SPLUNK_HOME: '' }, { SPLUNK_HOME: '/nowhere' }] as Record<string, string>[]) {
        expect(await starts(env)).to.deep.equal({ questions: 1, code: '' });
      }
      writeFileSync(kept, 'in the way');
      for (const _ of [1, 2]) expect((await starts()).questions).to.equal(1);
    });
  });

  for (const name of ['agentstatus.sh', 'mlhealth.sh']) {
    it(`answers a search in its protocol: ${name}`, async () => {
      saying('"cannot open shared object file": while loading shared libraries: "libdl.so.2": x', 127);
      const command = start(name);
      command.write(chunk(searchinfo([])));
      const { code, out, err } = await command.end();
      const { chunks, rest } = parseChunks(out);
      expect(chunks).to.have.length(1);
      expect(chunks[0]?.metadata.finished).to.equal(true);
      expect(chunks[0]?.metadata.error).to.match(
        /^ml_extension: no Node runtime: .*needs the system library "libdl\.so\.2": install Node/,
      );
      expect([code, err, rest.length]).to.deep.equal([1, '', 0]);
    });
  }
});

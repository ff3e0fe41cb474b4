import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { PlatformOptions } from '../../src/platform.ts';
import { startTestPlatform, type TestPlatform, temporaryFolder, writeFiles } from './platform.ts';
import { STREAMING_APP } from './streamingCommand.ts';

/**
 * A generating command written by hand from the description of the chunked protocol, not from the platform's code. The
 * argument `do` says how it behaves; whatever happens to it is a line of `commands.log` in the platform's home.
 */
const SOURCE = String.raw`#!${process.execPath}
const { appendFileSync, closeSync, readSync, writeSync } = require('node:fs');

const note = (text) => appendFileSync(process.env.SPLUNK_HOME + '/commands.log', process.pid + ' ' + text + '\n');
const wait = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
const byte = Buffer.alloc(1);
const read = (size) => {
  const bytes = Buffer.alloc(size);
  for (let done = 0; done < size; ) {
    const count = readSync(0, bytes, done, size - done);
    if (count === 0) return undefined;
    done += count;
  }
  return bytes;
};
const receive = () => {
  let header = '';
  for (;;) {
    if (readSync(0, byte, 0, 1) === 0) { note('eof'); process.exit(0); }
    if (byte[0] === 10) break;
    header += byte.toString('latin1');
  }
  const [, metadata, body] = /^chunked 1\.0,(\d+),(\d+)$/.exec(header);
  const chunk = { metadata: JSON.parse(read(Number(metadata)).toString('utf8')), body: read(Number(body)).toString('utf8') };
  note(chunk.metadata.action);
  return chunk;
};
const raw = (text) => {
  const bytes = Buffer.from(text, 'utf8');
  for (let done = 0; done < bytes.length; ) done += writeSync(1, bytes, done);
};
const send = (metadata, body = '') => {
  const json = JSON.stringify(metadata);
  raw('chunked 1.0,' + Buffer.byteLength(json) + ',' + Buffer.byteLength(body) + '\n' + json + body);
};
const cell = (text) => '"' + String(text).replaceAll('"', '""') + '"';
const csv = (...rows) => rows.map((row) => row.map(cell).join(',') + '\r\n').join('');

note('start');
const info = receive().metadata;
const args = Object.fromEntries(info.searchinfo.args.map((arg) => arg.split('=')));
const doing = args.do ?? 'echo';
const READY = { type: 'stateful', generating: true };
const finish = (body, more = {}) => { send({ finished: true, ...more }, body); receive(); };

switch (doing) {
  case 'die early': process.exit(4); break;
  case 'garbage early': raw('Traceback (most recent call last):\n'); wait(60000); break;
  case 'garbage without end': raw('x'.repeat(5000)); wait(60000); break;
  case 'not generating': send({ type: 'streaming' }); receive(); break;
  case 'early error': send({ ...READY, inspector: { messages: [['ERROR', 'a bad argument']] } }); process.exit(1); break;
  case 'required': send({ ...READY, required_fields: ['a', 'b,c'] }); break;
  case 'own maxwait': send({ ...READY, maxwait: 0.3 }); break;
  case 'finished early': send({ ...READY, finished: true }); receive(); break;
  default: send(READY);
}
const execute = receive();
const number = (name, usual) => Number(args[name] ?? usual);
switch (doing) {
  case 'echo':
    finish(csv(['info', 'execute', 'argv', 'cwd', 'env', 'empty'], [JSON.stringify(info), JSON.stringify(execute),
      JSON.stringify(process.argv.slice(2)), process.cwd(), process.env.OF_TESTS ?? '', '']));
    break;
  case 'required': finish(csv(['body'], [execute.body])); break;
  case 'rows': {
    const rows = [];
    const from = number('from', 0);
    for (let n = from; n < from + number('count', 10); n += 1) rows.push([n, 'row ' + n]);
    finish(csv(['n', 'text'], ...rows));
    break;
  }
  case 'slow':
    for (let n = 0; n < number('count', 3); n += 1) {
      wait(number('ms', 10));
      send({ finished: false }, csv(['n'], [n]));
      receive();
    }
    finish('', { inspector: { messages: [['INFO', 'all there']], 'metric.calls': [1, 2, 3, 4] } });
    break;
  case 'for ever': for (let n = 0; ; n += 1) { wait(5); send({ finished: false }, csv(['n'], [n])); receive(); } break;
  case 'deaf': process.on('SIGTERM', () => note('sigterm')); send({ finished: false }, csv(['n'], [1])); wait(600000); break;
  case 'quiet': case 'own maxwait': wait(600000); break;
  case 'die': send({ finished: false }, csv(['n'], [1])); receive(); process.exit(7); break;
  case 'kill': process.kill(process.pid, 'SIGKILL'); wait(5000); break;
  case 'half': raw('chunked 1.0,17,100\n{"finished":true}a,b'); process.exit(0); break;
  case 'garbage': raw('hello\n'); wait(60000); break;
  case 'not json': raw('chunked 1.0,4,0\n{no}'); wait(60000); break;
  case 'bad csv': send({ finished: true }, 'a\n"b'); receive(); break;
  case 'huge': raw('chunked 1.0,2,999999999999\n{}'); wait(60000); break;
  case 'error': finish('', { error: 'no such agent' }); break;
  case 'messages':
    finish(csv(['n'], [1]), { inspector: { messages: [['ERROR', 'it failed: ünïcode'], ['WARN', 'careful'], ['DEBUG', 'd']] } });
    break;
  case 'exit 1 after': send({ finished: true }, csv(['n'], [1])); process.exit(1); break;
  case 'linger': process.on('SIGTERM', () => { note('sigterm'); }); send({ finished: true }, csv(['n'], [1])); wait(600000); break;
  case 'chatter': send({ finished: true }, csv(['n'], [1])); for (;;) send({ finished: true }, csv(['n'], ['x'.repeat(10000)])); break;
  case 'close stdout': closeSync(1); wait(600000); break;
  case 'stderr': writeSync(2, 'first line of stderr\nsecond, ünïcode\n'); finish(csv(['n'], [1])); break;
  case 'multibyte': {
    const body = Buffer.from(csv(['text', 'Ünï'], ['日本語 🙂\nsecond line, "quoted"', 'ß'], ['', '\ufeff']), 'utf8');
    const head = Buffer.from('chunked 1.0, 17 , ' + body.length + '\n{"finished":true}');
    for (const one of Buffer.concat([head, body])) { writeSync(1, Buffer.of(one)); }
    receive();
    break;
  }
  case 'multivalue':
    finish('a,__mv_a,b,__mv_b,__proto__\n"x\ny$",$x$;$y$$$,plain,,p\n"one",$one$,,,\n');
    break;
  case 'columns': send({ finished: false }, csv(['a', 'b'], [1, 2])); receive(); finish(csv(['c', 'a'], [3, 4])); break;
  case 'call': {
    const url = info.searchinfo.splunkd_uri + '/services/authentication/current-context?output_mode=json';
    const headers = { authorization: 'Splunk ' + info.searchinfo.session_key };
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    fetch(url, { headers }).then((r) => r.text().then((text) => {
      finish(csv(['status', 'text', 'key'], [r.status, text, info.searchinfo.session_key]));
    }));
    break;
  }
  default: finish('', { error: 'what is ' + doing + '?' });
}
`;

const STANZA = 'chunked = true\nfilename = fake\n';

const SEARCH_APP: Record<string, string> = {
  'default/commands.conf':
    `[fake]\n${STANZA}\n[impatient]\n${STANZA}maxwait = 1\n\n[small]\n${STANZA}maxchunksize = 1000\n\n` +
    '[byname]\nchunked = true\n\n[bypath]\nchunked = true\nfilename = by.path\ncommand.arg.10 = last\ncommand.arg.2 = $SPLUNK_HOME/x\n\n' +
    '[legacy]\nfilename = fake\n\n[outside]\nchunked = true\nfilename = ../../../../fake\n\n[missing]\nchunked = true\nfilename = nowhere\n\n' +
    '[notexecutable]\nchunked = true\nfilename = plain.txt\n\n[nodejs]\nchunked = true\nfilename = old.js\n\n' +
    `[off]\n${STANZA}disabled = 1\n\n[foradmins]\n${STANZA}\n[badwait]\n${STANZA}maxwait = soon\n\n` +
    '[mute]\nchunked = true\nfilename = mute.sh\n',
  'metadata/default.meta':
    '[]\naccess = read : [ * ], write : [ admin ]\nexport = none\n\n[commands/foradmins]\naccess = read : [ admin ], write : [ admin ]\n',
  'bin/fake': SOURCE,
  'bin/mute.sh': '#!/bin/sh\nexec sleep 600\n',
  'bin/by.path': '$SPLUNK_HOME/etc/apps/searching/bin/fake\n',
  'bin/old.js': '',
};

export interface SearchFixture {
  platform: TestPlatform;
  /** Lines of the commands, `pid event`. */
  events(): string[];
  stop(): Promise<void>;
}

/** A platform with the command in app `searching`, in `sharing`, which exports it as `shared`, and the streaming one. */
export async function startSearching(options: Partial<PlatformOptions> = {}): Promise<SearchFixture> {
  const home = temporaryFolder();
  const apps = join(home, 'etc', 'apps');
  writeFiles(join(apps, 'searching'), SEARCH_APP);
  writeFiles(join(apps, 'searching', 'linux_x86_64'), {
    'bin/byname.sh': `#!/bin/sh\nexec "${process.execPath}" "$SPLUNK_HOME/etc/apps/searching/bin/fake" wrapped "$@"\n`,
  });
  writeFiles(join(apps, 'sharing'), {
    'default/commands.conf':
      '[default]\nchunked = true\nfilename = fake\n\n[shared]\nmaxwait = 0\n\n[kept]\nmaxwait = 0\n',
    'metadata/default.meta': '[]\nexport = none\n\n[commands/shared]\nexport = system\n',
    'bin/fake': SOURCE,
  });
  writeFiles(join(apps, 'streams'), STREAMING_APP);
  writeFiles(join(apps, 'sleeping'), {
    'default/app.conf': '[install]\nstate = disabled\n',
    'default/commands.conf': `[asleep]\n${STANZA}`,
    'metadata/default.meta': '[]\nexport = system\n',
    'bin/fake': SOURCE,
  });
  appendFileSync(join(apps, 'searching', 'bin', 'plain.txt'), '');
  const platform = await startTestPlatform({ commandGraceMs: 500, ...options, home });
  const log = join(home, 'commands.log');
  return {
    platform,
    events: () =>
      existsSync(log)
        ? readFileSync(log, 'utf8')
            .split('\n')
            .filter((line) => line !== '')
        : [],
    stop: async () => {
      await platform.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

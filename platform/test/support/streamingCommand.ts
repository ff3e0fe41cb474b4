/**
 * A streaming command written by hand from the description of the chunked protocol: it adds the field `seen`, the number
 * of the chunk and that of the row in it. The argument `do` says how it behaves. Each start, chunk and end is a line of
 * `streams.log` in the platform's home.
 */
const SOURCE = String.raw`#!${process.execPath}
const { appendFileSync, readSync, writeSync } = require('node:fs');

const note = (...what) => appendFileSync(process.env.SPLUNK_HOME + '/streams.log', [process.pid, ...what].join(' ') + '\n');
const wait = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
const read = (size) => {
  const bytes = Buffer.alloc(size);
  for (let done = 0; done < size; ) {
    const count = readSync(0, bytes, done, size - done);
    if (count === 0) { note('eof'); process.exit(0); }
    done += count;
  }
  return bytes;
};
const receive = () => {
  let header = '';
  for (let byte = read(1); byte[0] !== 10; byte = read(1)) header += byte.toString('latin1');
  const [, metadata, body] = /^chunked 1\.0,(\d+),(\d+)$/.exec(header);
  return { metadata: JSON.parse(read(Number(metadata))), body: read(Number(body)).toString() };
};
const send = (metadata, body = '') => {
  const json = JSON.stringify(metadata);
  const bytes = Buffer.from('chunked 1.0,' + Buffer.byteLength(json) + ',' + Buffer.byteLength(body) + '\n' + json + body);
  for (let done = 0; done < bytes.length; ) done += writeSync(1, bytes, done);
};

note('start');
const { searchinfo } = receive().metadata;
note('getinfo');
const args = Object.fromEntries(searchinfo.args.map((arg) => arg.split('=')));
const doing = args.do ?? 'echo';
if (doing === 'die early') process.exit(3);
const READY = { type: args.type ?? 'stateful', required_fields: ['*'] };
send(args.maxinputs ? { ...READY, maxinputs: Number(args.maxinputs) } : READY);
for (let number = 1; ; number += 1) {
  const { metadata, body } = receive();
  const [header = '', ...lines] = body.split('\n').filter((line) => line !== '');
  const finished = metadata.finished === true;
  note('chunk', lines.length, finished, header);
  if (doing === 'die' && number === 2) process.exit(3);
  if (doing === 'error') send({ finished: true, error: 'these rows are not for me' });
  else if (doing === 'enough') send({ finished: true, inspector: { messages: [['WARN', 'only the first chunk']] } }, body);
  else if (doing === 'slow') wait(100);
  else if (doing === 'quiet') wait(600000);
  const out = lines.map((line, row) => number + '.' + row + ',' + line + '\n').join('');
  const csv = out === '' ? '' : 'seen,' + header + '\n' + out;
  if (doing === 'collect') send({ finished }, finished ? 'chunks\n' + number + '\n' : '');
  else if (doing === 'more' && finished) {
    send({ finished: false }, csv);
    note('more', receive().body.length);
    send({ finished: true }, 'seen\nlast\n');
  } else if (doing !== 'error' && doing !== 'enough') send({ finished }, csv);
  if (finished || doing === 'error' || doing === 'enough') receive();
}
`;

export const STREAMING_APP: Record<string, string> = {
  'default/commands.conf':
    '[stream]\nchunked = true\n\n[impatientstream]\nchunked = true\nfilename = stream\nmaxwait = 1\n',
  'metadata/default.meta': '[]\nexport = system\n',
  'bin/stream': SOURCE,
};

import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  formatConf,
  mergeConf,
  parseBoolean,
  parseConf,
  readConf,
  removeStanza,
  substitute,
  writeStanza,
} from '../../src/confs/conf.ts';

describe('conf files', () => {
  it('reads stanzas in order, comments only at the start of a line, and complete values', () => {
    const conf = parseConf(
      '\uFEFF# note\r\nstray = 1\r\n[b]\r\nkey = value # kept = too \r\n  # indented note\r\n[a:x]\nempty =\nnot a setting\n= no key\n',
    );
    expect(Object.keys(conf)).to.deep.equal(['default', 'b', 'a:x']);
    expect(conf).to.deep.equal({ default: { stray: '1' }, b: { key: 'value # kept = too' }, 'a:x': { empty: '' } });
  });

  it('joins continued lines, whatever they look like', () => {
    const conf = parseConf('[s]\nsearch = a \\\n[not a stanza] \\\n# not a note\nnext = 1\nlast = end\\');
    expect(conf.s).to.deep.equal({ search: 'a \n[not a stanza] \n# not a note', next: '1', last: 'end' });
  });

  it('merges duplicate stanzas; later values win', () => {
    expect(parseConf('[s]\na=1\nb=1\n[t]\n[s]\nb=2')).to.deep.equal({ s: { a: '1', b: '2' }, t: {} });
  });

  it('treats __proto__ as an ordinary name', () => {
    const conf = parseConf('[__proto__]\npolluted = 1\n[s]\n__proto__ = x');
    expect(Object.keys(conf)).to.deep.equal(['__proto__', 's']);
    expect(({} as Record<string, unknown>).polluted).to.equal(undefined);
    expect(Object.keys(mergeConf(conf, { constructor: { a: '1' } }))).to.deep.equal(['__proto__', 's', 'constructor']);
  });

  it('merges local over default key by key', () => {
    expect(mergeConf({ s: { a: '1', b: '1' } }, { s: { b: '2' }, t: { c: '3' } })).to.deep.equal({
      s: { a: '1', b: '2' },
      t: { c: '3' },
    });
  });

  it('reads back what it writes', () => {
    const conf = {
      'x:y [z]': { path: 'C:\\folder\\', many: 'one\\\ntwo\n\n[three]\n# four', uni: 'жö🙂', empty: '' },
      next: { a: 'b = c' },
    };
    expect(parseConf(formatConf(conf))).to.deep.equal(conf);
  });

  it('refuses names that cannot be written', () => {
    for (const key of ['', 'a=b', '#a', '[a', 'a\nb', ' a', 'a\\']) {
      expect(() => formatConf({ s: { [key]: '1' } }), key).to.throw('not a setting name');
    }
    expect(() => formatConf({ 'a\nb': {} })).to.throw('line break');
  });

  it('substitutes only variables that are set', () => {
    expect(substitute('$SPLUNK_HOME/etc/$APP$NO_SUCH $1', { SPLUNK_HOME: '/opt', APP: 'x' })).to.equal(
      '/opt/etc/x$NO_SUCH $1',
    );
  });

  it('reads booleans of conf files', () => {
    for (const word of ['1', 'true', 'T', ' yes ', 'enabled']) expect(parseBoolean(word), word).to.equal(true);
    for (const word of ['0', 'false', 'f', 'No', 'disabled']) expect(parseBoolean(word), word).to.equal(false);
    for (const word of ['', 'maybe', '2', undefined]) expect(parseBoolean(word), word).to.equal(undefined);
  });

  describe('on disk', () => {
    let dir: string;
    beforeEach(() => {
      dir = mkdtempSync(join(tmpdir(), 'conf-'));
    });
    afterEach(() => rmSync(dir, { recursive: true, force: true }));

    it('creates, changes and removes stanzas, leaving no temporary file', () => {
      const file = join(dir, 'local', 'x.conf');
      expect(readConf(file)).to.deep.equal({});
      writeStanza(file, 's', { a: '1', b: '2' });
      writeStanza(file, 't', { c: '3' });
      writeStanza(file, 's', { b: '4' });
      expect(readConf(file)).to.deep.equal({ s: { a: '1', b: '4' }, t: { c: '3' } });
      expect(statSync(file).mode & 0o777).to.equal(0o600);
      expect(removeStanza(file, 's')).to.equal(true);
      expect(removeStanza(file, 's')).to.equal(false);
      expect(readFileSync(file, 'utf8')).to.equal('[t]\nc = 3\n');
      expect(readdirSync(join(dir, 'local'))).to.deep.equal(['x.conf']);
    });

    it('keeps the file as it was when a write is refused', () => {
      const file = join(dir, 'x.conf');
      writeFileSync(file, '[s]\na = 1\n');
      expect(() => writeStanza(file, 's', { 'b\nc': '1' })).to.throw('not a setting name');
      expect(readFileSync(file, 'utf8')).to.equal('[s]\na = 1\n');
      expect(readdirSync(dir)).to.deep.equal(['x.conf']);
    });
  });
});

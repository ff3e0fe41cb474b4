import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { FEATURE_FLAG_NAMES } from '../../src/contract/settings/flags.ts';
import { project } from '../support/e2e/build.ts';

interface Setting {
  stanza: string;
  key: string;
}

const settingName = ({ stanza, key }: Setting) => `[${stanza}] ${key}`;

/** Stanzas and settings of a spec file. */
function specified(file: string): Setting[] {
  let stanza = '';
  return readFileSync(join(project, 'app/README', file), 'utf8')
    .split('\n')
    .flatMap((line) => {
      stanza = /^\[(.+)\]$/.exec(line)?.[1] ?? stanza;
      const key = /^([A-Za-z_][\w<>:]*)\s*=/.exec(line)?.[1];
      return key === undefined ? [] : [{ stanza, key }];
    });
}

/** The app's own code. */
function sources(folder = 'src'): { path: string; text: string }[] {
  return readdirSync(join(project, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return path === 'src/codegen' ? [] : sources(path);
    return [{ path, text: readFileSync(join(project, path), 'utf8') }];
  });
}

/** `read().stanza?.key`, `const { key, … } = (await …read()).stanza`, `read()[`stanza`]?.key`. */
const DIRECT = /read\(\)\)(?:\??\.(\w+)|\??\.?\[`([\w:]+):\$\{\w+\}`\])\??\.(\w+)/g;
const TAKEN_APART = /const \{ ([\w, ]+) \} = \(await [\w.]*settings\.read\(\)\)\.(\w+)/g;
/** A stanza in hand: `conf.key`, `list(conf, 'key')`, `const { key, … } = conf`. */
const IN_HAND = /\b(?:conf|stanza)\.([a-z]\w*)(?![\w(])|\(conf, '(\w+)'\)|const \{ ([\w, ]+) \} = conf;/g;
/** What messages call a setting: `[stanza] key`. */
const NAMED = /\[(outbound|aws|containers|feature_flags|cloud_services:\w+)\]`? `?([a-z]+(?:_[a-z]+)+)(?![\w$])/g;

describe('settings', () => {
  const spec = readdirSync(join(project, 'app/README')).flatMap((file) => specified(file));
  const known = new Set(spec.map(settingName));
  const code = sources();
  const everything = code.map(({ text }) => text).join('\n');

  it('that the spec files describe are read by the code', () => {
    const unread = spec.filter(({ stanza, key }) => {
      if (stanza === 'feature_flags') return !FEATURE_FLAG_NAMES.includes(key as (typeof FEATURE_FLAG_NAMES)[number]);
      // `endpoint_url_<service>` is put together where it is read.
      const text = key.replace(/<\w+>$/, '${');
      return !new RegExp(
        `(?<![A-Za-z_])${text.replace(/[$]/g, '\\$').replace('{', '\\{')}${text.endsWith('{') ? '' : '(?![A-Za-z_])'}`,
      ).test(everything);
    });
    expect(unread.map(settingName)).to.deep.equal([]);
    expect(spec.length).to.be.greaterThan(10);
  });

  it('that the code reads are described by a spec file', () => {
    const read: Setting[] = FEATURE_FLAG_NAMES.map((key) => ({ stanza: 'feature_flags', key }));
    for (const { text } of code) {
      for (const [, stanza, family, key = ''] of text.matchAll(DIRECT)) {
        if (stanza !== undefined) read.push({ stanza, key });
        else
          for (const one of known)
            if (one.startsWith(`[${family}:`) && one.endsWith(`] ${key}`)) read.push(parsed(one));
      }
      for (const [, keys = '', stanza = ''] of text.matchAll(TAKEN_APART)) {
        for (const key of keys.split(',')) read.push({ stanza, key: key.trim() });
      }
      for (const [, stanza = '', key = ''] of text.matchAll(NAMED)) read.push({ stanza, key });
    }
    const missing = read.filter((one) => !known.has(settingName(one))).map(settingName);
    expect([...new Set(missing)]).to.deep.equal([]);
    expect(new Set(read.map(settingName)).size).to.be.greaterThan(FEATURE_FLAG_NAMES.length + 3);
  });

  it('that are read from a stanza in hand are described too', () => {
    const keys = new Set(spec.map(({ key }) => key));
    const read = code.flatMap(({ path, text }) =>
      [...text.matchAll(IN_HAND)].flatMap(([, one, other, several]) =>
        (one ?? other ?? several ?? '').split(',').map((key) => ({ path, key: key.trim() })),
      ),
    );
    expect(read.filter(({ key }) => !keys.has(key))).to.deep.equal([]);
    expect(read).to.not.have.length(0);
  });

  it('stand in the guide, stanza by stanza', () => {
    const guide = readFileSync(join(project, 'docs/guide/administration.md'), 'utf8');
    const stanzas = new Set(specified('ml_extension.conf.spec').map(({ stanza }) => stanza));
    expect([...stanzas].filter((name) => !guide.includes(`\`[${name}]\``))).to.deep.equal([]);
  });

  it('of the spec file are those that the conf file has stanzas for', () => {
    const conf = readFileSync(join(project, 'default/ml_extension.conf'), 'utf8');
    const stanzas = new Set(specified('ml_extension.conf.spec').map(({ stanza }) => stanza));
    const present = [...conf.matchAll(/^\[(.+)\]$/gm)].map(([, name]) => name);
    // Settings can be POSTed only to a stanza that exists. Those of a cloud service are made when it is set up.
    expect(present).to.have.members([...stanzas].filter((name) => !name.startsWith('cloud_services:')));
  });
});

function parsed(text: string): Setting {
  const [, stanza = '', key = ''] = /^\[(.+)\] (.+)$/.exec(text) ?? [];
  return { stanza, key };
}

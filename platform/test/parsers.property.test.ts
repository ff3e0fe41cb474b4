import { expect } from 'chai';
import fc from 'fast-check';
import { formatConf, parseConf } from '../src/confs/conf.ts';
import { PlatformError } from '../src/http/reply.ts';
import { parseSearch } from '../src/search/spl.ts';
import { holds } from './support/property.ts';

const text = fc
  .array(fc.constantFrom('a', ' ', '\\', '\n', '#', '[', ']', '=', '"', "'", '|', '\t', 'ü', '😀'), { maxLength: 12 })
  .map((parts) => parts.join(''));

describe('conf files, for any settings', () => {
  const key = fc.oneof(text, fc.constantFrom('a', '__proto__', 'constructor')).filter((name) => isKey(name));
  const isKey = (name: string) => name.trim() === name && name !== '' && !/^[#[]|[=\r\n]|\\$/.test(name);
  const stanza = fc.oneof(text, fc.constantFrom('default', '__proto__')).filter((name) => !/[\r\n]/.test(name));
  const confs = fc.array(fc.tuple(stanza, fc.array(fc.tuple(key, text), { maxLength: 3 })), { maxLength: 3 });

  it('what is written is read back', () => {
    holds(
      fc.property(confs, (blocks) => {
        const conf = Object.fromEntries(blocks.map(([name, settings]) => [name, Object.fromEntries(settings)]));
        const trimmed = Object.entries(conf).map(([name, settings]) => [
          name,
          Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, value.trim()])),
        ]);
        const read = parseConf(formatConf(conf));
        for (const [name, settings] of trimmed as [string, Record<string, string>][]) {
          expect(Object.entries(read[name] ?? {}), JSON.stringify(formatConf(conf))).to.deep.equal(
            Object.entries(settings),
          );
        }
      }),
      1000,
    );
  });
  it('any text is read, and never reaches a prototype', () => {
    holds(
      fc.property(
        fc.array(fc.oneof(text, fc.constantFrom('[__proto__]\n', 'x = 1\n', '[a\n')), { maxLength: 10 }),
        (parts) => {
          parseConf(parts.join(''));
          expect(({} as { x?: string }).x).to.equal(undefined);
        },
      ),
      1000,
    );
  });
});

describe('searches, for any text', () => {
  it('are cut into commands or refused', () => {
    holds(
      fc.property(
        fc.array(fc.oneof(text, fc.constantFrom('search ', '| ', 'makeresults ', '`m`', '[')), { maxLength: 8 }),
        (parts) => {
          try {
            for (const { name, args, rawArgs } of parseSearch(parts.join(''))) {
              expect(name).to.match(/^[a-z]\w*$/);
              expect(args).to.have.length(rawArgs.length);
            }
          } catch (error) {
            expect(error).to.be.instanceOf(PlatformError);
          }
        },
      ),
      1000,
    );
  });
  it('quoted arguments come out as they went in', () => {
    holds(
      fc.property(fc.array(text, { maxLength: 4 }), (values) => {
        const quoted = values.map((value) => `x="${value.replace(/[\\"]/g, '\\$&')}"`);
        const [part] = parseSearch(`| makeresults ${quoted.join(' ')}`);
        expect(part?.rawArgs).to.have.length(values.length);
      }),
    );
  });
});

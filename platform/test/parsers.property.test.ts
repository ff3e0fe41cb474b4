import { expect } from 'chai';
import fc from 'fast-check';
import { formatConf, parseConf } from '../src/confs/conf.ts';
import { xmlText } from '../src/eai/xml.ts';
import { PlatformError } from '../src/http/reply.ts';
import { expandMacros } from '../src/search/language/macros.ts';
import { stage } from '../src/search/pipeline/builtins.ts';
import { ArgumentError, parseSearch } from '../src/search/pipeline/spl.ts';
import { newRow } from '../src/search/results/rows.ts';
import { readXml, type XmlElement } from '../src/web/pages/xmlReader.ts';
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
  it('any text is parsed without touching a prototype', () => {
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
              expect(name).to.match(/^[a-z_][\w-]*$/);
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
  const fragments = (...words: string[]) =>
    fc.array(fc.oneof(text, fc.constantFrom(...words)), { maxLength: 8 }).map((parts) => parts.join(' '));
  it('have macros expanded or refused', () => {
    const source = {
      find: (name: string) =>
        name === 'm(1)' ? { definition: 'x $a$ `n`', args: 'a' } : name === 'n' ? { definition: '"y"' } : undefined,
      evaluate: () => undefined,
    };
    holds(
      fc.property(fragments('`n`', '`m(', ')`', '`', '```', '"', '\\', ','), (search) => {
        try {
          expandMacros(search, source);
        } catch (error) {
          expect(error).to.be.instanceOf(PlatformError);
        }
      }),
      1000,
    );
  });
  it('have arguments of commands that are understood or refused', () => {
    const names = [
      'search',
      'stats',
      'eval',
      'where',
      'sort',
      'rename',
      'rex',
      'top',
      'chart',
      'timechart',
      'dedup',
      'convert',
      'bin',
      'regex',
      'foreach',
      'fieldsummary',
    ];
    const words = [
      '(',
      ')',
      '=',
      'a',
      'b*',
      'OR',
      'NOT',
      'IN',
      'as',
      'by',
      'count',
      'sum(a)',
      '-',
      ',',
      '"x y"',
      'span=1h',
      '"(?<n>a)"',
      '[eval a=1]',
      'num(a)',
    ];
    const row = Object.assign(newRow(), { _time: '1', _raw: 'a b', a: '1', b: ['2', '3'] });
    holds(
      fc.property(fc.constantFrom(...names), fragments(...words), (name, argument) => {
        try {
          for (const part of parseSearch(`${name} ${argument}`)) {
            const current = stage(part);
            current.push({ columns: ['_time', '_raw', 'a', 'b'], rows: [row] });
            current.finish?.();
          }
        } catch (error) {
          expect(
            [ArgumentError, PlatformError].some((kind) => error instanceof kind),
            String((error as Error).stack),
          ).to.equal(true);
        }
      }),
      2000,
    );
  });
  it('quoted arguments are preserved', () => {
    holds(
      fc.property(fc.array(text, { maxLength: 4 }), (values) => {
        const quoted = values.map((value) => `x="${value.replace(/[\\"]/g, '\\$&')}"`);
        const [part] = parseSearch(`| makeresults ${quoted.join(' ')}`);
        expect(part?.rawArgs).to.have.length(values.length);
      }),
    );
  });
});

describe('files of views, for any text', () => {
  const name = fc.constantFrom('view', 'nav', 'a', 's:x', '__proto__', 'x-y.z');
  const values = fc.dictionary(name, text, { maxKeys: 2 });
  const element: fc.Arbitrary<XmlElement> = fc.letrec<{ node: XmlElement }>((tie) => ({
    node: fc.record({
      name,
      attributes: values,
      text,
      children: fc.oneof({ maxDepth: 3 }, fc.constant<XmlElement[]>([]), fc.array(tie('node'), { maxLength: 2 })),
    }),
  })).node;
  const written = ({ name: tag, attributes, children, text: inside }: XmlElement): string => {
    const pairs = Object.entries(attributes).map(([key, value]) => ` ${key} = "${xmlText(value)}"`);
    const content = xmlText(inside) + children.map(written).join('<!-- > -->');
    return content === '' ? `<${tag}${pairs.join('')}/>` : `<${tag}${pairs.join('')}>${content}</${tag} >`;
  };
  const plain = ({ name: tag, attributes, children, text: inside }: XmlElement): unknown => [
    tag,
    Object.entries(attributes),
    children.map(plain),
    inside,
  ];

  it('what was written is read', () => {
    holds(
      fc.property(element, (root) => {
        expect(plain(readXml(`<?xml version="1.0"?>\n${written(root)}\n`))).to.deep.equal(plain(root));
      }),
    );
  });
  it('anything else is refused with a line number', () => {
    const piece = fc.constantFrom(
      '<view',
      '>',
      '/>',
      '</view>',
      ' a="',
      '"',
      '&amp;',
      '<!--',
      '-->',
      '<![CDATA[',
      ']]>',
      '\n',
    );
    holds(
      fc.property(fc.array(fc.oneof(text, piece), { maxLength: 10 }), (parts) => {
        try {
          expect(readXml(parts.join('')).name).to.match(/^[\w:.-]+$/);
        } catch (error) {
          expect((error as Error).message).to.match(/^line \d+: /);
        }
      }),
      1000,
    );
    expect(() => readXml('<!DOCTYPE x [<!ENTITY a "b">]><x>&a;</x>')).to.throw(/^line 1: a document type/);
    expect(readXml('<x><![CDATA[<b>&amp;]]>&#65;&#x42;&nbsp;&#x110000;</x>').text).to.equal(
      '<b>&amp;AB&nbsp;&#x110000;',
    );
  });
});

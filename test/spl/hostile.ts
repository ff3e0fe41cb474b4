import fc from 'fast-check';
import type { Macro, SearchView } from '../../src/spl/guard.ts';
import { view } from './tricky.ts';

/** A search with the macros that it calls. */
export interface MacroSearch {
  text: string;
  macros: Record<string, Macro>;
}

/** A view of the tricky macros and lookups with further macros. */
export const viewWith = (macros: Record<string, Macro>): SearchView => ({
  macro: (name, args) => (Object.hasOwn(macros, name) ? (macros[name] ?? null) : view.macro(name, args)),
  lookup: view.lookup,
});

/** Blanks, line breaks and comments, of which at least a part separates. */
export const gap = fc
  .array(fc.constantFrom(' ', '\n', '\t', '\r\n', '  ', ' ``` a | b ``` ', '``````', ' ``` "[ ``` '), {
    minLength: 1,
    maxLength: 3,
  })
  .map((parts) => parts.join(''));

/** The same word with other capitals. */
export const otherCase = (word: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(word, fc.array(fc.boolean(), { minLength: 1, maxLength: 12 }))
    .map(([text, upper]) =>
      [...text].map((letter, index) => (upper[index % upper.length] ? letter.toUpperCase() : letter)).join(''),
    );

/** Ways to put a stage into a search that is allowed with any stage that reads. */
const WRAPPINGS: readonly ((stage: string, blank: string) => string)[] = [
  (stage, blank) => `search index=web${blank}|${blank}${stage}`,
  (stage, blank) => `|${blank}${stage}`,
  (stage, blank) => `search index=web${blank}[${blank}search index=app |${stage}${blank}]`,
  (stage, blank) => `search index=web [${blank}|${stage}]`,
  (stage, blank) => `search index=web | head 1${blank}|${stage} | stats count`,
  (stage, blank) => `search index=web | append${blank}[${stage}]`,
  (stage) => `search index=web | appendcols [search index=app|${stage}]`,
  (stage, blank) => `search index=web | appendpipe [${blank}${stage}]`,
  (stage, blank) => `search index=web | join type=left host [search index=app${blank}|${stage}]`,
  (stage, blank) => `search index=web | foreach *${blank}[${stage}]`,
  (stage) => `| union [search index=web|${stage}] [search index=app]`,
  (stage) => `| multisearch [search index=web] [search index=app|${stage}]`,
  (stage) => `| set union [search index=web | fields host] [search index=app|${stage}]`,
  (stage) => `| tstats count where index=web [search index=app|${stage} | fields host] by host`,
  (stage) => `search index=web | eval x=[search index=app|${stage}] | where y="[|"`,
  (stage) => `search index=web x="\\"" y=\\"|${stage}`,
  (stage) => `search index=web x="a\\\\" | ${stage}`,
  (stage) => `search index=web user's | eval b='c d'|${stage}`,
  (stage) => `search index=web x=C:\\\\|${stage}`,
];

const nestIn = (inner: string, outer: number): string =>
  (
    [
      `search index=web | append [${inner}]`,
      `search index=web [${inner}]`,
      `| union [search index=web] [${inner}]`,
      `search index=web | join host [${inner}]`,
    ] as const
  )[outer % 4] ?? inner;

/** Searches that have this stage somewhere: wrapped, nested again, and behind macros. */
export const wrapped = (stage: fc.Arbitrary<string>): fc.Arbitrary<MacroSearch> =>
  fc
    .tuple(stage, gap, fc.nat(WRAPPINGS.length - 1), fc.array(fc.nat(3), { maxLength: 3 }), fc.nat(3), fc.nat(40))
    .map(([inner, blank, wrapping, outer, macroDepth, cut]) => {
      const macros: Record<string, Macro> = {};
      let text = inner;
      for (let depth = 0; depth < macroDepth; depth++) {
        const isPart = depth === 0 && cut < text.length && /^\w+$/.test(text.slice(0, cut + 1));
        macros[`m${depth}`] = { definition: isPart ? text.slice(cut) : text, args: [], isEval: false };
        text = isPart ? `${text.slice(0, cut)}\`m${depth}\`` : `\`m${depth}\``;
      }
      text = WRAPPINGS[wrapping]?.(text, blank) ?? text;
      for (const each of outer) text = nestIn(text, each);
      return { text, macros };
    });

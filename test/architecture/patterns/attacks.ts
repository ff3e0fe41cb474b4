import { type AST, RegExpParser } from '@eslint-community/regexpp';
import { cpuMs } from '../../support/time.ts';
import type { Pattern } from './patterns.ts';

/** From short to long: where each letter doubles the work, the first ones tell, and the last ones would never end. */
const LENGTHS = [12, 24, 48, 1000, 50_000];
/** What costs a step or two a letter takes a hundredth of this. */
const LIMIT_MS = 40;
const CANDIDATES = [...'a0-A_ /:.=,@%+~"\'\\[]{}()*?!#$&;<>|^\n\t\0é'];
const SUFFIXES = ['', '\n', '\0', '!'];

/**
 * The text among some hundred that takes the pattern longest, if it takes it too long: pieces of what the pattern looks for,
 * repeated, behind its beginning, with an end that does not fit. Finds what the analysis cannot say for sure, such as a beginning
 * that is found again at each repetition.
 */
export function attack({ source, flags }: Pattern): string | undefined {
  for (const length of LENGTHS) {
    for (const text of texts(source, flags, length)) {
      if (measured(source, flags, text) < LIMIT_MS) continue;
      // Once more: the first one may have paid for something else, such as compiling.
      const ms = measured(source, flags, text);
      const shown = `${JSON.stringify(text.slice(0, 20))}… of ${text.length} letters`;
      if (ms >= LIMIT_MS) return `${shown} takes ${ms.toFixed(0)} ms`;
    }
  }
  return undefined;
}

/** Of this thread alone: the machine may be busy with something else. */
function measured(source: string, flags: string, text: string): number {
  const regex = new RegExp(source, flags);
  return cpuMs(() => (regex.global ? text.replace(regex, '') : regex.test(text)));
}

function* texts(source: string, flags: string, length: number): Generator<string> {
  const isUnicode = flags.includes('u');
  const pattern = new RegExpParser().parsePattern(source, 0, source.length, {
    unicode: isUnicode,
    unicodeSets: flags.includes('v'),
  });
  const { prefixes, pumps } = pieces(pattern, flags);
  const letters = [...new Set([...source].filter((letter) => !/[\w\\^$]/.test(letter)))];
  for (const pump of new Set([...pumps, ...letters, ' ', '\n', '0', 'a']))
    for (const prefix of new Set(['', ...prefixes]))
      for (const suffix of SUFFIXES) if (pump) yield prefix + pump.repeat(Math.ceil(length / pump.length)) + suffix;
}

/** Words of the pattern's parts, and words that lead up to its repetitions. */
function pieces(pattern: AST.Pattern, flags: string): { prefixes: string[]; pumps: string[] } {
  const [prefixes, pumps] = [new Set<string>(), new Set<string>()];
  function enter(node: AST.Pattern | AST.Element, before: string): void {
    if (node.type === 'Quantifier') {
      prefixes.add(before);
      pumps.add(word(node.element, flags)).add(before + word(node, flags));
      enter(node.element, before);
    } else if ('alternatives' in node) {
      for (const { elements } of node.alternatives) {
        let read = before;
        for (const element of elements) {
          enter(element, read);
          read += word(element, flags);
          pumps.add(word(element, flags)).add(read.slice(before.length));
        }
        pumps.add(read);
      }
    }
  }
  enter(pattern, '');
  return { prefixes: [...prefixes].slice(0, 6), pumps: [...pumps].filter((text) => text.length < 60).slice(0, 60) };
}

/** A short text that a part of a pattern takes. */
function word(node: AST.Element, flags: string): string {
  switch (node.type) {
    case 'Character':
      return String.fromCodePoint(node.value);
    case 'CharacterSet':
    case 'CharacterClass':
    case 'ExpressionCharacterClass': {
      const one = new RegExp(`^${node.raw}$`, flags.replace(/[gy]/g, ''));
      return CANDIDATES.find((letter) => one.test(letter)) ?? '';
    }
    case 'Quantifier':
      return word(node.element, flags).repeat(Math.max(1, Math.min(node.min, 300)));
    case 'Group':
    case 'CapturingGroup':
      return (node.alternatives[0]?.elements ?? []).map((element) => word(element, flags)).join('');
    default:
      return '';
  }
}

import { parseExact } from '../../contract/exactJson.ts';
import { type Range, Ranges } from '../index/ranges.ts';
import { classAt, LETTER } from '../reading/characters.ts';
import { decoded } from '../reading/decoded.ts';

type Region = 'heading' | 'advice' | 'listNumber' | 'quoted';

const HEADING = /^ {0,3}#{1,6}(?:\s|$)/;
const UNDERLINE = /^ {0,3}(?:=+|-{3,})\s*$/;
const FENCE = /^ {0,3}(?:```|~~~)/;
const LIST_NUMBER = /^\s{0,20}(?:>\s?)?\d{1,3}[.)](?:\s|$)/;
const LIST_ITEM = /^\s{0,20}(?:>\s?)?(?:[-*+•]|\d{1,3}[.)])\s/;
const MARKS = /^[\s>#*_+•|-]{0,40}(?:\d{1,3}[.)]\s)?[\s*_]{0,10}/;
const ADVICE = /^(?:(?:we|i|wir)\s)?(?:recommend|next\b|empf[eo]hl|nächste|recommand|prochaine?s?\b)/i;
const SENTENCE_END = /[.!?](?=\s)/g;
const LONGEST_HEADING = 120;
const MOST_ARGUMENTS = 10_000;

/** Parts of an answer in which fewer things are claims. */
export class AnswerContext {
  readonly #regions: Ranges<Region>;

  /** @param inputs arguments of the run's own steps */
  constructor(text: string, inputs: readonly string[]) {
    this.#regions = new Ranges([...regionsOf(text), ...quotesOf(text, inputs)]);
  }

  is(region: Region, index: number): boolean {
    return this.#regions.holding(index).includes(region);
  }
}

interface Line {
  text: string;
  start: number;
}

function linesOf(text: string): Line[] {
  let start = 0;
  return text.split('\n').map((line) => {
    const place = { text: line, start };
    start += line.length + 1;
    return place;
  });
}

function regionsOf(text: string): Range<Region>[] {
  const regions: Range<Region>[] = [];
  const lines = linesOf(text);
  /** Whether items of a list are advice, since a heading or a line above says so. */
  let isAdvice = false;
  let isBelowHeading = false;
  for (const [index, { text: line, start }] of lines.entries()) {
    const end = start + line.length;
    const isHeading = HEADING.test(line) || isUnderlined(line, lines[index + 1]?.text);
    const isItem = LIST_ITEM.test(line);
    const begins = ADVICE.test(line.replace(MARKS, ''));
    if (isHeading) {
      regions.push({ from: start, to: end + 1, value: 'heading' });
      isAdvice = begins || /\b(?:recommend|next steps?\b|empfehl|recommand)/i.test(line);
      isBelowHeading = isAdvice;
      continue;
    }
    const number = LIST_NUMBER.exec(line)?.[0];
    if (number) regions.push({ from: start, to: start + number.length, value: 'listNumber' });
    if (isItem && isAdvice) regions.push({ from: start, to: end + 1, value: 'advice' });
    else if (!isItem && line.trim() !== '' && !line.startsWith(' ')) isAdvice = isBelowHeading;
    if (begins && /:[\s*_]*$/.test(line.slice(-20))) isAdvice = true;
    for (const sentence of sentencesOf(line, start)) regions.push(sentence);
  }
  return regions;
}

const isUnderlined = (line: string, next: string | undefined): boolean =>
  next !== undefined &&
  UNDERLINE.test(next) &&
  line.trim() !== '' &&
  line.length < LONGEST_HEADING &&
  !/[.|]\s*$/.test(line.slice(-9));

/** Sentences that begin with a recommendation. */
function sentencesOf(line: string, start: number): Range<Region>[] {
  const regions: Range<Region>[] = [];
  let from = 0;
  for (const end of [...Array.from(line.matchAll(SENTENCE_END), ({ index }) => index), line.length]) {
    // The number of an item in a list ends no sentence.
    if (/^\s*\d{1,3}$/.test(line.slice(from, end).slice(0, 30))) continue;
    const sentence = line.slice(from, Math.min(end, from + 100));
    if (ADVICE.test(sentence.replace(MARKS, '')))
      regions.push({ from: start + from, to: start + end + 1, value: 'advice' });
    from = end + 1;
  }
  return regions;
}

/** Fences whose text is an argument of a step: the answer shows a search, and claims nothing. */
function quotesOf(text: string, inputs: readonly string[]): Range<Region>[] {
  const regions: Range<Region>[] = [];
  let squeezed: Set<string> | undefined;
  let open: Line | undefined;
  for (const line of linesOf(text)) {
    if (!FENCE.test(line.text)) continue;
    if (!open) {
      open = line;
      continue;
    }
    const from = open.start + open.text.length + 1;
    squeezed ??= new Set(
      inputs.flatMap(argumentsOf).map((argument) => withoutBlanks(decoded(argument, { isMarkdown: true }).text)),
    );
    const content = withoutBlanks(text.slice(from, line.start));
    if (content !== '' && squeezed.has(content)) regions.push({ from, to: line.start, value: 'quoted' });
    open = undefined;
  }
  return regions;
}

const withoutBlanks = (text: string): string => text.replace(/\s/g, '');

/** Texts among the arguments of a step. */
function argumentsOf(input: string): string[] {
  const texts: string[] = [input];
  try {
    const waiting: unknown[] = [parseExact(input)];
    for (let value = waiting.pop(); value !== undefined && texts.length < MOST_ARGUMENTS; value = waiting.pop()) {
      if (typeof value === 'string') texts.push(value);
      else if (typeof value === 'object' && value !== null)
        for (const inner of Object.values(value)) waiting.push(inner);
    }
  } catch {
    // Arguments of some models are no JSON.
  }
  return texts;
}

const JUDGEMENTS =
  /^(?:confiden|severit|priorit|score$|scores$|konfidenz|schweregrad|sicherheit$|gravité|confiance|bewertung$)/i;
const FILLERS: ReadonlySet<string> = new Set([
  'is',
  'of',
  'level',
  'rating',
  'at',
  'about',
  'approximately',
  'ist',
  'von',
  'bei',
  'est',
  'de',
  'was',
  'ca',
  'rund',
  'around',
  'roughly',
  'value',
  'a',
]);
/** Standards, products and places, whose numbers are names. */
const NAMES: ReadonlySet<string> = new Set(
  [
    'rfc',
    'iso',
    'iec',
    'nist',
    'ieee',
    'din',
    'bsi',
    'fips',
    'sp',
    'windows',
    'office',
    'ubuntu',
    'debian',
    'rhel',
    'centos',
    'macos',
  ].concat(
    [
      'ios',
      'android',
      'python',
      'java',
      'step',
      'steps',
      'schritt',
      'étape',
      'top',
      'section',
      'chapter',
      'figure',
      'page',
      'phase',
    ],
    ['abschnitt', 'kapitel', 'seite', 'abbildung', 'layer', 'sha', 'aes', 'utf', 'http', 'tls', 'ipv'],
  ),
);
const BETWEEN = ' :=*_`(|"\t-';
const MOST_BETWEEN = 12;
const MOST_FILLERS = 3;

/** Why a number is none of the claims: the word before it makes it a judgement or a name. */
export function roleOfNumber(text: string, start: number): 'judgement' | 'name' | undefined {
  let before = wordBefore(text, start);
  if (NAMES.has(before.word.toLowerCase())) return 'name';
  for (let fillers = 0; fillers < MOST_FILLERS && FILLERS.has(before.word.toLowerCase()); fillers += 1) {
    before = wordBefore(text, before.start);
  }
  if (!JUDGEMENTS.test(before.word)) return undefined;
  // The score of a vulnerability is a fact.
  return /^score/i.test(before.word) && /^cvss/i.test(wordBefore(text, before.start).word) ? undefined : 'judgement';
}

/** The word before an index, with nothing but marks between. */
function wordBefore(text: string, index: number): { word: string; start: number } {
  let end = index;
  while (end > 0 && index - end < MOST_BETWEEN && BETWEEN.includes(text.charAt(end - 1))) end -= 1;
  let start = end;
  while (start > 0 && end - start < 24 && (classAt(text, start - 1) & LETTER) !== 0) start -= 1;
  return { word: text.slice(start, end), start };
}

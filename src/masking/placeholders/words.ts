import { OWN_LABEL, PLACEHOLDER_LABELS } from '../../contract/families/masking.ts';
import { isCodeForm, LONGEST_CODE } from './codes.ts';

/** A word that may be a placeholder, with marks that a model put around its parts. */
export interface PlaceholderWord {
  start: number;
  end: number;
  /** Behind the label: a hyphen as a rule, or nothing. */
  separator: string;
  /** Letters and digits behind it, in small letters. */
  code: string;
  /** Whether a letter or digit stands directly before it. */
  isGlued: boolean;
}

const LABEL = new RegExp(OWN_LABEL);
const LEAST_CODE = 6;
/** A code with what is glued to it. */
const LONGEST_RUN = LONGEST_CODE + 12;

/** Finds words that begin with one of the labels. */
export class WordFinder {
  private readonly pattern: RegExp;

  /** @param ownLabels labels of administrators' patterns */
  constructor(ownLabels: readonly string[] = []) {
    const labels = [...PLACEHOLDER_LABELS, ...ownLabels.filter((label) => LABEL.test(label))];
    const alternatives = labels.sort((first, second) => second.length - first.length).join('|');
    this.pattern = new RegExp(
      `(?:${alternatives})([*\`\\\\]{0,4}[-\\u2010\\u2011_]?[*\`\\\\]{0,4})([a-z0-9]{${LEAST_CODE},${LONGEST_RUN}})`,
      'gi',
    );
  }

  *words(text: string): Generator<PlaceholderWord> {
    const pattern = new RegExp(this.pattern);
    for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
      const [whole, separator = '', code = ''] = match;
      const end = match.index + whole.length;
      const isGlued = /[a-z0-9]/i.test(text.charAt(match.index - 1));
      yield { start: match.index, end, separator, code: code.toLowerCase(), isGlued };
      // Another label may stand within the letters behind this one.
      pattern.lastIndex = match.index + 1;
    }
  }

  /** Codes of words that have the form of placeholders. */
  codesIn(texts: readonly string[]): Set<string> {
    const codes = texts.flatMap((text) => [...this.words(text)].filter(isPlaceholderForm).map(({ code }) => code));
    return new Set(codes);
  }
}

/** Whether a word has the whole form, without anything glued to it. */
export const isPlaceholderForm = ({ separator, code, isGlued }: PlaceholderWord): boolean =>
  !isGlued && separator !== '' && isCodeForm(code);

/** Whether a place lies within one of the words, which stand from left to right. */
export function isWithin(words: readonly PlaceholderWord[], start: number, end: number): boolean {
  let [low, high] = [0, words.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((words[middle]?.end ?? 0) < end) low = middle + 1;
    else high = middle;
  }
  const word = words[low];
  return word !== undefined && word.start <= start && end <= word.end;
}

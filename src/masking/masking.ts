import { type CpuClock, timeLimit } from './budget.ts';
import { MaskingFailure } from './failure.ts';
import { Placeholders } from './placeholders/placeholders.ts';
import { residueKind } from './placeholders/residue.ts';
import { Restorer } from './placeholders/restorer.ts';
import { isPlaceholderForm, isWithin, WordFinder } from './placeholders/words.ts';
import { LEAST_EVERYWHERE } from './policy/kinds.ts';
import { type MaskingPolicy, type MergedPolicy, mergedPolicy } from './policy/policy.ts';
import { fieldValues } from './recognisers/fields.ts';
import type { PhoneJudge } from './recognisers/phoneNumbers.ts';
import { Finder } from './recognisers/recognise.ts';
import { Lookup } from './spans/lookup.ts';
import type { Span } from './spans/span.ts';
import { winners } from './spans/winners.ts';
import { originOf, type View, viewOf } from './text/view.ts';

export { MaskingFailure } from './failure.ts';
export { type MaskingPolicy, mergedPolicy } from './policy/policy.ts';

/** Tells the model once in the system text; more placeholders come back unchanged with it. */
export const SENTENCE =
  'Words such as ipint-k7m2q9xw4d or user-… stand for real values; use them exactly as written, letter for letter, also in queries and arguments; never guess the value.';

export interface MaskingParts {
  policies: readonly MaskingPolicy[];
  /** Key of the conversation, search or run: two of them cannot be linked. */
  key: Uint8Array;
  clock: CpuClock;
  judgePhone: PhoneJudge;
}

/** A place that was masked; the offsets are UTF-16 code units of the original. */
export interface MaskedPlace {
  start: number;
  end: number;
  kind: string;
}

/** The texts of a request without the values, and the way back. */
export interface MaskedTexts {
  texts: string[];
  places: MaskedPlace[][];
  /** Number of places by kind. */
  counts: Record<string, number>;
  /** Number of places by kinds that the policy refuses: where there are some, nothing may be sent. */
  refused: Record<string, number>;
  /** Values whose code was another's. */
  collisions: number;
  restorer: Restorer;
  /**
   * Looks for masked values in the finished body.
   * @throws MaskingFailure `residue`
   */
  check(body: string, kept?: ReadonlySet<string>): void;
}

interface KnownValue {
  kind: string;
  plain: string;
  field?: string | undefined;
}

/**
 * Replaces values in all texts of a request: what is a value in one text is masked in each, in every spelling.
 * @param rows fields of the rows that the texts were made of
 * @param contexts texts that are read only, since their values stand alone in others
 * @throws MaskingFailure where it takes too long or goes wrong
 */
export function maskTexts(
  texts: readonly string[],
  parts: MaskingParts,
  rows: readonly Readonly<Record<string, unknown>>[] = [],
  contexts: readonly string[] = [],
): MaskedTexts {
  try {
    return new Masking(texts, parts, rows, contexts).result();
  } catch (error) {
    throw error instanceof MaskingFailure ? error : new MaskingFailure('error');
  }
}

class Masking {
  private readonly texts: readonly string[];
  private readonly rows: readonly Readonly<Record<string, unknown>>[];
  private readonly contexts: readonly string[];
  private readonly policy: MergedPolicy;
  private readonly words: WordFinder;
  private readonly finder: Finder;
  private readonly placeholders: Placeholders;
  private readonly tick: () => void;
  private readonly known = new Lookup<KnownValue>();
  private readonly counts: Record<string, number> = {};
  private readonly refused: Record<string, number> = {};

  constructor(
    texts: readonly string[],
    parts: MaskingParts,
    rows: readonly Readonly<Record<string, unknown>>[],
    contexts: readonly string[],
  ) {
    this.texts = texts;
    this.rows = rows;
    this.contexts = contexts;
    this.policy = mergedPolicy(parts.policies);
    this.words = new WordFinder(this.policy.patterns.map(({ label }) => label));
    this.finder = new Finder(this.policy, parts.judgePhone);
    this.placeholders = new Placeholders(parts.key);
    const size = [...texts, ...contexts].reduce((sum, text) => sum + text.length, 0);
    this.tick = timeLimit(parts.clock, size, this.policy.patterns.length);
  }

  result(): MaskedTexts {
    const { placeholders, words, counts, refused } = this;
    const rowFields = new Set(this.rows.flatMap((row) => Object.keys(row)));
    for (const value of this.rows.flatMap((row) => fieldValues(row, this.policy.fields))) {
      if (!this.policy.isExempt(value)) this.know(value.plain, value);
    }
    const read = this.texts.map((text) => this.read(text, rowFields));
    for (const text of this.contexts) this.read(text, rowFields);
    const masked = read.map(({ text, view, spans }) => this.mask(text, view, spans));
    return {
      texts: masked.map(({ text }) => text),
      places: masked.map(({ places }) => places),
      counts,
      refused,
      collisions: placeholders.collisions,
      restorer: new Restorer(placeholders, words, words.codesIn(this.texts)),
      check: (body, kept) => {
        if (checked(() => residueKind(body, placeholders, words, kept)) !== undefined) {
          throw new MaskingFailure('residue');
        }
      },
    };
  }

  /** Finds the values of a text, and keeps them for all texts. */
  private read(text: string, rowFields: ReadonlySet<string>): { text: string; view: View; spans: Span[] } {
    const view = viewOf(text);
    this.tick();
    const spans = this.withoutOwnWords(text, this.finder.spans(text, view, rowFields, this.tick));
    for (const span of winners(spans, text)) {
      if (span.isPart) continue;
      const { kind, plain, field } = span;
      this.know(plain, { kind, plain, field });
      this.know(viewOf(text.slice(span.start, span.end)).text, { kind, plain, field });
    }
    this.tick();
    return { text, view, spans };
  }

  private know(text: string, value: KnownValue): void {
    if (text.length >= LEAST_EVERYWHERE) this.known.add(text, value);
  }

  /** Placeholders of earlier turns are no values. */
  private withoutOwnWords(text: string, spans: Span[]): Span[] {
    const own = [...this.words.words(text)].filter(isPlaceholderForm);
    if (own.length === 0) return spans;
    return spans.filter(({ start, end }) => !isWithin(own, start, end));
  }

  private mask(text: string, view: View, spans: readonly Span[]): { text: string; places: MaskedPlace[] } {
    const everywhere: Span[] = [];
    for (const hit of this.known.hits(view.text)) {
      const { start, end } = originOf(view, hit.start, hit.end);
      const { kind, plain, field } = hit.value;
      everywhere.push({ start, end, kind, plain, field });
    }
    this.tick();
    const parts: string[] = [];
    const places: MaskedPlace[] = [];
    let copied = 0;
    for (const { start, end, kind, plain, field } of winners([...spans, ...everywhere], text)) {
      const { text: word } = this.placeholders.take(kind, plain, text.slice(start, end));
      parts.push(text.slice(copied, start), word);
      places.push({ start, end, kind });
      copied = end;
      this.count(kind, field);
    }
    parts.push(text.slice(copied));
    this.tick();
    return { text: parts.join(''), places };
  }

  private count(kind: string, field: string | undefined): void {
    this.counts[kind] = (this.counts[kind] ?? 0) + 1;
    const isRefused =
      this.policy.mode(kind) === 'refuse' || (field !== undefined && this.policy.mode('field') === 'refuse');
    if (isRefused) this.refused[kind] = (this.refused[kind] ?? 0) + 1;
  }
}

function checked<T>(run: () => T): T {
  try {
    return run();
  } catch {
    throw new MaskingFailure('error');
  }
}

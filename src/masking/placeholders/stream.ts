import type { RestoreOptions, Restorer } from './restorer.ts';
import { LONGEST_WORD } from './words.ts';

/** Characters that a placeholder may have, with the marks around its parts. */
const UNFINISHED = /[\w*`\\\u2010\u2011-]/;
/** Longer runs are no placeholder. */
const LONGEST_HELD = LONGEST_WORD + 8;

/** Puts values back in a text that comes in chunks: the end that may be a part of a placeholder waits for the next chunk. */
export class RestoredStream {
  private held = '';
  private readonly restorer: Restorer;
  private readonly options: RestoreOptions;

  constructor(restorer: Restorer, options: RestoreOptions = {}) {
    this.restorer = restorer;
    this.options = options;
  }

  push(chunk: string): string {
    const text = this.held + chunk;
    const cut = this.cutOf(text);
    this.held = text.slice(cut);
    return this.restorer.text(text.slice(0, cut), { ...this.options, isCut: false });
  }

  /** @param isCut whether the answer was cut at its end */
  end(isCut = false): string {
    const text = this.held;
    this.held = '';
    return this.restorer.text(text, { ...this.options, isCut });
  }

  private cutOf(text: string): number {
    let cut = text.length;
    while (cut > 0 && text.length - cut < LONGEST_HELD && UNFINISHED.test(text.charAt(cut - 1))) cut -= 1;
    const from = Math.max(0, cut - LONGEST_HELD);
    for (const { start, end } of this.restorer.places(text.slice(from))) {
      if (from + start < cut && from + end > cut) return from + start;
    }
    return cut;
  }
}

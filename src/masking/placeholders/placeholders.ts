import { createSecretKey, type KeyObject } from 'node:crypto';
import { canonicalOf, labelOf } from '../policy/canonical.ts';
import { groupOf } from '../policy/kinds.ts';
import { CODE_LENGTH, codeOf, LONGEST_CODE } from './codes.ts';

export interface Placeholder {
  /** The word that stands in the text, such as `user-k7m2q9xw4d`. */
  text: string;
  code: string;
  kind: string;
  /** The value without escapes. */
  plain: string;
  /** The first spelling of the request. */
  spelling: string;
}

/** The placeholders of one request. They live in memory alone: the key and the value give the same code again. */
export class Placeholders {
  private readonly byValue = new Map<string, Placeholder>();
  /** The same by the value as it was found, which saves the comparison of spellings. */
  private readonly byPlain = new Map<string, Placeholder>();
  private readonly byCode = new Map<string, Placeholder>();
  private readonly spellings = new Map<Placeholder, Set<string>>();
  private readonly key: KeyObject;
  /** Codes that were another value's already. */
  collisions = 0;

  constructor(key: Uint8Array) {
    // An object, since bytes are made one again for each code.
    this.key = createSecretKey(key);
  }

  /** @param spelling the value as the text has it */
  take(kind: string, plain: string, spelling: string): Placeholder {
    const key = `${kind}\0${plain}`;
    let placeholder = this.byPlain.get(key);
    if (!placeholder) {
      placeholder = this.placeholderOf(kind, plain, spelling);
      this.byPlain.set(key, placeholder);
      const spellings = this.spellings.get(placeholder) ?? new Set();
      this.spellings.set(placeholder, spellings.add(plain));
    }
    if (spelling !== plain) this.spellings.get(placeholder)?.add(spelling);
    return placeholder;
  }

  private placeholderOf(kind: string, plain: string, spelling: string): Placeholder {
    const canonical = canonicalOf(kind, plain);
    const group = groupOf(kind);
    const value = `${group}\0${canonical}`;
    let placeholder = this.byValue.get(value);
    if (!placeholder) {
      const code = this.freeCode(group, canonical);
      placeholder = { text: `${labelOf(kind, canonical)}-${code}`, code, kind, plain, spelling };
      this.byValue.set(value, placeholder);
      this.byCode.set(code, placeholder);
    }
    return placeholder;
  }

  /** @param code in small letters */
  get(code: string): Placeholder | undefined {
    return this.byCode.get(code);
  }

  get codes(): readonly string[] {
    return [...this.byCode.keys()];
  }

  /** Each placeholder with the spellings of its value that were replaced. */
  get entries(): Iterable<[Placeholder, ReadonlySet<string>]> {
    return this.spellings;
  }

  spellingsOf(placeholder: Placeholder): ReadonlySet<string> {
    return this.spellings.get(placeholder) ?? new Set();
  }

  private freeCode(group: string, canonical: string): string {
    for (let length = CODE_LENGTH; length <= LONGEST_CODE; length += 1) {
      const code = codeOf(this.key, group, canonical, length);
      if (!this.byCode.has(code)) return code;
      this.collisions += 1;
    }
    throw new RangeError('Two values have the same codes');
  }
}

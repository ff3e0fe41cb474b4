import { stringifyExact } from '../contract/exactJson.ts';
import { type BodyText, CHECK, type Outgoing } from './checkedBody.ts';
import { type MaskedTexts, MaskingFailure, type MaskingParts, maskTexts, SENTENCE } from './masking.ts';

export { checkBody, type Outgoing, unmasked } from './checkedBody.ts';

/**
 * Visits each text of a content that may hold values, in a fixed order; returns the content with the replaced texts. Texts that stay
 * (names, signed content, images) are shown to `keep`, so that the check of the finished body passes them. Values whose strings are
 * visited one by one are shown to `read` as a whole, since a name before a string may tell what it is.
 */
export type Walk<T> = (
  content: T,
  replace: (text: string) => string,
  keep: (text: string) => void,
  read: (value: unknown) => void,
) => T;

/** A content without its values, and the way back. */
export interface MaskedContent<T extends object> extends Omit<MaskedTexts, 'texts' | 'places' | 'check'> {
  content: Outgoing<T>;
}

/**
 * Masks all texts of a content together.
 * @param rows fields of the rows that the texts were made of
 * @throws MaskingFailure
 */
export function maskContent<T extends object>(
  content: T,
  walk: Walk<T>,
  parts: MaskingParts,
  rows?: readonly Readonly<Record<string, unknown>>[],
): MaskedContent<T> {
  return closed(() => maskedContent(content, walk, parts, rows));
}

function maskedContent<T extends object>(
  content: T,
  walk: Walk<T>,
  parts: MaskingParts,
  rows?: readonly Readonly<Record<string, unknown>>[],
): MaskedContent<T> {
  const originals: string[] = [];
  const kept = new Set<string>();
  const collect = (text: string) => {
    originals.push(text);
    return text;
  };
  const contexts: string[] = [];
  walk(
    content,
    collect,
    (text) => kept.add(text),
    (value) => contexts.push(stringifyExact(value)),
  );
  const { texts, places: _, check, ...masked } = maskTexts(originals, parts, rows, contexts);
  const maskedTexts = texts.values();
  const checkText = (body: BodyText) =>
    // The sentence has words that may be values, such as a user called user.
    check((typeof body === 'string' ? body : body()).replaceAll(SENTENCE, ''), kept);
  const replaced = walk(
    content,
    () => maskedTexts.next().value ?? '',
    () => {},
    () => {},
  );
  return { ...masked, content: { ...replaced, [CHECK]: checkText } };
}

/** A content may be nested too deep to be walked. */
function closed<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof MaskingFailure ? error : new MaskingFailure('error');
  }
}

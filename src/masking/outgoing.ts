import { type MaskedTexts, type MaskingParts, maskTexts } from './masking.ts';

const CHECK = Symbol('check of the finished body');

/** Content that may leave for a provider. Only the functions of this file make one; copies by spreading stay one. */
export type Outgoing<T extends object> = T & { readonly [CHECK]: (body: string) => void };

/** Visits each text of a content that may hold values, in a fixed order; returns the content with the replaced texts. */
export type Walk<T> = (content: T, replace: (text: string) => string) => T;

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
  const originals: string[] = [];
  walk(content, (text) => {
    originals.push(text);
    return text;
  });
  const { texts, places: _, check, ...masked } = maskTexts(originals, parts, rows);
  const rest = texts.values();
  return { ...masked, content: { ...walk(content, () => rest.next().value ?? ''), [CHECK]: check } };
}

/** Content to which no policy applies, and the app's own texts. */
export const unmasked = <T extends object>(content: T): Outgoing<T> => ({ ...content, [CHECK]: () => {} });

/**
 * Looks for masked values in the body that an outgoing content has become. Called by whatever sends it.
 * @throws MaskingFailure `residue`
 */
export const checkBody = (content: Outgoing<object>, body: string): void => content[CHECK](body);

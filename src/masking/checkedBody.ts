/** Only `outgoing.ts` makes contents with it. */
export const CHECK = Symbol('check of the finished body');

/** Content that may leave for a provider. Only `maskContent` and `unmasked` make one; copies by spreading stay one. */
export type Outgoing<T extends object> = T & { readonly [CHECK]: (body: BodyText) => void };

/** The text of a body, or what makes it where it is asked for. */
export type BodyText = string | (() => string);

/** Content to which no policy applies, and the app's own texts. */
export const unmasked = <T extends object>(content: T): Outgoing<T> => ({ ...content, [CHECK]: () => {} });

/**
 * Looks for masked values in the body that an outgoing content has become. Called by whatever sends it.
 * @throws MaskingFailure `residue`
 */
export const checkBody = (content: Outgoing<object>, body: BodyText): void => content[CHECK](body);

/** All that is not displayed but spaces and the ends of lines. */
const HIDDEN = /(?![\t\n\r])[\p{Default_Ignorable_Code_Point}\p{Control}]/gu;

/** Characters that reverse text or hide in it, except those that emoji and scripts need. */
const MISLEADING =
  /(?![\t\n\r])[\p{Bidi_Control}\p{Control}\u180e\u200b\u2060-\u2064\u206a-\u206f\ufeff\u{e0000}-\u{e007f}]/gu;

const numberOf = (character: string): string =>
  `[U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}]`;

/** Shows characters that are not displayed, such as zero-width and control characters, by their number. */
export const withVisibleCharacters = (text: string): string => text.replace(HIDDEN, numberOf);

/** The same for text of people: only for characters that mislead. */
export const escapeMisleading = (text: string): string => text.replace(MISLEADING, numberOf);

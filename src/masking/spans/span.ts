/** A value in a text; the offsets are UTF-16 code units. */
export interface Span {
  start: number;
  end: number;
  kind: string;
  /** The value without escapes. */
  plain: string;
  /** The named field that holds it. */
  field?: string | undefined;
}

/** Takes what rules find in a text. */
export interface Sink {
  /** @param plain the value where it differs from the text between the offsets */
  take(kind: string, start: number, end: number, plain?: string): void;
}

/** Finds values of some kinds in a text. */
export type Recogniser = (text: string, sink: Sink) => void;

/** The characters directly before an index. */
export const before = (text: string, index: number, length = 24): string =>
  text.slice(Math.max(0, index - length), index);

import type { Json } from '../../contract/basics.ts';

/** A part of a document's text that is searched by itself. */
export interface EmbeddedPassage {
  /** Offsets in the document's text, in UTF-16 code units; neighbours may overlap. */
  start: number;
  end: number;
  /** Text that is searched with the passage, but is no part of it; absent = none. */
  context?: string;
  vector: Float32Array;
}

/** A document, cut into passages with their vectors, in the order of the text. All vectors of a store have one length. */
export interface EmbeddedDocument {
  id: string;
  text: string;
  /** Texts, numbers, booleans and lists of them. */
  metadata: Json;
  passages: readonly EmbeddedPassage[];
}

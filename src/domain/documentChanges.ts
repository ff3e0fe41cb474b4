import type { Doc, Query } from '../ports/recordStore.ts';
import { timePart } from './timeOrderedId.ts';

/** The index by which rows are brought up to date. */
export const CHANGED_INDEX = ['last_updated_at', 'version', 'form'];

/** How it is seen which documents of a collection have changed. */
export interface Changes {
  /** Fields of which one is another after every change. */
  marks: readonly string[];
  /**
   * What was made or changed at or after a moment: queries of which each has an index.
   * @param ms since the epoch, by the clocks of those who write
   */
  since(ms: number): readonly Query[];
  /**
   * Whether a document may still change without being among those: told by its marks. Such ones are looked at each time.
   * @param nowMs since the epoch
   */
  isOpen?(marks: Readonly<Record<string, unknown>>, nowMs: number): boolean;
  /** The field, equal to the key, in whose order they are cleared, the lowest first; absent where they are removed one by one. */
  clearedBy?: string;
}

/** Records: whoever changes one counts its version and says when. */
export const VERSIONED: Changes = {
  marks: ['last_updated_at', 'version'],
  since: (ms) => [{ last_updated_at: { $gte: ms / 1000 } }],
};

/** Connections, by all that is written of them. An older app does not note what it finds out: that is seen within a minute. */
export const WRITTEN: Changes = {
  marks: ['list_changed_at', 'last_updated_at', 'version'],
  since: (ms) => [{ list_changed_at: { $gte: ms / 1000 } }, ...VERSIONED.since(ms)],
};
/** The index for it. */
export const WRITTEN_INDEX = [...WRITTEN.marks, 'form'];

/** Entries whose ids sort by time: they come at one end, and are cleared at the other. @param idField equals the key */
export const entriesBy = (idField: string): Changes => ({
  marks: [idField],
  since: (ms) => [{ [idField]: { $gte: timePart(ms) } }],
  clearedBy: idField,
});

/** A document as it was when it was seen last. */
export interface Marked {
  /** The values of its marks. */
  marks: readonly unknown[];
  isOpen: boolean;
}

/** @param nowMs since the epoch */
export function markedOf({ marks, isOpen }: Changes, doc: Doc, nowMs: number): Marked {
  const values = valuesOf(doc);
  return { marks: marks.map((mark) => values[mark]), isOpen: isOpen?.(values, nowMs) ?? false };
}

/** Whether a document is as it was. */
export const isSame = ({ marks }: Changes, now: Doc, before: Marked | undefined): boolean =>
  before !== undefined && marks.every((mark, index) => valuesOf(now)[mark] === before.marks[index]);

const valuesOf = (doc: Doc) => doc as unknown as Readonly<Record<string, unknown>>;

import { commandKind } from '../language/commandTable.ts';
import type { SearchPart } from '../pipeline/spl.ts';

/** A search divided as splunkd divides it: events first, then the report that is made of them. */
export interface Phases {
  /** The commands up to the first that needs all rows. */
  events: string;
  /** The commands from there on; empty if the results are events. */
  report: string;
  /** Whether no command needs all rows. */
  streams: boolean;
  /** Whether the results are events of indexes. */
  isEvents: boolean;
  /** Whether there were events before the report was made of them. */
  hidesEvents: boolean;
}

export function phases({ parts }: { parts: readonly SearchPart[] }): Phases {
  const text = (list: readonly SearchPart[]) => list.map((part) => `${part.name} ${part.text}`.trim()).join(' | ');
  const isSearch = parts[0]?.name === 'search';
  const first = parts.findIndex(({ name }) => commandKind(name) === 'report');
  const cut = isSearch ? (first < 0 ? parts.length : first) : 0;
  const streams = first < 0;
  const isEvents = isSearch && streams;
  const hidesEvents = isSearch && !streams;
  return { events: text(parts.slice(0, cut)), report: text(parts.slice(cut)), streams, isEvents, hidesEvents };
}

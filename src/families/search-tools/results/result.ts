import { counted } from '../../../contract/basics.ts';
import type { PlatformMessage, PlatformRows } from '../../../ports/platform/platformSearches.ts';
import { type Cell, tableOf } from './cells.ts';
import { csvOf } from './csvText.ts';
import { type FittedTable, fitTable } from './fit.ts';

/** The answer of a search tool. */
export interface SearchResult {
  sid?: string;
  fields: string[];
  rows: Cell[][];
  /** Rows of this answer. */
  count: number;
  /** All rows of the search, or `at_least` so many where it was stopped. */
  total?: number;
  at_least?: number;
  /** Rows were left out, or cells cut. */
  truncated?: true;
  earliest?: string;
  latest?: string;
  messages: PlatformMessage[];
}

/** Limits of one answer. */
export const MAX_RESULT = 64 * 1024;
/** In a run of an agent, as of every tool. */
export const MAX_RESULT_OF_RUN = 32 * 1024;
/** Bytes of all messages, and characters of one. */
const MAX_MESSAGES = 8 * 1024;
const MAX_MESSAGE = 1000;

export interface ShapedResult {
  result: SearchResult;
  /** CSV, with what was cut. */
  text: string;
}

/**
 * Rows of the platform as a tool answers them.
 * @param most bytes of the JSON of the result, and of the text
 * @param notes what a reader has to know of the rows
 */
export function shapeResult(platform: PlatformRows, most: number, notes: readonly string[] = []): ShapedResult {
  const ofTool = notes.map((text): PlatformMessage => ({ type: 'INFO', text }));
  const messages = firstMessages([...ofTool, ...platform.messages]);
  const shaped = (table: FittedTable): ShapedResult => {
    const { fields, rows, cutCells, leftOutFields } = table;
    const { sid, total, isPartial, earliest, latest } = platform;
    const isCut = cutCells > 0 || rows.length < total || leftOutFields > 0;
    const result: SearchResult = {
      ...(sid === undefined ? {} : { sid }),
      ...{ fields, rows, count: rows.length },
      ...(isPartial ? { at_least: total } : { total }),
      ...(isCut ? { truncated: true as const } : {}),
      ...(earliest === undefined ? {} : { earliest }),
      ...(latest === undefined ? {} : { latest }),
      messages,
    };
    const about = [
      ...notes,
      ...notesOf(table, platform),
      ...messages.filter(isTold).map(({ type, text }) => `${type}: ${text}`),
    ];
    return {
      result,
      text: [rows.length === 0 ? noRows(platform) : csvOf(table), ...about.map((note) => `\n${note}`)].join(''),
    };
  };
  const table = fitTable(tableOf(platform.fields, platform.rows), (fitted) => {
    const { result, text } = shaped(fitted);
    return Buffer.byteLength(JSON.stringify(result)) <= most && Buffer.byteLength(text) <= most;
  });
  return shaped(table);
}

/** Says where nothing was found, since a model that reads of no rows alone may make some up. */
const noRows = ({ earliest, latest }: PlatformRows): string =>
  earliest === undefined || latest === undefined ? 'No rows.\n' : `No rows from ${earliest} to ${latest}.\n`;

/** Messages for people alone would only cost tokens. */
const isTold = ({ type }: PlatformMessage): boolean => type !== 'INFO' && type !== 'DEBUG';

/** Notes on the parts that were cut, and how to go on. */
function notesOf({ rows, cutCells, leftOutFields }: FittedTable, { total, isPartial }: PlatformRows): string[] {
  const whole = isPartial ? `at least ${total}` : String(total);
  return [
    ...(rows.length < total
      ? [`${rows.length} of ${whole} rows. Narrow the search, summarize with stats, or ask for fewer fields.`]
      : []),
    ...(leftOutFields > 0 ? [`${counted(leftOutFields, 'field')} left out. Select the fields that you need.`] : []),
    ...(cutCells > 0
      ? [`${counted(cutCells, 'cell')} cut at 1,000 characters. Select fewer fields or rows to see more of them.`]
      : []),
  ];
}

function firstMessages(messages: readonly PlatformMessage[]): PlatformMessage[] {
  const first: PlatformMessage[] = [];
  let room = MAX_MESSAGES;
  for (const { type, text } of messages) {
    const message = { type, text: shortened(text) };
    room -= Buffer.byteLength(JSON.stringify(message));
    if (room < 0) break;
    first.push(message);
  }
  return first;
}

const shortened = (text: string): string =>
  text.length > MAX_MESSAGE ? `${text.slice(0, MAX_MESSAGE - 1).toWellFormed()}…` : text;

import { parseTemplate, templateText } from '../../../domain/values/template.ts';
import { boolean, fieldList, NOT_EMPTY, required, text } from '../../argumentTypes.ts';
import { command, SearchError } from '../../command.ts';
import type { Row } from '../../rows.ts';
import { assertDistinct, rowOptions } from '../gatewayOptions.ts';
import { answerRows, errorFields, type RowQuestion, type RowResult, type RowUse } from '../rowAnswers.ts';
import type { Failure, Json } from '../task.ts';
import { documentQueue } from './documentQueue.ts';

const MAX_ROWS = 10_000;
const OUTPUT = 'index';
const MAX_ID = 256;
const MAX_TEXT = 1_000_000;
const MAX_METADATA_BYTES = 16 * 1024;
const MAX_NAME = 100;

/** `| mlindex`: writes each row as a document into a vector store. */
export const mlIndex = command({
  name: 'mlindex',
  kind: 'streaming',
  isRisky: true,
  arguments: {
    store: required(text('vector store that you may change', NOT_EMPTY)),
    id: required(text('id of the document, whose text is replaced; {field} stands for a value of the row', NOT_EMPTY)),
    text: text('text of the document, not with delete=true; {field} stands for a value of the row', NOT_EMPTY),
    metadata: fieldList('fields to keep with the document, to filter by'),
    delete: boolean('delete the documents with these ids; default false'),
    ...rowOptions(MAX_ROWS),
  },
  fields: errorFields(OUTPUT),
  help: {
    summary: 'Writes each row as a document into a vector store.',
    description: [
      'A document replaces what the store has under its id; of rows with the same id the last one stays.',
      'Metadata are texts, also where they read as numbers; a multivalue field is a list of texts.',
      'A failed row has the reason in index_error and index_error_message.',
      'The search fails if all rows fail, or a usage limit refuses.',
    ].join(' '),
    examples: [
      {
        search: '| inputlookup runbooks.csv | mlindex store="Manuals" id="{name}" text="{text}" metadata=team,product',
        comment: 'Fill a store from a lookup.',
      },
      {
        search: '| inputlookup old_runbooks.csv | mlindex store="Manuals" id="{name}" delete=true',
        comment: 'Delete documents.',
      },
    ],
    tags: 'ai rag index vector store knowledge base documents',
  },
  prepare({ store, id, text: source, metadata = [], delete: isDelete = false, parallel, timeout, ...options }) {
    if (isDelete && (source !== undefined || metadata.length > 0))
      throw new SearchError('delete=true takes neither text nor metadata');
    if (!isDelete && source === undefined) throw new SearchError('text is missing: give it, or delete=true');
    const long = metadata.find((field) => field.length > MAX_NAME);
    if (long !== undefined) throw new SearchError(`metadata has a name of more than ${MAX_NAME} characters`);
    assertDistinct('metadata', metadata, errorFields(OUTPUT));
    const failsFast = options.on_error === 'fail';
    const use: RowUse = {
      command: 'mlindex',
      output: OUTPUT,
      fields: [],
      templates: [id, ...(source === undefined ? [] : [source])].map(parseTemplate),
      maxRows: options.max_rows ?? MAX_ROWS,
      failsFast,
      async open(info, { gateway, clock }) {
        const api = await gateway(info);
        const queue = documentQueue(api, clock, { store, isDelete, parallel, timeoutS: timeout, failsFast });
        return async (questions, signal) => {
          const results: RowResult[] = [];
          for (const round of roundsOf(questions)) {
            const items = round.map((index) => documentOf(questions[index] as RowQuestion, metadata));
            const sent = items.filter((item) => 'document' in item);
            const outcomes = (await queue.ask(sent, signal)).values();
            for (const [place, item] of items.entries()) {
              const outcome = 'document' in item ? outcomes.next().value : item;
              const index = round[place] as number;
              results[index] = outcome && 'error_code' in outcome ? outcome : { cells: {} };
            }
          }
          return results;
        };
      },
    };
    return { start: answerRows(use) };
  },
});

/**
 * Indexes of questions in rounds, one after the other: a row is written after those before it with the same id, and
 * the last one stays.
 */
function roundsOf(questions: readonly RowQuestion[]): number[][] {
  const rounds: number[][] = [];
  const counts = new Map<string, number>();
  for (const [index, { texts }] of questions.entries()) {
    const id = texts[0] as string;
    const round = counts.get(id) ?? 0;
    counts.set(id, round + 1);
    rounds[round] ??= [];
    rounds[round].push(index);
  }
  return rounds;
}

/** The document of a row, or why it cannot be one. */
function documentOf({ texts, row = {} }: RowQuestion, fields: readonly string[]): { document: Json } | Failure {
  const [id = '', source] = texts;
  if (id.length > MAX_ID) return unusable(`The id has ${id.length} characters; at most ${MAX_ID} are taken`);
  if (source === undefined) return { document: { id } };
  if (source.length > MAX_TEXT)
    return unusable(`The text has ${source.length} characters; at most ${MAX_TEXT} are taken`);
  const metadata = metadataOf(row, fields);
  const bytes = Buffer.byteLength(JSON.stringify(metadata));
  if (bytes > MAX_METADATA_BYTES)
    return unusable(`The metadata have ${bytes} bytes; at most ${MAX_METADATA_BYTES} are taken`);
  return { document: { id, text: source, ...(fields.length > 0 ? { metadata } : {}) } };
}

const unusable = (message: string): Failure => ({ error_code: 'validation_failed', message });

/** Without the fields that the row lacks. */
const metadataOf = (row: Row, fields: readonly string[]): Json =>
  Object.fromEntries(
    fields.flatMap((field): [string, unknown][] => {
      const cell = row[field];
      if (cell === undefined || templateText(cell) === '') return [];
      return [[field, typeof cell === 'object' ? [...cell] : String(cell)]];
    }),
  );

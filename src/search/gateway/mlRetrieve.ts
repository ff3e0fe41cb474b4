import { parseTemplate } from '../../domain/values/template.ts';
import { boolean, NOT_EMPTY, required, text, wholeNumber } from '../argumentTypes.ts';
import { command } from '../command.ts';
import { dedup, outputField, rowOptions } from './gatewayOptions.ts';
import { type GatewayUse, gatewayAnswers } from './gatewayRun.ts';
import { answerRows, type Cells, cellOf, errorFields } from './rowAnswers.ts';
import type { Json } from './task.ts';

const MAX_ROWS = 1000;
const MAX_COUNT = 100;
const OUTPUT = 'retrieved';
/** Facts about each passage, beside its text. */
const FACTS = ['rank', 'score', 'id', 'source', 'uri'] as const;

const factFields = (output: string): string[] => FACTS.map((fact) => `${output}.${fact}`);

/** `| mlretrieve`: passages of a vector store for each row. */
export const mlRetrieve = command({
  name: 'mlretrieve',
  kind: 'streaming',
  isRisky: true,
  arguments: {
    store: required(text('vector store that you may read', NOT_EMPTY)),
    query: required(text('what to look for; {field} stands for a value of the row, {{ and }} for braces', NOT_EMPTY)),
    count: wholeNumber(1, MAX_COUNT, 'passages at most; default 5'),
    output: outputField(OUTPUT),
    expand: boolean('make a row of each passage, in place of multivalue fields; default false'),
    ...rowOptions(MAX_ROWS),
    dedup,
  },
  fields: [OUTPUT, ...factFields(OUTPUT), ...errorFields(OUTPUT)],
  help: {
    summary: 'Adds passages of a vector store to each row.',
    description: [
      'The texts of the passages are in the multivalue field retrieved, best first, their origin in retrieved.source and retrieved.uri.',
      'With expand=true a row is repeated for each of its passages; one without passages stays as one row.',
      'A failed row has an empty retrieved and the reason in retrieved_error and retrieved_error_message; output= changes these names.',
      'The search fails if all rows fail, or a usage limit refuses.',
    ].join(' '),
    examples: [
      {
        search: '… | dedup message | mlretrieve store="Runbooks" query="{message}" count=3',
        comment: 'Find the runbooks of each error.',
      },
      {
        search:
          '… | mlretrieve store="Runbooks" query="{message}" | mlchat prompt="Answer from these texts only: {retrieved} Question: {message}"',
        comment: 'Answer from the passages that were found.',
      },
      {
        search:
          '… | mlretrieve store="Runbooks" query="{message}" expand=true | stats max(retrieved.score) by retrieved.uri',
        comment: 'Count what is found most, with one row for each passage.',
      },
    ],
    tags: 'ai rag retrieve vector store knowledge base passages',
  },
  prepare({ store, query, count, output = OUTPUT, expand = false, ...options }) {
    const use: GatewayUse = {
      command: 'mlretrieve',
      operation: 'retrieve',
      isRepeatable: true,
      options,
      maxRows: MAX_ROWS,
      common: { store, number_of_results: count },
      templates: [parseTemplate(query)],
      item: ([filled]) => ({ query: filled }),
      output,
      fields: factFields(output),
      read(response) {
        const { result } = response;
        const passages = Array.isArray(result) ? result.map((passage) => cellsOf(output, Object(passage))) : [];
        const [first = {}, second] = passages;
        if (second === undefined) return { cells: first };
        return { cells: expand ? passages : joined(passages) };
      },
    };
    return { start: answerRows(gatewayAnswers(use)) };
  },
});

function cellsOf(output: string, { text: passage, rank, score, id, source }: Json): Cells {
  const { type, uri } = Object(source) as Record<string, unknown>;
  const facts: Record<(typeof FACTS)[number], unknown> = { rank, score, id, source: type, uri };
  return {
    [output]: cellOf(passage),
    ...Object.fromEntries(FACTS.map((fact) => [`${output}.${fact}`, cellOf(facts[fact])])),
  };
}

/** Each field with its values of all passages, in their order; without any value it is empty. */
function joined(passages: readonly Cells[]): Cells {
  const fields = Object.keys(passages[0] ?? {});
  const lists = fields.map((field) => [field, passages.map((passage) => String(passage[field] ?? ''))] as const);
  return Object.fromEntries(lists.filter(([, values]) => values.some((value) => value !== '')));
}

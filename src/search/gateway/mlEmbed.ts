import { parseTemplate } from '../../domain/values/template.ts';
import { NOT_EMPTY, required, text, wholeNumber } from '../argumentTypes.ts';
import { command } from '../command.ts';
import { modelOptions, modelReference, outputField } from './gatewayOptions.ts';
import { type GatewayUse, gatewayAnswers } from './gatewayRun.ts';
import { modelCells, modelFields } from './modelCells.ts';
import { answerRows, errorFields } from './rowAnswers.ts';

const MAX_ROWS = 10_000;
const OUTPUT = 'embedding';

/** `| mlembed`: an embedding for each row. */
export const mlEmbed = command({
  name: 'mlembed',
  kind: 'streaming',
  isRisky: true,
  arguments: {
    text: required(text('the text; {field} stands for a value of the row, {{ and }} for braces', NOT_EMPTY)),
    model: modelReference,
    output: outputField(OUTPUT),
    dimensions: wholeNumber(1, 100_000, 'length of the embedding; default: that of the model'),
    ...modelOptions(MAX_ROWS),
  },
  fields: [OUTPUT, ...modelFields(OUTPUT), ...errorFields(OUTPUT)],
  help: {
    summary: 'Adds an embedding of a text to each row.',
    description: [
      'The embedding is a JSON array of numbers in the field embedding.',
      'A failed row has an empty embedding and the reason in embedding_error and embedding_error_message; output= changes these names.',
      'The search fails if all rows fail.',
    ].join(' '),
    examples: [
      {
        search: '… | dedup message | mlembed text="{message}" | table message embedding',
        comment: 'Embed each distinct message, to cluster them by meaning.',
      },
      {
        search: '… | mlembed text="{title}: {body}" model="search" dryrun=true | stats sum(embedding_cost_estimated)',
        comment: 'Estimate what embedding these rows would cost.',
      },
    ],
    tags: 'ai llm embedding vector cluster similarity',
  },
  prepare({ text: source, model, output = OUTPUT, dimensions, ...options }) {
    const use: GatewayUse = {
      command: 'mlembed',
      operation: 'embed',
      isRepeatable: true,
      options,
      maxRows: MAX_ROWS,
      common: { model, dimensions },
      sendsRows: true,
      templates: [parseTemplate(source)],
      item: ([input]) => ({ input }),
      output,
      fields: modelFields(output),
      read(response) {
        const [entry] = Array.isArray(response.data) ? response.data : [];
        const embedding = JSON.stringify(Object(entry).embedding ?? []);
        return { cells: { [output]: embedding, ...modelCells(output, response) } };
      },
    };
    return { start: answerRows(gatewayAnswers(use)) };
  },
});

import { parseTemplate } from '../../domain/values/template.ts';
import { choice, decimal, fieldList, NOT_EMPTY, required, text, wholeNumber } from '../argumentTypes.ts';
import { command, SearchError } from '../command.ts';
import { answerAll, assertAllRows } from './allRows.ts';
import { type AnswerSchema, answerSchema, parseAnswer } from './answerSchema.ts';
import { assertDistinct, modelOptions, modelReference, outputField } from './gatewayOptions.ts';
import { type GatewayUse, gatewayAnswers } from './gatewayRun.ts';
import { modelCells, modelFields } from './modelCells.ts';
import { addedFields, answerRows, errorFields, type RowResult } from './rowAnswers.ts';

const MAX_ROWS = 1000;
const OUTPUT = 'answer';

/** `| mlchat`: an answer of a language model for each row, or one for all rows. */
export const mlChat = command({
  name: 'mlchat',
  kind: 'streaming',
  isRisky: true,
  arguments: {
    prompt: required(text('the question; {field} stands for a value of the row, {{ and }} for braces', NOT_EMPTY)),
    model: modelReference,
    system: text('instructions before the prompt, with {field} as there', NOT_EMPTY),
    mode: choice(['row', 'all'] as const, 'ask for each row (default), or once for all rows with {rows} in the prompt'),
    rows: fieldList('with mode=all: the fields of {rows}, which is CSV'),
    schema: answerSchema(
      'ask for an object with these fields and write each to the row: a, b:number, c:boolean, d:list, e:enum(x|y)',
    ),
    output: outputField(OUTPUT),
    temperature: decimal(0, 2, 'randomness; default: that of the configuration'),
    max_tokens: wholeNumber(1, 10_000_000, 'longest answer in tokens; default: that of the configuration'),
    mask: fieldList('fields whose values are masked, besides those that policies name'),
    ...modelOptions(MAX_ROWS),
  },
  fields: [OUTPUT, ...modelFields(OUTPUT), ...errorFields(OUTPUT)],
  help: {
    summary: 'Asks a language model about each row, or about all rows at once.',
    description: [
      'Equal prompts are asked once. With schema each field of the answer becomes a field of the row.',
      'A failed row has an empty answer and the reason in answer_error and answer_error_message; output= changes these names.',
      'The search fails if all rows fail, or a usage limit refuses.',
    ].join(' '),
    examples: [
      {
        search:
          '… | mlchat prompt="Classify this error: {message}" schema="severity:enum(low|high), cause" | stats count by severity',
        comment: 'Classify errors.',
      },
      {
        search: '… | mlchat mode=all rows="_time,host,message" prompt="Summarise this incident in five lines: {rows}"',
        comment: 'Summarise all rows in one answer.',
      },
      {
        search: '… | mlchat prompt="Translate to English: {comment}" output=english model="team/small" dryrun=true',
        comment: 'Show the filled prompts and what they would cost, without asking.',
      },
      {
        search: '… | mlchat prompt="Is this login unusual? {_raw}" mask=user,src',
        comment: 'Keep the values of two fields from the provider, besides what masking policies say.',
      },
    ],
    tags: 'ai llm chat classify extract summarise translate',
  },
  prepare(values) {
    const {
      prompt,
      model,
      system,
      mode,
      rows,
      schema,
      output = OUTPUT,
      temperature,
      max_tokens,
      mask,
      ...options
    } = values;
    const use: GatewayUse = {
      command: 'mlchat',
      operation: 'chat',
      isRepeatable: true,
      options,
      maxRows: MAX_ROWS,
      common: {
        model,
        temperature,
        max_tokens,
        mask_fields: mask,
        ...(schema ? { response_format: responseFormat(schema) } : {}),
      },
      sendsRows: true,
      templates: [...(system === undefined ? [] : [system]), prompt].map(parseTemplate),
      item: (texts) => ({ messages: texts.map((content, index) => ({ role: roleOf(index, texts.length), content })) }),
      output,
      fields: modelFields(output),
      read: (response) => readAnswer(response, output, schema),
    };
    if (schema) assertDistinct('schema', schema.fields, addedFields(gatewayAnswers(use)));
    const rowUse = gatewayAnswers({ ...use, fields: [...use.fields, ...(schema?.fields ?? [])] });
    if (mode === 'all') return { type: 'reporting', start: answerAll(rowUse, assertAllRows(rowUse, 'prompt', rows)) };
    if (rows !== undefined) throw new SearchError('rows needs mode=all');
    return { start: answerRows(rowUse) };
  },
});

const roleOf = (index: number, count: number) => (index < count - 1 ? 'system' : 'user');

const responseFormat = ({ jsonSchema }: AnswerSchema) => ({
  type: 'json_schema',
  json_schema: { name: 'row', strict: true, schema: jsonSchema },
});

function readAnswer(response: Readonly<Record<string, unknown>>, output: string, schema?: AnswerSchema): RowResult {
  const [first] = Array.isArray(response.choices) ? response.choices : [];
  const content = String(Object(Object(first).message).content ?? '');
  const fields = schema ? parseAnswer(schema, content) : {};
  if (fields === undefined)
    return {
      error_code: 'invalid_structured_output',
      message: 'The answer is not an object with the fields of schema',
    };
  return { cells: { [output]: content, ...modelCells(output, response), ...fields } };
}

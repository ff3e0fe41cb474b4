import { bracketsOf } from '../language/scan.ts';
import { type Batch, cellText, EMPTY } from '../results/rows.ts';
import { alertCall } from '../stages/alertStage.ts';
import { refused } from '../stages/arguments.ts';
import { inputlookup } from '../stages/lookupStages.ts';
import { appendpipe, NESTED, termsOf } from '../stages/nestedStages.ts';
import { preparedStage, sourceOf } from './builtins.ts';
import type { SearchContext } from './context.ts';
import { Results, throughStage } from './pipeline.ts';
import { parseNested, partOf, type SearchPart } from './spl.ts';

/** Runs a command that an app brings; undefined where the command is built in. @param input undefined for the first */
export type AppCommand = (index: number, input: AsyncIterable<Batch> | undefined) => AsyncIterable<Batch> | undefined;

/** Rows that a nested search gives to the terms of its outer one, `maxout` of `[subsearch]` in limits.conf. */
const MOST_TERMS = 10_000;

/** Chains commands, each of which reads from the one before it on demand. Nested searches run first. */
export async function* runPipeline(
  parts: readonly SearchPart[],
  context: SearchContext,
  appCommand: AppCommand = () => undefined,
  input?: AsyncIterable<Batch>,
): AsyncGenerator<Batch> {
  let rows = input;
  for (const [index, typed] of parts.entries()) {
    const own = appCommand(index, rows);
    rows = own ?? (await builtIn(await withTerms(typed, context), context, rows));
  }
  if (rows !== undefined) yield* rows;
}

/** Runs commands to their end. */
export async function allRowsOf(
  parts: readonly SearchPart[],
  context: SearchContext,
  input: Batch | undefined,
): Promise<Batch> {
  const results = new Results();
  const given = input === undefined ? undefined : only({ ...input, isLast: true });
  for await (const batch of runPipeline(parts, context, undefined, given)) results.keep(batch);
  return { columns: results.columns, rows: results.rows };
}

async function* only(batch: Batch | Promise<Batch>): AsyncGenerator<Batch> {
  yield { ...(await batch), isLast: true };
}

async function builtIn(
  part: SearchPart,
  context: SearchContext,
  rows: AsyncIterable<Batch> | undefined,
): Promise<AsyncIterable<Batch>> {
  switch (part.name) {
    case 'inputlookup':
      return lookupRows(part, context, rows);
    case 'union':
    case 'multisearch':
      return only(united(part, context, rows));
    case 'appendpipe':
      if (rows === undefined) break;
      return piped(part, context, rows);
    case 'sendalert':
      if (rows === undefined) break;
      return alerting(part, context, rows);
    default:
  }
  if (rows !== undefined) return throughStage(await preparedStage(part, context), rows);
  const source = sourceOf(part.name);
  if (source === undefined) throw refused(part.name, 'This command cannot be the first of a search.');
  return only(source(part, context));
}

async function lookupRows(
  part: SearchPart,
  context: SearchContext,
  rows: AsyncIterable<Batch> | undefined,
): Promise<AsyncIterable<Batch>> {
  const { append, ...batch } = await inputlookup(part, context);
  if (rows === undefined) return only(batch);
  if (!append) throw refused(part.name, 'This command must be the first command of a search.');
  return throughStage({ push: (before) => before, finish: () => batch }, rows);
}

/** The rows of several searches; those of `multisearch` in the order of their times. */
async function united(
  part: SearchPart,
  context: SearchContext,
  rows: AsyncIterable<Batch> | undefined,
): Promise<Batch> {
  const brackets = bracketsOf(part.text);
  const between = brackets.reduceRight((text, { start, end }) => text.slice(0, start) + text.slice(end), part.text);
  if (between.trim() !== '')
    throw refused(part.name, `The embedded platform supports subsearches only, not '${between.trim()}'.`);
  if (brackets.length < 2 && rows === undefined) throw refused(part.name, 'You must specify at least two subsearches.');
  const results = new Results();
  for await (const batch of rows ?? []) results.keep(batch);
  for (const { inner } of brackets) results.keep(await context.run(parseNested(inner)));
  if (part.name === 'multisearch') results.rows.sort((a, b) => Number(cellText(b._time)) - Number(cellText(a._time)));
  return { columns: results.columns, rows: results.rows };
}

async function* piped(part: SearchPart, context: SearchContext, rows: AsyncIterable<Batch>): AsyncGenerator<Batch> {
  const { inner } = appendpipe(part);
  const results = new Results();
  for await (const batch of rows) {
    results.keep(batch);
    yield { ...batch, isLast: false };
  }
  yield { ...(await context.run(inner, { columns: results.columns, rows: results.rows })), isLast: true };
}

/** Runs an alert action over the rows, which go on as they are. */
async function* alerting(part: SearchPart, context: SearchContext, rows: AsyncIterable<Batch>): AsyncGenerator<Batch> {
  const call = alertCall(part);
  const results = new Results();
  for await (const batch of rows) {
    results.keep(batch);
    yield { ...batch, isLast: false };
  }
  await context.sendalert(call, { columns: results.columns, rows: results.rows });
  yield { ...EMPTY, isLast: true };
}

/** Replaces searches in brackets by the terms that they give. */
async function withTerms(part: SearchPart, context: SearchContext): Promise<SearchPart> {
  if (NESTED.has(part.name)) return part;
  const brackets = bracketsOf(part.text);
  if (brackets.length === 0) return part;
  let text = '';
  let position = 0;
  for (const { start, end, inner } of brackets) {
    const { columns, rows } = await context.run(parseNested(inner));
    if (rows.length > MOST_TERMS)
      context.message(
        'INFO',
        `[subsearch]: Subsearch produced ${rows.length} results, truncating to maxout ${MOST_TERMS}.`,
      );
    text += part.text.slice(position, start) + termsOf({ ...EMPTY, columns, rows: rows.slice(0, MOST_TERMS) });
    position = end;
  }
  return partOf(part.name, text + part.text.slice(position));
}

import type { GuardFault, SearchView } from './kinds.ts';
import type { Token } from './lexer.ts';
import { searches } from './sources.ts';
import type { Stage } from './stages.ts';
import { runsOf, termsOf, textOf } from './terms.ts';

/** A name that stands in the text as it is: a word, or a string without escapes. */
const LITERAL = /^(?:[\w.:/-]+|"[^"\\]+")$/;
const DATASET = /^(datamodel|lookup):([\w.-]+|"[^"\\]+"(?:\."[^"\\]+")?)$/i;
const DATASET_TYPE = /^(?:datamodel|lookup)$/i;
const LOOKUP_OPTIONS: Readonly<Record<string, readonly string[]>> = {
  lookup: ['local', 'update', 'event_time_field'],
  inputlookup: ['append', 'start', 'max', 'strict'],
};
const UNION_OPTIONS = ['maxtime', 'timeout', 'maxout'];
/** Terms that stand for the text of a saved search. */
const SAVED_TERMS = ['savedsearch', 'savedsplunk'];

/** Faults of the lookups, data models and other datasets that a stage names. */
export function datasetFaults(text: string, stage: Stage, view: SearchView): GuardFault[] {
  const check = Object.hasOwn(CHECKS, stage.command) ? CHECKS[stage.command] : undefined;
  const fault = check?.(text, stage, view) ?? savedTermFault(text, stage) ?? lookupCallFault(text, stage, view);
  return fault ? [fault] : [];
}

type Check = (text: string, stage: Stage, view: SearchView) => GuardFault | undefined;

const CHECKS: Readonly<Record<string, Check>> = {
  lookup: lookupFault,
  inputlookup: lookupFault,
  from: fromFault,
  union: unionFault,
  join: joinFault,
  tstats: tstatsFault,
  pivot: modelFault,
  datamodel: modelFault,
};

function lookupFault(text: string, stage: Stage, view: SearchView): GuardFault | undefined {
  const options = LOOKUP_OPTIONS[stage.command] ?? [];
  const tokens = stage.tokens.slice(optionsEnd(text, stage.tokens, options));
  const [first] = runsOf(text, tokens);
  const bracket = stage.nested[0]?.position ?? Number.POSITIVE_INFINITY;
  const isComputed = stage.command === 'lookup' ? stage.nested.length > 0 : bracket < (first?.position ?? bracket + 1);
  if (isComputed || !first || !LITERAL.test(first.run)) {
    const message = `Command ${stage.command} needs the name of a lookup as plain text, such as ${stage.command} assets`;
    return { reason: 'computed_name', command: stage.command, position: first?.position ?? stage.position, message };
  }
  return lookupKindFault(first.run, first.position, stage, view) ?? inputTailFault(text, stage, tokens);
}

/** A second name after that of `inputlookup` would leave open which is read. */
function inputTailFault(text: string, stage: Stage, tokens: readonly Token[]): GuardFault | undefined {
  const [, next, operator] = tokens;
  if (stage.command === 'lookup' || !next || textOf(text, next).toLowerCase() === 'where') return undefined;
  if (operator && text.slice(operator.start, operator.end) === '=') return undefined;
  const message = 'Command inputlookup takes one name and then where, such as inputlookup assets where site=x';
  return { reason: 'computed_name', command: stage.command, position: next.start, message };
}

function lookupKindFault(written: string, position: number, stage: Stage, view: SearchView): GuardFault | undefined {
  const name = withoutQuotes(written);
  const kind = view.lookup(name);
  const shown = JSON.stringify(name.slice(0, 80));
  if (kind === null) {
    const message = `Lookup ${shown} does not exist or may not be read; use one that you can see`;
    return { reason: 'lookup_unknown', command: stage.command, position, message };
  }
  if (kind !== 'external') return undefined;
  const message = `Lookup ${shown} runs a program; only lookups of files, KV stores and shapes are allowed`;
  return { reason: 'lookup_external', command: stage.command, position, message };
}

/** The function `lookup("name", …)` of expressions reads a lookup like the command does. */
function lookupCallFault(text: string, stage: Stage, view: SearchView): GuardFault | undefined {
  if (searches(stage.command)) return undefined;
  for (const [index, token] of stage.tokens.entries()) {
    const [open, name] = stage.tokens.slice(index + 1, index + 3);
    const isCall = open?.kind === 'operator' && text.charAt(open.start) === '(';
    if (!isCall || token.kind !== 'word' || textOf(text, token).toLowerCase() !== 'lookup') continue;
    const written = name?.kind === 'string' ? text.slice(name.start, name.end) : '';
    const fault = /^"[^"\\]+"$/.test(written)
      ? lookupKindFault(written, token.start, stage, view)
      : { ...LOOKUP_CALL, command: stage.command, position: token.start };
    if (fault) return fault;
  }
  return undefined;
}

const LOOKUP_CALL = {
  reason: 'computed_name',
  message: 'The function lookup needs the name of a lookup in double quotes, such as lookup("assets.csv", …)',
} as const;

/** Number of tokens of `name=value` at the start of a stage. */
function optionsEnd(text: string, tokens: readonly Token[], options: readonly string[]): number {
  let end = 0;
  for (;;) {
    const [name, operator, value] = tokens.slice(end, end + 3);
    if (!name || !operator || !value || text.slice(operator.start, operator.end) !== '=') return end;
    if (!options.includes(textOf(text, name).toLowerCase())) return end;
    end += 3;
  }
}

function fromFault(text: string, stage: Stage, view: SearchView): GuardFault | undefined {
  const runs = runsOf(text, stage.tokens);
  const [first, second] = runs;
  const isPair = runs.length === 2 && DATASET_TYPE.test(first?.run ?? '');
  const written = isPair ? `${first?.run}:${second?.run}` : (first?.run ?? '');
  const isWhole = stage.nested.length === 0 && (isPair || runs.length === 1);
  return datasetFault(isWhole ? written : '', first?.position ?? stage.position, stage, view);
}

/** Brackets, options and datasets, with commas or blanks between them. */
function unionFault(text: string, stage: Stage, view: SearchView): GuardFault | undefined {
  const tokens = stage.tokens.filter(({ start }) => text.charAt(start) !== ',');
  const start = optionsEnd(text, tokens, UNION_OPTIONS);
  for (const { run, position } of runsOf(text, tokens.slice(start))) {
    const fault = datasetFault(run, position, stage, view);
    if (fault) return fault;
  }
  return undefined;
}

/** A join reads a bracket or, without one, the dataset named last. */
function joinFault(text: string, stage: Stage, view: SearchView): GuardFault | undefined {
  const runs = runsOf(text, stage.tokens);
  const named = runs.find(({ run }) => /^(?:savedsearch|federated|datamodel|lookup):/i.test(run));
  const dataset = stage.nested.length === 0 ? runs.at(-1) : named;
  if (!dataset && stage.nested.length > 0) return undefined;
  return datasetFault(dataset?.run ?? '', dataset?.position ?? stage.position, stage, view);
}

function datasetFault(written: string, position: number, stage: Stage, view: SearchView): GuardFault | undefined {
  const [match, type = '', name = ''] = DATASET.exec(written) ?? [];
  if (match === undefined) {
    const message = `Command ${stage.command} reads only datamodel:<name> and lookup:<name>, written as plain text`;
    return { reason: 'dataset', command: stage.command, position, message };
  }
  return type.toLowerCase() === 'lookup'
    ? lookupKindFault(name, position, stage, view)
    : modelNameFault(name, position, stage);
}

/** A data model in JSON would bring searches of its own. */
function modelNameFault(written: string, position: number, stage: Stage): GuardFault | undefined {
  if (/^[\w.:-]+$/.test(withoutQuotes(written).replaceAll('"."', '.'))) return undefined;
  const message = `Command ${stage.command} needs the name of a data model as plain text, such as Web or Web.Web`;
  return { reason: 'dataset', command: stage.command, position, message };
}

/** Summaries of other jobs and namespaces are not for `tstats … from`. */
function tstatsFault(text: string, stage: Stage): GuardFault | undefined {
  const { tokens } = stage;
  const words = tokens.map((token) => (token.kind === 'string' ? '' : textOf(text, token).toLowerCase()));
  const start = words.findIndex((word, index) => (word === 'where' || word === 'by') && words[index + 1] !== '=');
  for (const [index, word] of words.entries()) {
    if (word !== 'from' || words[index + 1] === '=') continue;
    const [first, equals, name] = tokens.slice(index + 1, index + 4);
    const isModel = words[index + 1] === 'datamodel' && equals !== undefined && words[index + 2] === '=';
    const isField = start >= 0 && index > start && !(words[index + 1] === 'sid' && words[index + 2] === '=');
    if (isModel) {
      const [run] = runsOf(text, tokens.slice(index + 3));
      return modelNameFault(run?.run ?? '', name?.start ?? stage.position, stage);
    }
    if (isField) continue;
    const message =
      'Command tstats reads indexes (where index=main) and data models (from datamodel=Web), nothing else';
    return { reason: 'dataset', command: 'tstats', position: first?.start ?? stage.position, message };
  }
  return undefined;
}

function modelFault(text: string, stage: Stage): GuardFault | undefined {
  const names = runsOf(text, stage.tokens).slice(0, 2);
  const [bracket] = stage.nested;
  if (bracket) return modelNameFault('', bracket.position, stage);
  const seed = stage.tokens.find((token) => textOf(text, token).toLowerCase() === 'seedsid');
  if (seed) {
    const message = `Command ${stage.command} reads no results of other searches; leave seedSid out`;
    return { reason: 'dataset', command: stage.command, position: seed.start, message };
  }
  for (const { run, position } of names) {
    const fault = modelNameFault(run, position, stage);
    if (fault) return fault;
  }
  return undefined;
}

function savedTermFault(text: string, stage: Stage): GuardFault | undefined {
  const term = searches(stage.command)
    ? termsOf(text, stage.tokens).find(({ key }) => SAVED_TERMS.includes(key.toLowerCase()))
    : undefined;
  if (!term) return undefined;
  const message = `The term ${term.key}= stands for the text of a saved search; write its terms instead`;
  return { reason: 'dataset', command: stage.command, position: term.position, message };
}

const withoutQuotes = (written: string): string =>
  written.startsWith('"') && written.endsWith('"') ? written.slice(1, -1) : written;

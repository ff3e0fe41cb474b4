import { commandRefusal } from './commands/policy.ts';
import { datasetFaults } from './datasets.ts';
import { foreachFaults } from './foreach.ts';
import type { GuardFault, SearchPolicy, SearchView } from './kinds.ts';
import { type LexicalFault, lex, OTHER_READINGS, type Reading, USUAL } from './lexer.ts';
import { searches, sourceFault } from './sources.ts';
import { bracketFault, parseSearch, type Search, type Stage } from './stages.ts';
import { computedTimeFaults, type TimeLimit, timeFaults } from './time/range.ts';

/** How rows of a nested search are used: as terms of the search around it, as rows, or they are those of that search. */
type Use = 'terms' | 'rows' | 'pipe';

const ROWS = new Set(['append', 'appendcols', 'join', 'union', 'multisearch', 'set']);
const PIPES = new Set(['appendpipe', 'foreach']);
/** Commands that do nothing without a bracket. */
const NEED_BRACKET = new Set(['append', 'appendcols', 'appendpipe', 'foreach', 'multisearch', 'set']);

export interface Rules {
  view: SearchView;
  policy: SearchPolicy;
  /** Limits of times in the text; null where they are not judged. */
  time: TimeLimit | null;
}

/** A text with its commands and faults, read in one way. */
export interface Judgement {
  /** Faults from the left; those of `require_index` after all others. */
  faults: GuardFault[];
  /** All commands at any depth, in the order of the text. */
  commands: string[];
  /** Commands of the outermost pipeline. */
  pipeline: string[];
  /** All stages at any depth. */
  stages: Stage[];
}

/** Judges a text without macros and comments in the usual reading, and refuses it if another one would find more. */
export function judgeText(text: string, rules: Rules): Judgement {
  const usual = judgeReading(text, USUAL, rules);
  if ('message' in usual) {
    const { position, message } = usual;
    return { faults: [{ reason: 'syntax', command: null, position, message }], commands: [], pipeline: [], stages: [] };
  }
  if (usual.faults.length > 0) return usual;
  for (const reading of OTHER_READINGS) {
    const other = judgeReading(text, reading, { ...rules, policy: { ...rules.policy, requireIndex: false } });
    // A reading in which splunkd cannot read the text either runs nothing.
    if ('message' in other) continue;
    const [fault] = other.faults;
    if (fault) return { ...usual, faults: [ambiguous(reading, fault)] };
  }
  return usual;
}

function ambiguous({ name }: Reading, fault: GuardFault): GuardFault {
  const how =
    name === 'single quotes' ? 'if single quotes quote' : 'if a backslash outside of quotes is a plain character';
  const message = `The search can be read in two ways, and ${how} it is refused: ${fault.message.replace(/\.$/, '')}. Use double quotes around texts with quotes, bars or brackets.`;
  return { ...fault, reason: 'ambiguous', message };
}

function judgeReading(text: string, reading: Reading, rules: Rules): Judgement | LexicalFault {
  const tokens = lex(text, reading);
  if (!Array.isArray(tokens)) return tokens;
  const unmatched = bracketFault(tokens);
  if (unmatched) return unmatched;
  const { search, faults } = parseSearch(text, tokens);
  const ticked = tokens.find(({ kind }) => kind === 'macro' || kind === 'comment');
  const walk = new Walk(text, rules);
  if (ticked)
    walk.faults.push({ reason: 'syntax', command: null, position: ticked.start, message: 'A backtick is left over' });
  walk.faults.push(...faults);
  walk.search(search, null);
  walk.faults.push(...foreachFaults(text, walk.stages));
  const byPosition = walk.faults.sort((a, b) => a.position - b.position);
  return {
    faults: [...byPosition, ...walk.sourceFaults],
    commands: walk.stages.map(({ command }) => command),
    pipeline: search.stages.map(({ command }) => command),
    stages: walk.stages,
  };
}

class Walk {
  readonly faults: GuardFault[] = [];
  readonly sourceFaults: GuardFault[] = [];
  readonly stages: Stage[] = [];
  readonly #text: string;
  readonly #rules: Rules;

  constructor(text: string, rules: Rules) {
    this.#text = text;
    this.#rules = rules;
  }

  /** Judges a search whose rows are used so; null for the whole text. */
  search(search: Search, use: Use | null, isInTerms = false): void {
    for (const [index, stage] of search.stages.entries()) {
      this.stages.push(stage);
      this.#stage(stage, isInTerms || use === 'terms');
      const isFilter = stage.command === 'search' && (index > 0 || use === 'pipe');
      const fault = this.#rules.policy.requireIndex ? sourceFault(this.#text, stage, !isFilter) : undefined;
      if (fault) this.sourceFaults.push(fault);
      for (const nested of stage.nested) this.search(nested, useIn(stage), isInTerms || use === 'terms');
    }
  }

  #stage(stage: Stage, isInTerms: boolean): void {
    const { view, policy, time } = this.#rules;
    const refusal = commandRefusal(stage.command, policy);
    if (refusal) {
      this.faults.push({ reason: 'command', command: stage.command, position: stage.position, message: refusal });
      return;
    }
    if (NEED_BRACKET.has(stage.command) && stage.nested.length === 0) this.faults.push(bracketMissing(stage));
    this.faults.push(...datasetFaults(this.#text, stage, view));
    if (!time) return;
    if (searches(stage.command)) this.faults.push(...timeFaults(this.#text, stage, time));
    if (isInTerms && stage.command !== 'search') this.faults.push(...computedTimeFaults(this.#text, stage));
  }
}

function useIn({ command }: Stage): Use {
  if (ROWS.has(command)) return 'rows';
  return PIPES.has(command) ? 'pipe' : 'terms';
}

const bracketMissing = ({ command, position }: Stage): GuardFault => ({
  reason: 'nested',
  command,
  position,
  message: `Command ${command} needs a search in brackets, such as ${command} [search index=main]`,
});

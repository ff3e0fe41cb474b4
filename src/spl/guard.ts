import { canonicalName } from './commands/policy.ts';
import { judgeText } from './judgement.ts';
import type { GuardFault, Macro, MacroCall, Reason, SearchPolicy, SearchView } from './kinds.ts';
import { isBlank, trimBlanks } from './lexer.ts';
import { expand } from './macros.ts';
import { rangeFault } from './time/range.ts';

export type { Macro, MacroCall, SearchPolicy, SearchView } from './kinds.ts';

/** The guard's answer: the text to dispatch, or why nothing may be dispatched. */
export type Verdict =
  | {
      allowed: true;
      /** The text to dispatch: macros expanded, comments left out, beginning with `search ` or a bar. */
      search: string;
      /** Commands at any depth as they are written, in lower case, each once. */
      commands: string[];
      /** Commands of the outermost pipeline, which the platform's parser names too. */
      pipeline: string[];
    }
  | {
      allowed: false;
      reason: Reason;
      /** Name of the command at fault, in lower case; null where none is. */
      command: string | null;
      /** Offset into the caller's text; of the call, for text of a macro. */
      position: number;
      message: string;
    };

/**
 * Judges a search by what its text says. It reads nothing: the view holds the caller's macros and lookups. The verdict takes time
 * proportional to the text, and no text makes it throw.
 */
export function judgeSearch(
  text: string,
  range: { earliest: string; latest: string },
  view: SearchView,
  policy: SearchPolicy,
  now: Date,
): Verdict {
  const language = languageFault(text);
  if (language) return refused(language);
  const limit = { maxSpanDays: policy.maxSpanDays, now };
  const prepared = prepare(text, view);
  if ('reason' in prepared) return refused(prepared);
  const { search, originOf, barArgument } = prepared;
  const { faults, commands, pipeline } = judgeText(search, { view, policy, time: limit });
  const [fault] = faults;
  if (fault) return refused({ ...fault, position: originOf(fault.position) });
  const last = barArgument ?? rangeFault(range, limit);
  if (last) return refused(last);
  return { allowed: true, search, commands: [...new Set(commands)], pipeline };
}

/**
 * Macros that the expansion of a text needs and the view does not have: ask for them, add them and ask again until none is left or
 * those that are left do not exist.
 */
export function missingMacros(text: string, find: (name: string, args: number) => Macro | null): MacroCall[] {
  const missing = new Map<string, MacroCall>();
  expand(text, (name, args) => {
    const macro = find(name, args);
    if (!macro) missing.set(`${name}(${args})`, { name, args });
    // The expansion goes on, to find the others.
    return macro ?? { definition: '', args: Array.from({ length: args }, (_, index) => String(index)), isEval: false };
  });
  return [...missing.values()];
}

/** Whether the platform's parser names the same commands, in any order and under any of their names. */
export function sameCommands(pipeline: readonly string[], parsed: readonly string[]): boolean {
  const sorted = (names: readonly string[]): string => names.map(canonicalName).sort().join(' ');
  return sorted(pipeline) === sorted(parsed);
}

/** A text as it would be dispatched, with the way back to the caller's offsets. */
export interface PreparedSearch {
  search: string;
  originOf(offset: number): number;
  barArgument: GuardFault | undefined;
}

/** Expands macros, drops comments and writes the command that a text implies. */
export function prepare(text: string, view: SearchView): PreparedSearch | GuardFault {
  const expanded = expand(text, (name, args) => view.macro(name, args));
  if ('reason' in expanded) return expanded;
  const { barArgument } = expanded;
  const trimmed = trimBlanks(expanded.text);
  if (trimmed === '') return { reason: 'syntax', command: null, position: 0, message: 'The search is empty' };
  const language = languageFault(trimmed);
  if (language) return language;
  const start = expanded.text.indexOf(trimmed);
  const search = withCommand(trimmed);
  const shift = start + trimmed.length - search.length;
  const originOf = (offset: number): number => expanded.originOf(Math.max(start, offset + shift));
  return { search, originOf, barArgument };
}

/** The text with the command `search` if it begins with none; a first word is a term, whatever its name. */
export function withCommand(trimmed: string): string {
  if (trimmed.startsWith('|')) return trimmed;
  const isSearch = /^search$/i.test(trimmed.slice(0, 6)) && (trimmed.length === 6 || isBlank(trimmed.charAt(6)));
  return isSearch ? `search${trimmed.slice(6)}` : `search ${trimmed}`;
}

/** SPL2, which has other commands and quotes. */
function languageFault(text: string): GuardFault | undefined {
  const start = trimBlanks(text.slice(0, 1_000));
  if (!/^(?:@spl2|\$\w+\s*=|from(?![\w.:=-]))/i.test(start)) return undefined;
  return {
    reason: 'language',
    command: null,
    position: 0,
    message: 'The search is SPL2; write it in SPL, such as index=main | stats count',
  };
}

const refused = ({ reason, command, position, message }: GuardFault): Verdict => ({
  allowed: false,
  reason,
  command,
  position,
  message,
});

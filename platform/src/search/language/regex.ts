import { inTime } from '../../kv/store/regex.ts';
import { ArgumentError } from '../pipeline/spl.ts';

/** A regular expression of a search, compiled for JavaScript. */
export interface SearchRegex {
  /** Names of the groups, in order. */
  groups: string[];
  exec(text: string): RegExpExecArray | null;
  execEach(text: string, most: number): RegExpExecArray[];
  replace(text: string, replacement: string): string;
}

/** Compiles an expression as PCRE writes it: options in front, `(?P<name>…)`. Throws ArgumentError for a bad one. */
export function searchRegex(command: string, pattern: string): SearchRegex {
  const [leading = '', options = ''] = /^\(\?([imsx]+)\)/.exec(pattern) ?? [];
  const body = pattern
    .slice(leading.length)
    .replaceAll('(?P<', '(?<')
    .replace(/\(\?P=(\w+)\)/g, '\\k<$1>');
  if (options.includes('x'))
    throw new ArgumentError(
      `Error in '${command}' command: The embedded platform does not support the option x of regular expressions.`,
    );
  const once = compiled(command, body, options, pattern);
  const each = compiled(command, body, `${options}g`, pattern);
  const tooLong = () => new ArgumentError(`Error in '${command}' command: The regex '${pattern}' takes too long.`);
  return {
    groups: [...body.matchAll(/(?<!\\)\(\?<([A-Za-z_]\w*)>/g)].map(([, name = '']) => name),
    exec: (text) => inTime(() => once.exec(text), tooLong),
    execEach: (text, most) => inTime(() => firstMatches(each, text, most), tooLong),
    replace: (text, replacement) => inTime(() => text.replace(each, javaScriptReplacement(replacement)), tooLong),
  };
}

function compiled(command: string, body: string, flags: string, pattern: string): RegExp {
  try {
    return new RegExp(body, flags);
  } catch (error) {
    throw new ArgumentError(
      `Error in '${command}' command: The regex '${pattern}' is invalid. ${(error as Error).message}.`,
    );
  }
}

function firstMatches(each: RegExp, text: string, most: number): RegExpExecArray[] {
  const matches: RegExpExecArray[] = [];
  for (const match of text.matchAll(each)) {
    matches.push(match);
    if (matches.length >= most) break;
  }
  return matches;
}

/** `\1` is a group, a dollar sign is itself. */
function javaScriptReplacement(replacement: string): string {
  return replacement.replaceAll('$', '$$$$').replace(/\\(\d{1,2})/g, '$$$1');
}

import { unquoted } from '../language/scan.ts';
import type { AlertCall } from '../pipeline/context.ts';
import type { SearchPart } from '../pipeline/spl.ts';
import { Arguments, invalidArgument, refused } from './arguments.ts';

const PARAM = /^param\.([\w.:-]+)=(.*)$/s;

/** The action that `sendalert` names, and its parameters. @throws ArgumentError */
export function alertCall(part: SearchPart): AlertCall {
  const args = new Arguments(part, ['results_link', 'results_path']);
  if (args.text('results_path') !== undefined)
    throw refused(part.name, "The embedded platform does not support the option 'results_path'.");
  const params: Record<string, string> = {};
  const words: string[] = [];
  for (const word of args.words) {
    const [, name, value = ''] = PARAM.exec(word) ?? [];
    if (name === undefined) words.push(word);
    else params[name] = unquoted(value);
  }
  const [action, surplus] = words;
  if (action === undefined) throw refused(part.name, 'You must specify an alert action.');
  if (surplus !== undefined) throw invalidArgument(part, surplus);
  return { action: unquoted(action), params, resultsLink: args.text('results_link') };
}

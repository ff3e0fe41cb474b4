import type { Json } from '../../../contract/basics.ts';
import { argumentsOf, isSameValue } from '../../../domain/values/json.ts';
import type { RunArguments } from '../../operations/tool.ts';
import type { RunHistory, TurnCall } from '../documents/stored.ts';
import { shownResults } from './connectionCodes.ts';

/** The values that policies for tools leave in the arguments of a call of a run. */
export function runArguments(history: RunHistory, { arguments: text, target }: TurnCall, args: Json): RunArguments {
  const shown = argumentsOf(text) ?? {};
  const edited = Object.keys(args).filter((name) => !isSameValue(args[name], shown[name]));
  let brought: string | undefined;
  return {
    edited,
    hasBrought(value) {
      const steps = history.steps.toSorted((first, second) => first.index - second.index);
      brought ??= shownResults(history, steps)
        .filter(({ connection }) => target?.kind === 'tool' && connection === target.connection)
        .map(({ text: result }) => result.toLowerCase())
        .join('\n');
      return brought.includes(value.toLowerCase());
    },
  };
}

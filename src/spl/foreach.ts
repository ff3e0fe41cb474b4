import type { GuardFault } from './kinds.ts';
import type { Token } from './lexer.ts';
import type { Stage } from './stages.ts';
import { termsOf, textOf } from './terms.ts';

/** Options that give the tokens of `foreach` other names, so that any word of its search could be replaced. */
const RENAMED_TOKENS = ['fieldstr', 'matchstr', 'matchseg1', 'matchseg2', 'matchseg3', 'itemstr', 'iterstr'];
/** Characters by which the name of a field could end the stage of `foreach` that it is put into. */
const BREAKING = /[|[\]`]/;

/**
 * Faults by which `foreach` would run text that was not judged: it puts names of fields into its search as text. Names that come
 * from data cannot be seen here.
 */
export function foreachFaults(text: string, stages: readonly Stage[]): GuardFault[] {
  if (!stages.some(({ command }) => command === 'foreach')) return [];
  return stages.flatMap((stage) =>
    stage.command === 'foreach' ? renamedTokenFaults(text, stage) : fieldNameFaults(text, stage),
  );
}

function renamedTokenFaults(text: string, stage: Stage): GuardFault[] {
  const option = termsOf(text, stage.tokens).find(({ key }) => RENAMED_TOKENS.includes(key.toLowerCase()));
  if (!option) return [];
  const message = `Option ${option.key} of foreach is not allowed; use the usual tokens, such as <<FIELD>>`;
  return [{ reason: 'computed_name', command: stage.command, position: option.position, message }];
}

/** Fields that a stage names by a string with a bar or bracket, or by the value of another field. */
function fieldNameFaults(text: string, stage: Stage): GuardFault[] {
  const token = stage.tokens.find((each, index) => isUnsafeName(text, stage, each, index));
  if (!token) return [];
  const message = 'A search with foreach has only fields with plain names; use letters, digits and _';
  return [{ reason: 'computed_name', command: stage.command, position: token.start, message }];
}

function isUnsafeName(text: string, stage: Stage, token: Token, index: number): boolean {
  const before = stage.tokens[index - 1];
  const after = stage.tokens[index + 1];
  const isAssigned = stage.command === 'eval' && after !== undefined && text.slice(after.start, after.end) === '=';
  if (token.kind === 'word') return isAssigned && text.slice(token.start, token.end).includes('{');
  const isRenamed = before?.kind === 'word' && textOf(text, before).toLowerCase() === 'as';
  return token.kind === 'string' && (isAssigned || isRenamed) && BREAKING.test(text.slice(token.start, token.end));
}

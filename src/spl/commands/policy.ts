import type { SearchPolicy } from '../kinds.ts';
import { ALIASES, COMMANDS, type CommandKind, USUAL_COMMANDS } from './table.ts';

const NAME = /^[a-z_][a-z0-9_-]*$/;
const NEVER = new Set<CommandKind>(['writes', 'runs_or_sends', 'other_objects']);
/** Commands of no such kind that write, send or read what is others' all the same: REST, and those of add-ons. */
const NEVER_ALLOWED = new Set(['rest', 'fit', 'deletemodel', 'ai', 'aiagent', 'dbxquery', 'dbxoutput']);

/** The name that a second name of a command stands for; any other name as it is. */
export const canonicalName = (name: string): string => {
  const lower = name.trim().toLowerCase();
  return Object.hasOwn(ALIASES, lower) ? (ALIASES[lower] ?? lower) : lower;
};

/** Whether `allow_commands` may name a command: never one that writes, runs, sends or reads what is others'. */
export function mayBeAdded(name: string): boolean {
  const canonical = canonicalName(name);
  if (!NAME.test(canonical) || NEVER_ALLOWED.has(canonical)) return false;
  const kind = kindOf(canonical);
  return kind === undefined || !NEVER.has(kind);
}

/** Why a command is refused, as a message; undefined if it is allowed. */
export function commandRefusal(name: string, policy: SearchPolicy): string | undefined {
  const canonical = canonicalName(name);
  const names = (list: readonly string[]): boolean => list.some((each) => canonicalName(each) === canonical);
  const allowed = `Allowed are commands that only read, such as ${USUAL_COMMANDS.join(', ')}.`;
  if (names(policy.denyCommands)) return `Command ${name} is not allowed: an administrator took it away. ${allowed}`;
  const command = Object.hasOwn(COMMANDS, canonical) ? COMMANDS[canonical] : undefined;
  if (command?.why === undefined && command) return undefined;
  if (names(policy.allowCommands) && mayBeAdded(canonical)) return undefined;
  const alias = canonical === name ? '' : `, a second name of ${canonical},`;
  const why = command?.why ?? 'it is no command of the platform that is known to read only';
  return `Command ${name}${alias} is not allowed: ${why}. ${allowed}`;
}

/** Whether a command runs a program or sends data, under any of its names. */
export const runsOrSends = (name: string): boolean => kindOf(canonicalName(name)) === 'runs_or_sends';

const kindOf = (canonical: string): CommandKind | undefined =>
  Object.hasOwn(COMMANDS, canonical) ? COMMANDS[canonical]?.kind : undefined;

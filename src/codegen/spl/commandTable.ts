import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface SourceCommand {
  name: string;
  kind?: string;
  verdict: 'allow' | 'allow_checked' | 'refuse';
  why?: string;
  aliases?: string[];
  security_content_searches: number;
}

interface Source {
  splunk_version: string;
  commands: SourceCommand[];
  aliases: { name: string; alias_of: string }[];
  of_add_ons: SourceCommand[];
}

const SOURCE = join(import.meta.dirname, 'commands.json');
/** Number of commands that a refusal names. */
const USUAL = 24;

const readSource = (): Source => JSON.parse(readFileSync(SOURCE, 'utf8')) as Source;

/** Kinds of commands in the order and words of the guide. */
const KINDS: readonly (readonly [string, string])[] = [
  ['generates', 'read events, metrics or lists'],
  ['transforms', 'read what is before them'],
  ['nested', 'with searches in brackets, each judged'],
  ['reads_lookups', 'read lookups and data models'],
  ['writes', 'refused: write'],
  ['runs_or_sends', 'refused: run programs or send'],
  ['other_objects', 'refused: read or run what is of others'],
  ['admin_or_internal', 'refused: for administrators, internal or deprecated'],
  ['of_add_ons', 'refused: of add-ons'],
];

/** Table of all commands for the guide. */
export function commandKinds(): string {
  const { commands, of_add_ons } = readSource();
  const rows = KINDS.map(([kind, words]) => {
    const names = [...commands, ...of_add_ons].filter((command) => kindOf(command) === kind).map(nameWithAliases);
    return `| ${words} | ${names.join(', ')} |`;
  });
  return ['| | Commands |', '|---|---|', ...rows].join('\n');
}

const nameWithAliases = ({ name, aliases = [] }: SourceCommand): string =>
  aliases.length === 0 ? `\`${name}\`` : `\`${name}\` (${aliases.map((alias) => `\`${alias}\``).join(', ')})`;

/** Table of the guard's commands, from `commands.json`. */
export function commandTable(): string {
  const source = readSource();
  const commands = [...source.commands, ...source.of_add_ons];
  const kinds = [...new Set(commands.map(kindOf))].sort();
  const usual = source.commands
    .filter(({ verdict }) => verdict !== 'refuse')
    .sort((a, b) => b.security_content_searches - a.security_content_searches)
    .slice(0, USUAL)
    .map(({ name }) => name);
  const aliases = new Map([
    ...commands.flatMap(({ name, aliases = [] }) => aliases.map((alias) => [alias, name] as const)),
    ...source.aliases.map(({ name, alias_of }) => [name, alias_of] as const),
  ]);
  return [
    '// Generated from commands.json (npm run generate).',
    '',
    `export type CommandKind =\n${kinds.map((kind) => `  | '${kind}'`).join('\n')};`,
    '',
    '/** A command; one that is refused says why. */',
    'export interface CommandRow {\n  kind: CommandKind;\n  why?: string;\n}',
    '',
    `/** Commands of version ${source.splunk_version}, and some of add-ons. */`,
    'export const COMMANDS: Readonly<Record<string, CommandRow>> = {',
    ...commands.map((command) => `  ${key(command.name)}: ${row(command)},`),
    '};',
    '',
    '/** Second names of commands. */',
    'export const ALIASES: Readonly<Record<string, string>> = {',
    ...[...aliases].sort(([a], [b]) => (a < b ? -1 : 1)).map(([alias, name]) => `  ${key(alias)}: '${name}',`),
    '};',
    '',
    '/** Commands that published searches use most. */',
    'export const USUAL_COMMANDS: readonly string[] = [',
    ...usual.map((name) => `  '${name}',`),
    '];',
    '',
  ].join('\n');
}

const kindOf = ({ kind }: SourceCommand): string => kind ?? 'of_add_ons';

const key = (name: string): string => (/^[a-z_]\w*$/.test(name) ? name : `'${name}'`);

function row(command: SourceCommand): string {
  const { verdict, why = 'the platform uses it itself' } = command;
  const reason = verdict === 'refuse' ? `, why: '${why.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'` : '';
  return `{ kind: '${kindOf(command)}'${reason} }`;
}

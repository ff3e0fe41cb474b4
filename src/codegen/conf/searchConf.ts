import { AUDIT_SOURCETYPE } from '../../contract/audit.ts';
import { ALERT_PARAM_DEFAULTS, ALERT_SOURCETYPE } from '../../contract/families/alerts.ts';
import { RUN_SOURCETYPE } from '../../contract/families/runs.ts';
import { USAGE_SOURCETYPE } from '../../contract/families/usage.ts';
import type { Command } from '../../search/command.ts';
import { commands } from '../../search/table.ts';
import { confFile, stanza } from './conf.ts';

const syntax = (command: Command): string =>
  [
    command.name,
    ...Object.entries(command.arguments).map(([name, argument]) =>
      argument.isRequired ? `${name}=${argument.syntax}` : `(${name}=${argument.syntax})?`,
    ),
    ...(command.others ? [`(${command.others.syntax})*`] : []),
  ].join(' ');

/** The command's getinfo reply declares everything else. */
export function commandsConf(): string {
  // A preview of a risky command would send, and bill, the same rows twice.
  const risky = { is_risky: 'true', run_in_preview: 'false' };
  return confFile(
    ...commands.map(({ name, isRisky }) =>
      stanza(name, { chunked: 'true', filename: `${name}.sh`, ...(isRisky ? risky : {}) }),
    ),
  );
}

/** The file name selects the command. */
const LAUNCHER = `#!/bin/sh
# Generated from the table of search commands (npm run generate).
case $0 in */*) . "\${0%/*}/command.sh" ;; *) . ./command.sh ;; esac
`;

/** Launchers named in commands.conf. */
export const commandLaunchers: Readonly<Record<string, () => string>> = Object.fromEntries(
  commands.map(({ name }) => [`bin/${name}.sh`, () => LAUNCHER]),
);

/** Help in the search bar. */
export function searchbnfConf(): string {
  return confFile(
    ...commands.map((command) => {
      const { summary, description, examples, tags } = command.help;
      const entries = examples.flatMap(({ search, comment }, index) => [
        [`example${index + 1}`, search],
        [`comment${index + 1}`, comment],
      ]);
      return stanza(`${command.name}-command`, {
        syntax: syntax(command),
        shortdesc: summary,
        description,
        usage: 'public',
        ...Object.fromEntries(entries),
        tags,
      });
    }),
  );
}

export function commandsMd(): string {
  return [
    '<!-- Generated from the table of search commands (npm run generate). -->',
    '',
    '# Search commands',
    '',
    'Arguments are written `name=value`, with or without quotes. They are optional unless marked as required.',
    '',
    ...commands.flatMap(section),
  ].join('\n');
}

function section(command: Command): string[] {
  const { summary, description, examples } = command.help;
  const rows = Object.entries(command.arguments).map(
    ([name, { syntax: takes, help, isRequired }]) =>
      `| \`${name}\` | \`${takes.replaceAll('|', '\\|')}\` | ${isRequired ? 'required: ' : ''}${help.replaceAll('|', '\\|')} |`,
  );
  const { others } = command;
  if (others) rows.push(`| any other name | \`${others.syntax}\` | ${others.help} |`);
  return [
    `## \`| ${command.name}\``,
    '',
    `${summary} ${description}`,
    '',
    `- kind: ${command.kind}`,
    `- fields: ${command.fields.map((field) => `\`${field}\``).join(', ')}`,
    '',
    '| argument | takes | |',
    '|---|---|---|',
    ...rows,
    '',
    ...examples.flatMap(({ search, comment }) => [comment, '', '```', search, '```', '']),
  ];
}

/** Each line of the events of the app is one JSON object. */
export function propsConf(): string {
  const jsonLines = {
    CHARSET: 'UTF-8',
    KV_MODE: 'json',
    SHOULD_LINEMERGE: 'false',
    TRUNCATE: '0',
    TIME_PREFIX: '"time":',
    TIME_FORMAT: '%s.%3Q',
    MAX_TIMESTAMP_LOOKAHEAD: '20',
  };
  const ofRuns = [RUN_SOURCETYPE, ALERT_SOURCETYPE, ALERT_PARAM_DEFAULTS.sourcetype];
  return confFile(...[AUDIT_SOURCETYPE, USAGE_SOURCETYPE, ...ofRuns].map((name) => stanza(name, jsonLines)));
}

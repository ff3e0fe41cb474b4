import { useEffect } from 'react';
import { ARGUMENT_TYPES, SEARCH_TOOL_DEFAULTS as PRESET } from '../../../../src/contract/families/searchTools.ts';
import type { FormField, FormSpec, NoteProps, Section } from '../../../parts/form/spec.ts';
import { SHARING, SHARING_LEFT_OUT } from '../../../parts/panel/sharing.tsx';
import { type Argument, withNamed } from './namedArguments.ts';

const DESCRIPTION = { path: 'description', label: 'Description', help: 'What the model is told', area: true } as const;

/** Keeps the arguments in step with the search while it is typed. */
function NamedArguments({ values, put }: NoteProps) {
  const search = String(values.search ?? '');
  const args = Array.isArray(values.arguments) ? (values.arguments as Argument[]) : [];
  const next = withNamed(args, search);
  const isSame = JSON.stringify(next) === JSON.stringify(args);
  useEffect(() => {
    if (!isSame) put('arguments', next);
  });
  return <small>Arguments are taken from the search: write $name$ where a value belongs.</small>;
}

const ARGUMENTS: FormField = {
  path: 'arguments',
  label: 'Arguments',
  atomic: true,
  entries: {
    one: 'argument',
    fields: [
      { path: 'name', label: 'Name' },
      { path: 'type', label: 'Type', options: Object.fromEntries(ARGUMENT_TYPES.map((type) => [type, type])) },
      { path: 'description', label: 'Description' },
      { path: 'is_required', label: 'Required', initial: true },
      { path: 'default', label: 'Default' },
      { path: 'enum', label: 'Only these values' },
      { path: 'minimum', label: 'Smallest number' },
      { path: 'maximum', label: 'Largest number' },
      { path: 'wildcards', label: 'May contain *' },
    ],
  },
};

const search: Section = {
  title: 'Search',
  note: (props) => <NamedArguments {...props} />,
  fields: [
    {
      path: 'search',
      label: 'SPL',
      area: true,
      placeholder: 'search index=main host="$host$" | stats count by sourcetype',
    },
    ARGUMENTS,
    { path: 'earliest', label: 'Earliest', initial: PRESET.earliest },
    { path: 'latest', label: 'Latest', initial: PRESET.latest },
    { path: 'app', label: 'App', initial: PRESET.app },
    { path: 'max_rows', label: 'Max rows', initial: PRESET.max_rows, help: '1 to 1000' },
    { path: 'timeout_s', label: 'Time limit in seconds', initial: PRESET.timeout_s, help: '1 to 100' },
    { path: 'is_enabled', label: 'Enabled', initial: PRESET.is_enabled },
  ],
};

export const CREATE: FormSpec = {
  sections: [{ fields: [{ path: 'name', label: 'Name' }, DESCRIPTION] }, search, SHARING],
  leftOut: SHARING_LEFT_OUT,
};

export const EDIT: FormSpec = {
  sections: [{ fields: [DESCRIPTION] }, search, SHARING],
  leftOut: { ...SHARING_LEFT_OUT, name: 'Identifies the search tool; cannot be changed', version: 'Sent as read' },
};

export const TEST_OPTIONS: readonly FormField[] = [
  { path: 'values', label: 'Values', help: 'An object: argument and value, such as {"host": "web-1"}' },
  { path: 'confirm', label: 'Run it although it changes something' },
];

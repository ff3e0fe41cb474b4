import Checkbox from '@splunk/react-ui/Checkbox';
import { USAGE_OPERATIONS, type UsageOperation } from '../../../../src/contract/families/usage.ts';
import { LIMIT_DEFAULTS } from '../../../../src/contract/families/usageLimits.ts';
import type { FieldProps, FormSpec, Section } from '../../../parts/form/spec.ts';
import { ACTIONS, SUBJECTS, WINDOWS } from './words.tsx';

const DESCRIPTION = { path: 'description', label: 'Description', area: true } as const;

function Operations({ value = [], error, onChange }: FieldProps) {
  const chosen = new Set(value as readonly UsageOperation[]);
  const toggle = (operation: UsageOperation) =>
    onChange(USAGE_OPERATIONS.filter((candidate) => chosen.has(candidate) !== (candidate === operation)));
  return USAGE_OPERATIONS.map((operation) => (
    <Checkbox
      key={operation}
      checked={chosen.has(operation)}
      error={error !== undefined}
      onChange={() => toggle(operation)}
    >
      {operation}
    </Checkbox>
  ));
}

const amount: Section = {
  title: 'Amount',
  fields: [
    { path: 'window', label: 'Period', options: WINDOWS, initial: 'day' },
    { path: 'requests', label: 'Requests', help: 'Maximum per period; 0 blocks all' },
    { path: 'tokens', label: 'Tokens', help: 'Input and output together' },
    { path: 'cost', label: 'Cost', help: 'US dollars. Uses without a price do not count' },
    { path: 'per', label: 'For', options: SUBJECTS, initial: LIMIT_DEFAULTS.per },
    { path: 'action', label: 'When exceeded', options: ACTIONS, initial: LIMIT_DEFAULTS.action },
    { path: 'is_enabled', label: 'Enabled', initial: LIMIT_DEFAULTS.is_enabled },
  ],
};

const holds: Section = {
  title: 'Applies to',
  note: () => 'A use counts if it matches every field that is filled in. Leave all empty to count every use.',
  fields: [
    { path: 'applies_to.users', label: 'Users' },
    {
      path: 'applies_to.roles',
      label: 'Roles',
      from: 'roles',
      help: 'If limits differ only in roles, the highest applies',
    },
    {
      path: 'applies_to.models',
      label: 'Models',
      help: 'Aliases, or references such as connection/model; * for all',
    },
    {
      path: 'applies_to.operations',
      label: 'Operations',
      help: 'Leave all unticked for all',
      control: (props) => <Operations {...props} />,
    },
  ],
};

export const CREATE: FormSpec = {
  sections: [{ fields: [{ path: 'name', label: 'Name' }, DESCRIPTION] }, amount, holds],
  leftOut: {},
};

export const EDIT: FormSpec = {
  sections: [{ fields: [DESCRIPTION] }, amount, holds],
  leftOut: { name: 'Identifies the limit; cannot be changed', version: 'Sent as read' },
};

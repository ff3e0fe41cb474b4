import type { FormField, FormSpec, Section } from '../../../parts/form/spec.ts';
import { SHARING, SHARING_LEFT_OUT } from '../../../parts/panel/sharing.tsx';
import { SavedModel } from '../../../parts/SavedModel.tsx';
import { FallbackCodes } from './FallbackCodes.tsx';

const DESCRIPTION = { path: 'description', label: 'Description', area: true } as const;

const TARGETS: FormField = {
  path: 'targets',
  label: 'Targets',
  help: 'Saved LLM configurations, in the order in which they are tried',
  atomic: true,
  entries: {
    one: 'target',
    fields: [
      { path: 'service', label: 'Service' },
      { path: 'connection_name', label: 'Connection' },
      { path: 'model', label: 'Model' },
    ],
    control: ({ value, error, onChange }) => (
      <SavedModel value={value as object} hasError={error !== undefined} onChange={onChange} />
    ),
  },
};

export const STRATEGIES = { first: 'The first one', spread: 'A random one' } as const;

const routing: Section = {
  title: 'Models',
  fields: [
    TARGETS,
    {
      path: 'strategy',
      label: 'Strategy',
      options: STRATEGIES,
      initial: 'first',
      help: 'Which target is tried first; the others follow in their order',
    },
    {
      path: 'fallback_on',
      label: 'Try the next target after',
      help: 'After any other failure the call fails',
      control: (props) => <FallbackCodes {...props} />,
    },
  ],
};

const defaults: Section = {
  title: 'Defaults',
  fields: [
    { path: 'defaults.temperature', label: 'Temperature', help: '0 (most predictable) to 2' },
    { path: 'defaults.max_tokens', label: 'Max output tokens' },
    { path: 'defaults.system_prompt', label: 'System prompt', area: true },
  ],
};

export const CREATE: FormSpec = {
  sections: [{ fields: [{ path: 'name', label: 'Name' }, DESCRIPTION] }, routing, defaults, SHARING],
  leftOut: SHARING_LEFT_OUT,
};

export const EDIT: FormSpec = {
  sections: [{ fields: [DESCRIPTION] }, routing, defaults, SHARING],
  leftOut: { ...SHARING_LEFT_OUT, name: 'Identifies the alias; cannot be changed', version: 'Sent as read' },
};

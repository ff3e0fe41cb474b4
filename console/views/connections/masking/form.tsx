import { MASKED_OPERATIONS, MASKED_SERVICES, POLICY_DEFAULTS } from '../../../../src/contract/families/masking.ts';
import type { FormField, FormSpec, NoteProps, Section } from '../../../parts/form/spec.ts';
import { Choices, Kinds, OwnKinds, Preview } from './lazy.ts';
import { IMAGES, SECRETS_MASKED } from './words.ts';

const DESCRIPTION = { path: 'description', label: 'Description', area: true } as const;
const ENABLED: FormField = { path: 'is_enabled', label: 'Enabled', initial: POLICY_DEFAULTS.is_enabled };

const kinds: Section = {
  title: 'What is masked',
  note: () =>
    'Mask: a placeholder is sent, and the value is put back in the answer. Refuse: a request that holds one is not sent.',
  fields: [
    {
      ...{ path: 'kinds', label: 'Kinds of values', atomic: true, initial: SECRETS_MASKED },
      help: 'Found by rules. Names of people in free text are not found: name the fields that hold them.',
      control: (props) => <Kinds {...props} />,
    },
  ],
};

const own: Section = {
  title: 'Fields and patterns',
  note: (props) => <OwnKinds {...props} />,
  fields: [
    { path: 'fields', label: 'Named fields', help: 'Their values are masked wherever they stand in a request' },
    {
      ...{ path: 'patterns', label: 'Own patterns', atomic: true, help: 'Regular expressions of RE2, at most 50' },
      entries: {
        one: 'pattern',
        fields: [
          { path: 'label', label: 'Label', help: 'Begins the placeholders: small letters and digits' },
          { path: 'pattern', label: 'Pattern', placeholder: 'EMP[0-9]{6}' },
          { path: 'keyword', label: 'Keyword', help: 'Only where this word stands shortly before' },
        ],
      },
    },
    { path: 'never', label: 'Never masked', help: 'Names, *.suffix of hosts, networks such as 192.0.2.0/24' },
    { path: 'regions', label: 'Countries', help: 'Whose telephone numbers are found without +, such as DE or US' },
    { path: 'images', label: 'Images', options: IMAGES, initial: POLICY_DEFAULTS.images },
  ],
};

const applies: Section = {
  title: 'Applies to',
  note: () => 'A use counts if it matches every field that is filled in. Leave all empty for every use.',
  fields: [
    {
      ...{ path: 'applies_to.services', label: 'Services', help: 'Leave all unticked for all' },
      control: (props) => <Choices {...props} all={MASKED_SERVICES} />,
    },
    {
      ...{ path: 'applies_to.operations', label: 'Operations' },
      help: 'All unticked: chats and agents whole, embeddings for secrets alone',
      control: (props) => <Choices {...props} all={MASKED_OPERATIONS} />,
    },
    { path: 'applies_to.connections', label: 'Connections' },
    { path: 'applies_to.aliases', label: 'Aliases' },
    { path: 'applies_to.roles', label: 'Roles', from: 'roles' },
  ],
};

/** The fields that a preview takes, as the form has them. */
const rulesOf = (values: NoteProps['values']) =>
  Object.fromEntries(
    ['kinds', 'fields', 'patterns', 'never', 'regions'].flatMap((path) =>
      values[path] === undefined ? [] : [[path, values[path]]],
    ),
  );

const preview: Section = {
  title: 'Preview',
  note: ({ values }) => <Preview body={() => ({ policy: { kinds: {}, ...rulesOf(values) } })} />,
  fields: [],
};

export const CREATE: FormSpec = {
  sections: [{ fields: [{ path: 'name', label: 'Name' }, DESCRIPTION, ENABLED] }, kinds, own, applies, preview],
  leftOut: {},
};

export const EDIT: FormSpec = {
  sections: [{ fields: [DESCRIPTION, ENABLED] }, kinds, own, applies, preview],
  leftOut: { name: 'Identifies the policy; cannot be changed', version: 'Sent as read' },
};

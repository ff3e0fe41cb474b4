import type { FormField, FormSpec, Section } from '../../../parts/form/spec.ts';
import { SHARING, SHARING_LEFT_OUT } from '../../../parts/panel/sharing.tsx';

const DESCRIPTION = { path: 'description', label: 'Description', area: true } as const;

const base: Section = {
  title: 'Knowledge base',
  fields: [
    { path: 'details.cloud_region', label: 'Region', placeholder: 'eu-central-1', help: 'AWS region' },
    { path: 'details.kb_id', label: 'Knowledge base id', placeholder: 'ABCDE12345', help: '10 letters or digits' },
  ],
};

const access: Section = {
  title: 'Access to AWS',
  fields: [
    {
      path: 'details.cloud_access_key_id',
      label: 'Access key id',
      help: 'Leave both keys empty to use the role of the machine',
    },
    {
      path: 'details.cloud_access_key_token',
      label: 'Secret access key',
      help: 'Re-enter after changing region or role.',
    },
    {
      path: 'details.role_arn',
      label: 'Role to assume',
      placeholder: 'arn:aws:iam::123456789012:role/retrieve',
      help: 'Leave empty to use the keys directly',
    },
  ],
};

const ONLY_TYPE = 'There is only one type; it is always sent';

export const CREATE: FormSpec = {
  sections: [{ fields: [{ path: 'name', label: 'Name' }, DESCRIPTION] }, base, access, SHARING],
  leftOut: { ...SHARING_LEFT_OUT, type: ONLY_TYPE },
};

export const EDIT: FormSpec = {
  sections: [{ fields: [DESCRIPTION] }, base, access, SHARING],
  leftOut: {
    ...SHARING_LEFT_OUT,
    name: 'Identifies the store; cannot be changed',
    type: ONLY_TYPE,
    version: 'Sent as read',
  },
};

export const TEST_OPTIONS: readonly FormField[] = [
  {
    path: 'query',
    label: 'Test query',
    help: 'Search the knowledge base for it. Leave empty to check its state only.',
  },
];

import type { FormSpec, Place, Section } from '../../../parts/form/spec.ts';
import { SHARING, SHARING_LEFT_OUT } from '../../../parts/panel/sharing.tsx';

const DESCRIPTION = { path: 'description', label: 'Description', area: true } as const;

const base: Section = {
  title: 'Knowledge base',
  places: [
    { path: 'details.cloud_region', label: 'Region', placeholder: 'eu-central-1', help: 'AWS region where it is' },
    { path: 'details.kb_id', label: 'Knowledge base id', placeholder: 'ABCDE12345', help: '10 letters or digits' },
  ],
};

const access: Section = {
  title: 'Access to AWS',
  places: [
    {
      path: 'details.cloud_access_key_id',
      label: 'Access key id',
      help: 'Leave it and the secret key empty to use the role of the machine itself',
    },
    {
      path: 'details.cloud_access_key_token',
      label: 'Secret access key',
      help: 'Has to be typed in again if the region or the role is changed: it is sent only where it was meant to go',
    },
    {
      path: 'details.role_arn',
      label: 'Role to assume',
      placeholder: 'arn:aws:iam::123456789012:role/retrieve',
      help: 'Leave it empty to use the keys as they are',
    },
  ],
};

const ONLY_TYPE = 'There is one kind only; it is sent along';

export const CREATE: FormSpec = {
  sections: [{ places: [{ path: 'name', label: 'Name' }, DESCRIPTION] }, base, access, SHARING],
  leftOut: { ...SHARING_LEFT_OUT, type: ONLY_TYPE },
};

export const EDIT: FormSpec = {
  sections: [{ places: [DESCRIPTION] }, base, access, SHARING],
  leftOut: {
    ...SHARING_LEFT_OUT,
    name: 'Says which store is meant; it cannot be changed',
    type: ONLY_TYPE,
    version: 'Sent as it was read',
  },
};

export const TEST_OPTIONS: readonly Place[] = [
  {
    path: 'query',
    label: 'Text to look for',
    help: 'Also searches the knowledge base for it. Left empty, the test only asks for its state.',
  },
];

import type { Acl } from '../../../client/src/index.ts';
import type { FormSpec, Section } from '../form/spec.ts';
import { Time } from '../text/Time.tsx';
import type { Facts } from './resource.ts';

const isShared = (values: Readonly<Record<string, unknown>>) => (values['acl.sharing'] ?? 'user') !== 'user';

export const SHARING: Section = {
  title: 'Who may use it',
  fields: [
    {
      path: 'acl.sharing',
      label: 'Sharing',
      help: 'The owner can always read and write',
      options: { user: 'Only the owner', app: 'The roles below', global: 'The roles below, in all apps' },
    },
    { path: 'acl.perms.read', label: 'Roles that may read', from: 'roles', showIf: isShared },
    { path: 'acl.perms.write', label: 'Roles that may write', from: 'roles', showIf: isShared },
  ],
};

/** For users who may change a record but not its sharing. */
export const withoutSharing = (spec: FormSpec): FormSpec => ({
  ...spec,
  sections: spec.sections.filter((section) => section !== SHARING),
});

export const SHARING_LEFT_OUT = {
  'acl.owner': 'Changing the owner is rare; use the API',
} as const;

const names = (roles: readonly string[]): string =>
  roles.length === 0 ? 'nobody else' : roles.map((role) => (role === '*' ? 'everyone' : role)).join(', ');

interface RecordMetadata {
  version: number;
  created_at: number;
  created_by: string;
  last_updated_at: number;
  last_updated_by: string;
}

export const sharingFacts = ({ owner, sharing, perms }: Acl): Facts => ({
  title: 'Who may use it',
  rows: [
    ['Owner', owner],
    ['May read', sharing === 'user' ? 'only the owner' : names(perms.read)],
    ['May write', sharing === 'user' ? 'only the owner' : names(perms.write)],
  ],
});

export const historyFacts = ({
  version,
  created_at,
  created_by,
  last_updated_at,
  last_updated_by,
}: RecordMetadata): Facts => ({
  title: 'History',
  rows: [
    [
      'Created',
      <>
        <Time at={created_at} /> by {created_by}
      </>,
    ],
    [
      'Changed',
      <>
        <Time at={last_updated_at} /> by {last_updated_by}
      </>,
    ],
    ['Version', version],
  ],
});

import type { Values } from '../../../parts/form/facts.ts';
import type { FormField, FormSpec, Section } from '../../../parts/form/spec.ts';
import { SHARING, SHARING_LEFT_OUT } from '../../../parts/panel/sharing.tsx';
import { ModelReference } from '../../../parts/SavedModel.tsx';
import { TYPES } from './words.ts';

const NAME = { path: 'name', label: 'Name' } as const;
const DESCRIPTION = { path: 'description', label: 'Description', area: true } as const;
const TYPE: FormField = {
  path: 'type',
  label: 'Type',
  kind: 'choice',
  options: TYPES,
  initial: 'BUILT_IN',
  help: 'Cannot be changed later',
};

const is =
  (...types: readonly (keyof typeof TYPES)[]) =>
  ({ type }: Values): boolean =>
    types.some((each) => each === type);

const required = (path: string, label: string, help: string, more?: Partial<FormField>): FormField => ({
  ...{ path: `details.${path}`, label, help, required: true, ...more },
});
const optional = (path: string, label: string, help: string, more?: Partial<FormField>): FormField => ({
  ...{ path: `details.${path}`, label, help, ...more },
});

const CA = optional('ca_certificate', 'CA certificates', 'PEM; leave empty for the default authorities', {
  area: true,
});

/** Fields of each type; types share paths, which are shown for one type at a time. */
export const OF_TYPES: readonly Section[] = [
  {
    title: 'Knowledge base',
    showIf: is('CLOUD_KB'),
    fields: [
      required('cloud_region', 'Region', 'AWS region', { placeholder: 'eu-central-1' }),
      required('kb_id', 'Knowledge base id', '10 letters or digits', { placeholder: 'ABCDE12345' }),
    ],
  },
  {
    title: 'Access to AWS',
    showIf: is('CLOUD_KB'),
    fields: [
      optional('cloud_access_key_id', 'Access key id', 'Leave both keys empty to use the role of the machine'),
      optional('cloud_access_key_token', 'Secret access key', 'Re-enter after changing region or role.'),
      optional('role_arn', 'Role to assume', 'Leave empty to use the keys directly', {
        placeholder: 'arn:aws:iam::123456789012:role/retrieve',
      }),
    ],
  },
  {
    title: 'Index',
    showIf: is('OPENSEARCH'),
    fields: [
      required('url', 'Address', 'http or https', { placeholder: 'https://search.example.com:9200' }),
      required('index', 'Index', 'An existing index'),
      required('vector_field', 'Vector field', 'Field with the vectors'),
      required('text_field', 'Text field', 'Field with the texts'),
      optional('id_field', 'Id field', 'Field with the ids of documents; leave empty for the ids of entries'),
      optional('metadata_field', 'Metadata field', 'An object; leave empty for all other fields'),
    ],
  },
  {
    title: 'Sign-in',
    showIf: is('OPENSEARCH'),
    fields: [
      optional('username', 'User name', 'Leave empty with an API key, or where none is asked for'),
      optional('password', 'Password', 'Re-enter after changing the address'),
      optional('api_key', 'API key', 'In place of user name and password'),
      optional('verify_tls', 'Verify the server certificate', '', { initial: true }),
      CA,
    ],
  },
  {
    title: 'Table',
    showIf: is('PGVECTOR'),
    fields: [
      required('host', 'Host', 'Name or address of PostgreSQL', { placeholder: 'db.example.com' }),
      optional('port', 'Port', 'Leave empty for 5432'),
      required('database', 'Database', 'An existing database'),
      required('table', 'Table', 'An existing table, or schema.table'),
      required('id_column', 'Id column', 'Column with the ids'),
      required('text_column', 'Text column', 'Column with the texts'),
      required('vector_column', 'Vector column', 'Column of type vector'),
      optional('metadata_column', 'Metadata column', 'Column of type json or jsonb; leave empty if there is none'),
    ],
  },
  {
    title: 'Sign-in',
    showIf: is('PGVECTOR'),
    fields: [
      optional('username', 'User name', 'Leave empty where none is asked for'),
      optional('password', 'Password', 'Re-enter after changing the host, the port or TLS'),
      optional('ssl', 'TLS', 'Passwords and texts can be read on the way without TLS', {
        kind: 'choice',
        options: { verify: 'With a verified certificate', require: 'With any certificate', off: 'Without TLS' },
        initial: 'verify',
      }),
      CA,
    ],
  },
  {
    title: 'Embedding',
    showIf: is('BUILT_IN', 'OPENSEARCH', 'PGVECTOR'),
    fields: [
      required('embedding_model', 'Embedding model', 'Makes the vectors of passages and queries', {
        control: ({ value, error, onChange }) => (
          <ModelReference
            value={typeof value === 'string' ? value : ''}
            hasError={error !== undefined}
            onChange={onChange}
          />
        ),
      }),
      optional('chunk_tokens', 'Tokens of a passage', 'At most; leave empty for 400'),
      optional('overlap_tokens', 'Overlap', 'Tokens that a passage repeats of the one before; leave empty for 50'),
    ],
  },
];

export const CREATE: FormSpec = {
  sections: [{ fields: [NAME, TYPE, DESCRIPTION] }, ...OF_TYPES, SHARING],
  leftOut: SHARING_LEFT_OUT,
};

export const EDIT: FormSpec = {
  // The type selects the fields; it is not sent.
  sections: [{ showIf: () => false, fields: [TYPE] }, { fields: [DESCRIPTION] }, ...OF_TYPES, SHARING],
  leftOut: {
    ...SHARING_LEFT_OUT,
    name: 'Identifies the store; cannot be changed',
    version: 'Sent as read',
  },
};

export const TEST_OPTIONS: readonly FormField[] = [
  { path: 'query', label: 'Test query', help: 'Search the store for it. Leave empty to check its state only.' },
];

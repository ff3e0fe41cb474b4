import type { FormSpec, Section } from '../../../parts/form/spec.ts';
import { SHARING, SHARING_LEFT_OUT } from '../../../parts/panel/sharing.tsx';
import { UnmaskKinds } from './UnmaskKinds.tsx';

const isTracker = (values: Readonly<Record<string, unknown>>) => values.type === 'ISSUE_TRACKER';

const address: Section = {
  title: 'Server',
  fields: [
    { path: 'details.url', label: 'Address', placeholder: 'https://mcp.example.com/mcp', help: 'http or https' },
    { path: 'details.token', label: 'Token', help: 'Sent as a bearer token' },
    { path: 'details.headers', label: 'Other headers' },
    { path: 'details.verify_tls', label: 'Verify the server certificate' },
    { path: 'details.ca_certificate', label: 'CA certificates', area: true },
  ],
};

const oauth: Section = {
  title: 'OAuth',
  showIf: isTracker,
  fields: [
    { path: 'details.is_auto_refresh_enabled', label: 'Refresh the token before it expires' },
    { path: 'details.client_id', label: 'Client id' },
    { path: 'details.client_secret', label: 'Client secret' },
    { path: 'details.refresh_token', label: 'Refresh token' },
    { path: 'details.token_url', label: 'Token endpoint', help: 'Leave empty to use discovery' },
    {
      path: 'details.scope',
      label: 'Scopes',
      help: 'Separated by spaces; leave empty if the server does not ask for them',
    },
  ],
};

const masking: Section = {
  title: 'Masking',
  fields: [
    {
      path: 'details.unmask_kinds',
      label: 'Values for the server',
      help: 'Kinds that it may always get in arguments of its tools. Of the others it gets only values that it has sent itself in the same run',
      control: (props) => <UnmaskKinds {...props} />,
    },
  ],
};

const TOOLS_LEFT_OUT = { tools_allowed: 'Chosen in the list of tools' };

const NAME = { path: 'name', label: 'Name' };
const DESCRIPTION = { path: 'description', label: 'Description', area: true } as const;

export const CREATE: FormSpec = {
  sections: [
    {
      fields: [
        NAME,
        {
          path: 'type',
          label: 'Type',
          initial: 'PLATFORM',
          options: { PLATFORM: 'Server with a bearer token', ISSUE_TRACKER: 'Issue tracker with OAuth' },
          help: 'Cannot be changed later',
        },
        DESCRIPTION,
      ],
    },
    address,
    oauth,
    masking,
    SHARING,
  ],
  leftOut: { ...TOOLS_LEFT_OUT, ...SHARING_LEFT_OUT },
};

export const EDIT: FormSpec = {
  sections: [{ fields: [DESCRIPTION] }, address, oauth, masking, SHARING],
  leftOut: {
    ...TOOLS_LEFT_OUT,
    ...SHARING_LEFT_OUT,
    name: 'Identifies the connection; cannot be changed',
    type: 'Cannot be changed',
    version: 'Sent as read',
  },
};

import type { McpConnection } from '../../../../client/src/index.ts';
import { ml } from '../../../api/client.ts';
import { lazyPart } from '../../../parts/lazyPart.tsx';
import { ResourcePage } from '../../../parts/panel/ResourcePage.tsx';
import { type Body, createList, type Resource, type TestResult } from '../../../parts/panel/resource.ts';
import { historyFacts, sharingFacts } from '../../../parts/panel/sharing.tsx';
import { StateBadge, type Tone } from '../../../parts/text/Badge.tsx';
import { LastTestCell } from '../../../parts/text/LastTestCell.tsx';
import { Time } from '../../../parts/text/Time.tsx';
import { CREATE, EDIT } from './form.tsx';

const Tools = lazyPart(() => import('./Tools.tsx'));

const TYPES = { PLATFORM: 'Server', ISSUE_TRACKER: 'Issue tracker' } as const;

const AUTH: Readonly<Record<McpConnection['auth_state'], [words: string, tone: Tone]>> = {
  ok: ['signed in', 'success'],
  refresh_due: ['token refresh due', 'info'],
  reauth_required: ['sign in again', 'error'],
  unknown: ['not tested yet', 'outline'],
};

function AuthState({ state }: { state: McpConnection['auth_state'] }) {
  const [words, tone] = AUTH[state];
  return <StateBadge tone={tone}>{words}</StateBadge>;
}

const allowed = ({ tools_allowed }: McpConnection): string =>
  tools_allowed === undefined ? 'all' : String(tools_allowed.length);

const MCP: Resource<McpConnection> = {
  key: 'mcp',
  one: 'MCP connection',
  many: 'MCP connections',
  about: 'An MCP connection is an MCP server with its credentials; agents call its tools.',
  sortedBy: { key: 'name', dir: 'asc' },
  nameOf: ({ name }) => name,
  versionOf: ({ version }) => version,
  list: createList('listMcpConnections'),
  async read(name, signal) {
    return (await ml.call('getMcpConnection', { params: { name } }, { signal })).config;
  },
  columns: [
    { label: 'Name', sort: 'name', cell: ({ name }) => name },
    { label: 'Type', sort: 'type', cell: ({ type }) => TYPES[type] },
    { label: 'Address', width: 190, cell: ({ details }) => details.url },
    { label: 'Sign-in', cell: ({ auth_state }) => <AuthState state={auth_state} /> },
    { label: 'Tools allowed', cell: allowed },
    { label: 'Last test', cell: ({ last_test }) => <LastTestCell test={last_test} /> },
    { label: 'Owner', cell: ({ acl }) => acl.owner },
    { label: 'Changed', sort: 'last_updated_at', cell: ({ last_updated_at }) => <Time at={last_updated_at} /> },
  ],
  facts: (record) => {
    const { type, description, details, auth_state, last_test, transport_detected } = record;
    return [
      {
        rows: [
          ['Type', TYPES[type]],
          ['Description', description],
          ['Address', details.url],
          ['Sign-in', <AuthState key="auth" state={auth_state} />],
          ['Last test', <LastTestCell key="test" test={last_test} />],
          ['Transport', transport_detected],
          ['Certificate', details.verify_tls === false ? 'not verified' : 'verified'],
          ['Tools allowed', allowed(record)],
        ],
      },
      sharingFacts(record.acl),
      historyFacts(record),
    ];
  },
  more: (record) => <Tools connection={record} />,
  create: {
    operation: 'createMcpConnection',
    spec: CREATE,
    async save(body) {
      return (await ml.call('createMcpConnection', { body: body as never })).config.name;
    },
  },
  edit: {
    operation: 'updateMcpConnection',
    spec: EDIT,
    save: (body, version, { name }) =>
      ml.call('updateMcpConnection', {
        body: { ...body, name, version } as never,
      }),
  },
  remove: {
    operation: 'deleteMcpConnection',
    perform: ({ name, version }, force) =>
      ml.call('deleteMcpConnection', { params: { name }, query: { force }, ifMatch: version }),
  },
  test: { operation: 'testMcpConnection', perform: test },
};

/** A saved record is tested by name; a form is tested with the stored values for the rest. */
async function test(
  record: McpConnection | undefined,
  body: Body | undefined,
  signal: AbortSignal,
): Promise<TestResult> {
  const { details = {}, type, name } = (body ?? {}) as { details?: object; type?: string; name?: string };
  const identity = record ? { name: record.name, type: record.type } : { name, type };
  const { url } = record?.details ?? {};
  const request = body
    ? { ...identity, details: { ...(url === undefined ? {} : { url }), ...details } }
    : { name: identity.name };
  const { success, message, error_code, remedy, data } = await ml.call(
    'testMcpConnection',
    { body: request as never },
    { signal },
  );
  return { success, message, error_code, remedy, ms: data.response_time_ms };
}

export default function McpConnections() {
  return <ResourcePage resource={MCP} />;
}

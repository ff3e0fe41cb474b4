import type { ContainerConnection } from '../../../../client/src/index.ts';
import { MlExtensionError } from '../../../../client/src/index.ts';
import { ml } from '../../../api/client.ts';
import { describeError } from '../../../api/problems.ts';
import { showWarnings } from '../../../parts/LastWarnings.tsx';
import { ResourcePage } from '../../../parts/panel/ResourcePage.tsx';
import type { Body, Facts, Resource, TestResult } from '../../../parts/panel/resource.ts';
import { historyFacts } from '../../../parts/panel/sharing.tsx';
import { LastTestCell } from '../../../parts/text/LastTestCell.tsx';
import { Time } from '../../../parts/text/Time.tsx';
import { TYPES } from './fields.ts';
import { CREATE, EDIT, SWITCHES } from './form.ts';
import { listConnections } from './list.ts';
import { isOn, settingsOf } from './settings.ts';

const LONGEST_NAME = 128;

/** Names of connections are unique per type. */
const nameOf = ({ container_type, connection_name }: ContainerConnection): string =>
  `${container_type}/${connection_name}`;

function paramsOf(name: string): Pick<ContainerConnection, 'container_type' | 'connection_name'> {
  const [type = '', ...nameParts] = name.split('/');
  return { container_type: type as ContainerConnection['container_type'], connection_name: nameParts.join('/') };
}

const addressOf = ({
  container_type,
  docker_url,
  cluster_url,
  cloud_cluster_name,
  in_cluster_mode,
}: ContainerConnection) => {
  if (container_type === 'docker') return docker_url;
  if (cluster_url) return cluster_url;
  return in_cluster_mode === '1' ? 'cluster of the platform' : cloud_cluster_name;
};

/** The values of a form, with switches as booleans. */
function valuesOf(record: ContainerConnection): { payload: Body } {
  const entries = Object.entries(record).map(([name, value]) => [name, SWITCHES.has(name) ? isOn(value) : value]);
  return { payload: Object.fromEntries(entries) };
}

/** The API has switches as texts, some only as '0' and '1'. */
function payloadOf(body: Body): Body {
  const entries = Object.entries((body.payload ?? {}) as Body).map(([name, value]) => {
    if (typeof value !== 'boolean') return [name, value];
    return [name, name === 'in_cluster_mode' ? String(Number(value)) : String(value)];
  });
  return Object.fromEntries(entries);
}

type SaveOperation = 'saveContainerConnection' | 'testContainerConnection';

async function create(how: SaveOperation, body: Body, signal?: AbortSignal): Promise<string> {
  const request = { body: { payload: payloadOf(body) } as never };
  return nameOf(showWarnings(await ml.call(how, request, { signal })).updated_config);
}

async function change(
  how: SaveOperation,
  body: Body,
  version: number | undefined,
  { container_type, connection_name }: ContainerConnection,
  force: boolean,
  signal?: AbortSignal,
): Promise<unknown> {
  const identity = { container_type, connection_name, is_edit: 'true', ...(version === undefined ? {} : { version }) };
  const request = {
    body: { payload: { ...payloadOf(body), ...identity } } as never,
    ...(force ? { query: { force } } : {}),
  };
  return showWarnings(await ml.call(how, request, { signal }));
}

/** Tests the saved connection. */
async function test(
  record: ContainerConnection | undefined,
  _body: Body | undefined,
  signal: AbortSignal,
): Promise<TestResult> {
  if (!record) return { success: false, message: 'Save the connection first' };
  try {
    const { container_type, connection_name } = record;
    const body = { payload: { container_type, connection_name, is_edit: 'true' as const } };
    const reply = showWarnings(await ml.call('testContainerConnection', { body }, { signal }));
    const { last_test } = reply.updated_config;
    return { success: true, ms: last_test?.response_time_ms };
  } catch (error) {
    if (!(error instanceof MlExtensionError) || error.code !== 'verification_failed') throw error;
    const { problems = [] } = error.body as { problems?: readonly string[] };
    const list = problems.length > 1 && (
      <ul>
        {problems.map((problem) => (
          <li key={problem}>{problem}</li>
        ))}
      </ul>
    );
    const { message, code, remedy } = describeError(error);
    return { success: false, message, error_code: code, remedy, details: list };
  }
}

const CONTAINER_CONNECTIONS: Resource<ContainerConnection> = {
  key: 'container-connections',
  one: 'container connection',
  many: 'container connections',
  about: 'A container connection is a Docker engine or Kubernetes cluster that runs containers.',
  sortedBy: { key: 'connection_name', dir: 'asc' },
  nameOf,
  titleOf: ({ connection_name }) => connection_name,
  versionOf: ({ version }) => version,
  list: listConnections,
  async read(name, signal) {
    return (await ml.call('getContainerConnection', { params: paramsOf(name) }, { signal })).config;
  },
  filters: [{ name: 'container_type', label: 'Engine', options: TYPES }],
  columns: [
    { label: 'Name', sort: 'connection_name', cell: ({ connection_name }) => connection_name },
    { label: 'Engine', sort: 'container_type', cell: ({ container_type }) => TYPES[container_type] },
    { label: 'Address', cell: addressOf },
    { label: 'Sign-in', cell: (record) => signInOf(record) },
    { label: 'Last test', cell: ({ last_test }) => <LastTestCell test={last_test} /> },
    { label: 'Changed', sort: 'last_updated_at', cell: ({ last_updated_at }) => <Time at={last_updated_at} /> },
  ],
  facts: (record): Facts[] => [
    {
      rows: [
        ['Engine', TYPES[record.container_type]],
        ['Address', addressOf(record)],
        ['Sign-in', signInOf(record)],
        ...(record.login_host === undefined ? [] : [['Login server', record.login_host] as const]),
        ['Last test', <LastTestCell key="test" test={record.last_test} />],
      ],
    },
    ...settingsOf(record),
    historyFacts(record),
  ],
  create: {
    operation: 'saveContainerConnection',
    spec: CREATE,
    valuesOf: (record) => {
      const name = `${record.connection_name} copy`.slice(0, LONGEST_NAME);
      return valuesOf({ ...record, connection_name: name });
    },
    save: (body) => create('saveContainerConnection', body),
    verify: (body, signal) => create('testContainerConnection', body, signal),
  },
  edit: {
    operation: 'saveContainerConnection',
    spec: EDIT,
    valuesOf,
    save: (body, version, record, force) => change('saveContainerConnection', body, version, record, force),
    verify: (body, version, record, force, signal) =>
      change('testContainerConnection', body, version, record, force, signal),
  },
  remove: {
    operation: 'deleteContainerConnection',
    canForce: false,
    perform: ({ container_type, connection_name, version }) =>
      ml.call('deleteContainerConnection', { params: { container_type, connection_name }, ifMatch: version }),
  },
  test: { operation: 'testContainerConnection', isForSaved: true, perform: test },
};

function signInOf({ container_type, auth_mode, client_cert }: ContainerConnection): string {
  if (container_type === 'docker') return client_cert ? 'client certificate' : 'none';
  const words: Record<string, string> = {
    'cert-key': 'client certificate',
    'user-token': 'bearer token',
    'user-login': 'user and password',
    'cloud-iam': 'cloud',
    'service-account': 'service account',
  };
  return words[auth_mode ?? ''] ?? auth_mode ?? '–';
}

export default function ContainerConnections() {
  return <ResourcePage resource={CONTAINER_CONNECTIONS} />;
}

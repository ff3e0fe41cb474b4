import { Type } from 'typebox';
import { EDIT_CONNECTIONS, READ_CONNECTIONS, READ_CONTAINERS } from '../../contract/capabilities.ts';
import { endpoints } from '../../contract/rows/endpoint.ts';
import {
  ConfigReply,
  ListQuery,
  ListReply,
  OneByName,
  Page,
  Pagination,
  TextMap,
} from '../../contract/schemas/common.ts';
import { named, narrowed } from '../../contract/schemas/named.ts';
import { CONNECTION_SORT_KEYS } from './connections/records.ts';
import { LogEntries, LogsInput, LogsQuery } from './runtime/logs/schemas.ts';
import {
  Catalog,
  LoggingContainer,
  ModelInput,
  ModelParams,
  ModelQuery,
  RuntimeRecord,
  StartedConfig,
  StartInput,
  Stopped,
} from './runtime/schemas.ts';
import {
  ConnectionInput,
  ConnectionParams,
  ConnectionRecord,
  ContainerType,
  ReadName,
  TestedConnection,
  TypeParams,
} from './schemas.ts';

const control = { gate: { all: ['control_containers'] }, flag: 'containers' } as const;

const SAVE_FAULTS = [
  'not_found',
  'duplicate_name',
  'version_conflict',
  'masked_value_without_stored_secret',
  'secret_required_for_new_host',
  'in_use',
] as const;
const ENGINE_FAULTS = ['upstream_error', 'upstream_timeout'] as const;
const SaveQuery = Type.Object({
  is_edit: Type.Optional(
    Type.Boolean({ default: false, description: 'The same as is_edit in the body, which goes before it' }),
  ),
  force: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Point to another engine although containers are running on the present one',
    }),
  ),
});
const Names = (description: string) => Type.Array(Type.String(), { description });
const ConnectionSaved = named(
  'ContainerConnectionSaved',
  Type.Object({ updated_config: ConnectionRecord }, { description: 'The connection, as it was saved' }),
);
const LogReply = Type.Object({ container_logs: LogEntries }, { description: 'The log of one container' });

export const containers = endpoints({
  saveContainerConnection: {
    method: 'POST',
    path: '/ml/container_connection',
    audit: { action: 'save', name: ['body.container_type', 'body.connection_name'], family: 'container-connections' },
    summary: 'Create a container connection, or change it with is_edit.',
    ...EDIT_CONNECTIONS,
    query: SaveQuery,
    body: ConnectionInput,
    wrapped: true,
    conditional: true,
    reply: ConnectionSaved,
    faults: SAVE_FAULTS,
  },
  listContainerConnections: {
    method: 'GET',
    path: '/ml/container_connection/{container_type}',
    summary: 'Container connections of one type; with name=, one of them.',
    gate: READ_CONNECTIONS,
    params: TypeParams,
    query: ListQuery(CONNECTION_SORT_KEYS, { name: OneByName }),
    reply: ListReply(ConnectionRecord),
    faults: ['not_found'],
  },
  getContainerConnection: {
    method: 'GET',
    path: '/ml/container_connection/{container_type}/{connection_name}',
    summary: 'One container connection.',
    gate: READ_CONNECTIONS,
    params: ConnectionParams,
    reply: ConfigReply(ConnectionRecord),
    faults: ['not_found'],
  },
  deleteContainerConnection: {
    method: 'DELETE',
    path: '/ml/container_connection/{container_type}/{connection_name}',
    audit: {
      action: 'delete',
      name: ['params.container_type', 'params.connection_name'],
      family: 'container-connections',
    },
    summary: 'Delete a container connection and its secrets.',
    ...EDIT_CONNECTIONS,
    params: ConnectionParams,
    conditional: true,
    reply: Type.Object(
      { container_type: ContainerType, connection_name: ReadName },
      { description: 'The connection that was deleted' },
    ),
    faults: ['not_found', 'version_conflict', 'in_use'],
  },
  testContainerConnection: {
    method: 'POST',
    path: '/ml/test_container_connection',
    audit: { action: 'test', name: ['body.container_type', 'body.connection_name'], family: 'container-connections' },
    summary: 'Verify a container connection with its engine, then save it.',
    ...EDIT_CONNECTIONS,
    query: SaveQuery,
    body: ConnectionInput,
    wrapped: true,
    conditional: true,
    reply: ConnectionSaved,
    faults: [...SAVE_FAULTS, 'verification_failed'],
  },
  listTestedConnections: {
    method: 'GET',
    path: '/ml/test_container_connection',
    summary: 'The last test of each container connection.',
    gate: READ_CONNECTIONS,
    query: ListQuery(CONNECTION_SORT_KEYS, {}),
    reply: Type.Object(
      { result: Page(TestedConnection), pagination: Pagination },
      { description: 'A page of connections with their last tests' },
    ),
    faults: [],
  },
  getContainerData: {
    method: 'GET',
    path: '/ml/container_data',
    summary: 'Runtime records, after asking every engine and every application; with model=, one of them.',
    gate: READ_CONTAINERS,
    callsUpstream: 'always',
    query: ModelQuery,
    reply: Type.Object(
      { config: Type.Record(Type.String(), RuntimeRecord, { description: 'Name of a model -> its container' }) },
      { description: 'The containers' },
    ),
    faults: ['not_found'],
  },
  readContainerLogs: {
    method: 'GET',
    path: '/ml/container_logs',
    audit: { action: 'log_read', name: ['query.model'], onlyNamed: true },
    summary: 'Containers that have a log; with model=, the log of one.',
    gate: READ_CONTAINERS,
    query: LogsQuery,
    reply: Type.Object(
      {
        container_logs: Type.Optional(LogEntries),
        result: Type.Optional(Type.Array(LoggingContainer, { description: 'Without model=: whose logs can be read' })),
      },
      { description: 'The log of the container of model=, or whose logs can be read' },
    ),
    callsUpstream: 'always',
    faults: ['not_found', 'unknown_reference', ...ENGINE_FAULTS],
  },
  getContainerLogs: {
    method: 'POST',
    path: '/ml/container_logs',
    audit: { action: 'log_read', name: ['body.model'] },
    summary:
      'Log of a container, merged across its replicas; before anything has run, what the engine has done to start it.',
    gate: READ_CONTAINERS,
    body: LogsInput,
    wrapped: true,
    reply: LogReply,
    callsUpstream: 'always',
    faults: ['not_found', 'unknown_reference', ...ENGINE_FAULTS],
  },
  startContainer: {
    method: 'POST',
    path: '/ml/start_container',
    audit: { action: 'start', name: ['body.model'] },
    summary: 'Start a container or a deployment of a model.',
    ...control,
    body: StartInput,
    wrapped: true,
    reply: Type.Object({ updated_config: StartedConfig }, { description: 'The container that was started' }),
    callsUpstream: 'always',
    faults: ['unknown_reference', 'already_running', 'invalid_state', ...ENGINE_FAULTS],
  },
  getStartForm: {
    method: 'GET',
    path: '/ml/start_container',
    summary: 'What a start can choose from.',
    gate: READ_CONTAINERS,
    reply: Type.Object(
      {
        docker_images: Catalog,
        clusters: Names('Engines that a container can run on'),
        connections: Type.Array(
          Type.Object(
            { container_type: ContainerType, connection_name: ReadName },
            { description: 'A connection that a start can name' },
          ),
          { description: 'The connections to engines, by name' },
        ),
        runtimes: Names('Values of runtime'),
        modes: Names('Values of mode'),
        defaults: narrowed(
          TextMap,
          Type.Record(Type.String(), Type.String(), {
            description: 'Field of a start -> what it is where it is left out',
          }),
        ),
      },
      { description: 'What a form for starting a container offers' },
    ),
    faults: [],
  },
  deleteContainer: {
    method: 'DELETE',
    path: '/ml/start_container/{model_name}',
    audit: { action: 'stop', name: ['params.model_name'] },
    summary: 'Stop a container or delete a deployment, and clear its record.',
    ...control,
    params: ModelParams,
    unversioned: 'a runtime record has none; it follows the state of its container',
    reply: Stopped,
    callsUpstream: 'always',
    faults: ['not_found', ...ENGINE_FAULTS],
  },
  stopContainer: {
    method: 'POST',
    path: '/ml/stop_container',
    audit: { action: 'stop', name: ['body.model'] },
    summary: 'Stop a container or delete a deployment, and clear its record.',
    ...control,
    body: ModelInput,
    wrapped: true,
    reply: Stopped,
    callsUpstream: 'always',
    faults: ['not_found', ...ENGINE_FAULTS],
  },
  getImageCatalog: {
    method: 'GET',
    path: '/ml/stop_container',
    summary: 'The image catalog.',
    gate: READ_CONTAINERS,
    reply: Type.Object({ docker_images: Catalog }, { description: 'The image catalog' }),
    faults: [],
  },
});

import { Type } from 'typebox';
import { ConfigReply, ListQuery, ListReply, Name, Pagination } from '../../contract/common.ts';
import { endpoints } from '../../contract/endpoint.ts';
import { named } from '../../contract/named.ts';
import { CONNECTION_SORT_KEYS } from './connections/sortKeys.ts';
import { READ_CONNECTIONS } from './gates.ts';
import {
  Catalog,
  ConnectionInput,
  ConnectionParams,
  ConnectionRecord,
  ContainerType,
  LogEntries,
  LogsInput,
  LogsQuery,
  ModelInput,
  ModelParams,
  ModelQuery,
  RuntimeRecord,
  StartedConfig,
  StartInput,
  Stopped,
  TestedConnection,
  TypeParams,
} from './schemas.ts';

const editConnections = { gate: { all: ['edit_container_connections'] }, flag: 'containers' } as const;
const readContainers = { any: ['list_containers', 'control_containers'] } as const;
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
  is_edit: Type.Optional(Type.Boolean({ description: 'As is_edit of the body' })),
  force: Type.Optional(
    Type.Boolean({ description: 'Point to another engine although containers are running on the present one' }),
  ),
});
const Names = Type.Array(Type.String());
const ConnectionSaved = named('ContainerConnectionSaved', Type.Object({ updated_config: ConnectionRecord }));

export const containers = endpoints({
  saveContainerConnection: {
    method: 'POST',
    path: '/ml/container_connection',
    summary: 'Create a container connection, or change it with is_edit.',
    ...editConnections,
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
    query: ListQuery(CONNECTION_SORT_KEYS, { name: Type.Optional(Name) }),
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
    summary: 'Delete a container connection and its secrets.',
    ...editConnections,
    params: ConnectionParams,
    conditional: true,
    reply: Type.Object({ container_type: ContainerType, connection_name: Type.String() }),
    faults: ['not_found', 'version_conflict', 'in_use'],
  },
  testContainerConnection: {
    method: 'POST',
    path: '/ml/test_container_connection',
    summary: 'Verify a container connection with its engine, then save it.',
    ...editConnections,
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
    reply: Type.Object({ result: Type.Array(TestedConnection), pagination: Pagination }),
    faults: [],
  },
  getContainerData: {
    method: 'GET',
    path: '/ml/container_data',
    summary: 'Runtime records, after asking every engine and every application; with model=, one of them.',
    gate: readContainers,
    query: ModelQuery,
    reply: Type.Object({ config: Type.Record(Type.String(), RuntimeRecord) }),
    faults: ['not_found'],
  },
  readContainerLogs: {
    method: 'GET',
    path: '/ml/container_logs',
    summary: 'Containers that have a log; with model=, the log of one.',
    gate: readContainers,
    query: LogsQuery,
    reply: Type.Object({
      container_logs: Type.Optional(LogEntries),
      result: Type.Optional(
        Type.Array(
          Type.Object({ model: Type.String(), id: Type.String(), cluster: Type.String(), status: Type.String() }),
        ),
      ),
    }),
    faults: ['not_found', 'unknown_reference', ...ENGINE_FAULTS],
  },
  getContainerLogs: {
    method: 'POST',
    path: '/ml/container_logs',
    summary:
      'Log of a container, merged across its replicas; before anything has run, what the engine has done to start it.',
    gate: readContainers,
    body: LogsInput,
    wrapped: true,
    reply: Type.Object({ container_logs: LogEntries }),
    faults: ['not_found', 'unknown_reference', ...ENGINE_FAULTS],
  },
  startContainer: {
    method: 'POST',
    path: '/ml/start_container',
    summary: 'Start a container or a deployment of a model.',
    ...control,
    body: StartInput,
    wrapped: true,
    reply: Type.Object({ updated_config: StartedConfig }),
    faults: ['unknown_reference', 'already_running', 'invalid_state', ...ENGINE_FAULTS],
  },
  getStartForm: {
    method: 'GET',
    path: '/ml/start_container',
    summary: 'What a start can choose from.',
    gate: readContainers,
    reply: Type.Object({
      docker_images: Catalog,
      clusters: Names,
      connections: Type.Array(Type.Object({ container_type: ContainerType, connection_name: Type.String() })),
      runtimes: Names,
      modes: Names,
      defaults: Type.Record(Type.String(), Type.String()),
    }),
    faults: [],
  },
  deleteContainer: {
    method: 'DELETE',
    path: '/ml/start_container/{model_name}',
    summary: 'Stop a container or delete a deployment, and clear its record.',
    ...control,
    params: ModelParams,
    unversioned: 'a runtime record has none; it follows the state of its container',
    reply: Stopped,
    faults: ['not_found', ...ENGINE_FAULTS],
  },
  stopContainer: {
    method: 'POST',
    path: '/ml/stop_container',
    summary: 'Stop a container or delete a deployment, and clear its record.',
    ...control,
    body: ModelInput,
    wrapped: true,
    reply: Stopped,
    faults: ['not_found', ...ENGINE_FAULTS],
  },
  getImageCatalog: {
    method: 'GET',
    path: '/ml/stop_container',
    summary: 'The image catalog.',
    gate: readContainers,
    reply: Type.Object({ docker_images: Catalog }),
    faults: [],
  },
});

import { counted } from '../../contract/basics.ts';
import type { Caller } from '../../contract/caller.ts';
import { type Handlers, withDraft, withValidation } from '../../contract/rows/handlers.ts';
import type { RecordPlans } from '../../contract/rows/recordPlan.ts';
import { lastTest } from '../../domain/records/lastTest.ts';
import type { Stores } from '../../domain/records/sealedRecord.ts';
import type { ContainerDependencies } from '../../ports/engines/containerDependencies.ts';
import type { ContainerType, LogQuery } from '../../ports/engines/containerEngine.ts';
import { connectionKey } from './connections/records.ts';
import type { ConnectionDraft } from './connections/service.ts';
import { rejectSave, verifyDraft } from './connections/verify.ts';
import type { containers } from './endpoints.ts';
import type { EngineKinds } from './engines/engineKind.ts';
import { ENGINE_KINDS, typesOf } from './engines/registry.ts';
import { containerParts } from './parts.ts';
import { catalogMap, readCatalog } from './runtime/catalog.ts';
import { containerLogs, readLogQuery } from './runtime/logs/logs.ts';
import { noRecord, runtimeView, startedView } from './runtime/records.ts';
import type { StartInput } from './runtime/schemas.ts';
import { startContainer } from './runtime/start/start.ts';
import { MODES, RUNTIME_NAMES, START_DEFAULTS } from './runtime/start/startDefaults.ts';
import { readStart } from './runtime/start/startSpec.ts';
import { stopContainer } from './runtime/stop.ts';
import type { ConnectionInput } from './schemas.ts';

interface SaveQuery {
  is_edit?: boolean;
  force?: boolean;
}

export function containerHandlers(
  stores: Stores,
  deps: ContainerDependencies,
  plans: RecordPlans,
  kinds: EngineKinds = ENGINE_KINDS,
): Handlers<typeof containers> {
  const parts = containerParts(stores, deps, plans, kinds);
  const { connections, engines, runtimes, observer } = parts;
  const { records } = connections;

  const inputOf = (body: ConnectionInput, { is_edit }: SaveQuery): ConnectionInput => ({
    ...(is_edit === undefined ? {} : { is_edit: String(is_edit) }),
    ...body,
  });
  const createDraft = (body: ConnectionInput, query: SaveQuery): Promise<ConnectionDraft> =>
    connections.draft(inputOf(body, query), query.force);
  const rules = (body: ConnectionInput, query: SaveQuery) => connections.assertValid(inputOf(body, query));
  const readConnection = (caller: Caller, type: ContainerType, name: string) =>
    records.show(caller, connectionKey(type, name));
  const stopModel = async (model: string) => {
    const record = await stopContainer(parts, model);
    const { cluster, status } = record;
    return { message: `${record.model} stopped`, model: record.model, cluster, previous_status: status };
  };
  const readLogs = async (model: string, query: LogQuery) => {
    const record = await runtimes.get(model);
    if (!record) throw noRecord(model);
    const entries = await containerLogs(engines, record, query);
    return { message: counted(entries.length, 'log entry', 'log entries'), container_logs: { entries } };
  };

  return {
    saveContainerConnection: withDraft(
      withValidation(async ({ caller, body, query, condition, warnings }) => {
        const draft = await createDraft(body, query);
        const record = await connections.save(draft, caller, condition);
        warnings.push(...draft.warnings);
        const message = `Container connection ${draft.before ? 'updated' : 'created'}`;
        return { message, updated_config: records.view(record) };
      }, rules),
      async ({ caller, body, query, condition, warnings }) =>
        connections.preview(caller, inputOf(body, query), { condition, force: query.force, warnings }),
    ),
    async listContainerConnections({ caller, params: { container_type }, query }) {
      if (query.name !== undefined) return { config: await readConnection(caller, container_type, query.name) };
      const page = await records.list(caller, query, { container_type });
      return { ...page, message: counted(page.pagination.total, 'container connection') };
    },
    async getContainerConnection({ caller, params }) {
      return { config: await readConnection(caller, params.container_type, params.connection_name) };
    },
    async deleteContainerConnection({ caller, params, condition }) {
      const key = connectionKey(params.container_type, params.connection_name);
      const { container_type, connection_name } = await records.remove(caller, key, { condition });
      return { message: 'Container connection deleted', container_type, connection_name };
    },
    testContainerConnection: withValidation(async ({ caller, body, query, condition, warnings }) => {
      const draft = await createDraft(body, query);
      const outcome = await verifyDraft(connections, deps, draft);
      if (outcome.report.problems.length > 0) return rejectSave(connections, draft, outcome);
      const last_test = lastTest(records.now(), outcome.elapsedMs, undefined);
      const record = await connections.save(draft, caller, condition, last_test);
      warnings.push(...draft.warnings, ...outcome.report.warnings);
      return { message: 'The connection was verified and saved', updated_config: records.view(record) };
    }, rules),
    async listTestedConnections({ caller, query }) {
      const { result, pagination } = await records.list(caller, query);
      return {
        result: result.map(({ container_type, connection_name, last_test }) => ({
          container_type,
          connection_name,
          last_test: last_test ?? null,
        })),
        pagination,
        message: counted(pagination.total, 'container connection'),
      };
    },
    async getContainerData({ query }) {
      const records = await observer.observe(query.model);
      if (query.model !== undefined && records.length === 0) throw noRecord(query.model);
      const config = Object.fromEntries(records.map((record) => [record.model, runtimeView(record)]));
      return { message: counted(records.length, 'container'), config };
    },
    async readContainerLogs({ query }) {
      const part = readLogQuery(query, stores.clock.now());
      if (query.model !== undefined) return readLogs(query.model, part);
      const records = await runtimes.all();
      const result = records.map(({ model, id, cluster, status }) => ({ model, id, cluster, status }));
      return { message: counted(records.length, 'container'), result };
    },
    getContainerLogs: ({ body }) => readLogs(body.model, readLogQuery(body, stores.clock.now())),
    startContainer: withValidation(
      async ({ body, warnings }) => {
        const record = await startContainer(parts, body, warnings);
        return { message: `${record.model} started`, updated_config: startedView(record) };
      },
      async (body: StartInput) => readStart(body, await readCatalog(deps.images), kinds),
    ),
    async getStartForm() {
      const [catalog, records] = await Promise.all([readCatalog(deps.images), connections.all()]);
      return {
        docker_images: catalogMap(catalog),
        clusters: typesOf(kinds),
        connections: records
          .map(({ container_type, connection_name }) => ({ container_type, connection_name }))
          .sort((a, b) => (a.connection_name < b.connection_name ? -1 : 1)),
        runtimes: [...RUNTIME_NAMES],
        modes: [...MODES],
        defaults: { ...START_DEFAULTS },
      };
    },
    deleteContainer: ({ params }) => stopModel(params.model_name),
    stopContainer: ({ body }) => stopModel(body.model),
    async getImageCatalog() {
      return { docker_images: catalogMap(await readCatalog(deps.images)) };
    },
  };
}

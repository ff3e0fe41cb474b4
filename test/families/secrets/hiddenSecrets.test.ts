import { expect } from 'chai';
import { contract } from '../../../src/codegen/bundle/live.ts';
import type { InternalCalls } from '../../../src/contract/rows/internalCalls.ts';
import type { RecordPlans } from '../../../src/contract/rows/recordPlan.ts';
import { startDeadline } from '../../../src/domain/async/deadline.ts';
import { unmetered } from '../../../src/domain/async/unmetered.ts';
import { insertSecrets } from '../../../src/domain/secrets/secrets.ts';
import { containerHandlers } from '../../../src/families/containers/handlers.ts';
import { modelRegistrationHandlers } from '../../../src/families/sagemaker-endpoints/handlers.ts';
import { openRegistration } from '../../../src/families/sagemaker-endpoints/public.ts';
import { vectorStoreHandlers } from '../../../src/families/vector-stores/handlers.ts';
import { kindOf } from '../../../src/families/vector-stores/kinds/registry.ts';
import { unmasked } from '../../../src/masking/outgoing.ts';
import type { CloudAccess } from '../../../src/ports/cloud/cloudAccess.ts';
import type { EngineTarget } from '../../../src/ports/engines/containerEngine.ts';
import { type Json, MemoryApp } from '../../support/memory/app.ts';
import { MemoryContainers } from '../../support/memory/containers.ts';
import { caller, MemoryPlatform, MemorySettings } from '../../support/memory/platform.ts';
import { storeDependencies } from '../../support/storeDependencies.ts';

const ADMIN = caller('admin', { capabilities: ['admin_all_objects'] });
const canary = (path: string) => `canary-${path}`;

/** A secret at each path that the schema of the family marks, whatever its name; the texts that a call has to hide. */
function marked<T extends object>(
  family: keyof RecordPlans,
  body: T,
  isOwn: (path: string) => boolean = () => true,
): { body: T; canaries: string[] } {
  const paths = contract.plans[family].secrets.filter(isOwn).map((path) => path.replace('*', 'X-Canary'));
  expect(paths, family).not.to.deep.equal([]);
  return {
    body: insertSecrets(body, Object.fromEntries(paths.map((path) => [path, canary(path)]))),
    canaries: paths.map(canary),
  };
}

const calls = {} as InternalCalls;
const created = { id: '' };
const context = {
  caller: ADMIN,
  requestId: 'r',
  created,
  condition: undefined,
  warnings: [],
  params: {},
  file: undefined,
  calls,
};

describe('who calls a peer tells it every secret of the record to hide, by the marks of the schema', () => {
  it('MCP connections, saved and given, and a token refresh', async () => {
    const app = new MemoryApp();
    const details: Json = { url: 'https://a.example/mcp', client_id: 'c', is_auto_refresh_enabled: true };
    const { body, canaries } = marked('mcp-connections', { name: 'x', type: 'ISSUE_TRACKER', details });
    expect((await app.call('editor', 'POST', '/mcp_connection', body)).status).to.equal(200);
    await app.call('editor', 'POST', '/mcp_connection/test', { name: 'x' });
    await app.call('editor', 'POST', '/mcp_connection/tools', { name: 'x', details: { verify_tls: true } });
    await app.call('editor', 'POST', '/mcp_connection/test', { type: 'ISSUE_TRACKER', details: body.details });
    app.site.clock.advance(21 * 60_000);
    await app.call('editor', 'POST', '/mcp_connection/test', { name: 'x' });
    expect(app.peers.targets).to.have.length(4);
    for (const { secrets } of app.peers.targets.slice(0, 3)) expect(secrets).to.have.members(canaries);
    expect(app.peers.refreshes[0]?.secrets).to.have.members(canaries);
  });

  it('vector stores', async () => {
    const accesses: CloudAccess[] = [];
    const cloud = {
      visit: async (access: CloudAccess) => {
        accesses.push(access);
        return {
          assumeRole: async () => {},
          describe: async () => ({ name: 'kb', status: 'ACTIVE' }),
          retrieve: async () => [],
          close: () => {},
        };
      },
    };
    const stores = vectorStoreHandlers(
      new MemoryPlatform().process(),
      Object.assign(storeDependencies({ knowledgeBases: cloud }), { settings: new MemorySettings() }),
      contract.plans,
      async () => [],
    );
    const details = { cloud_region: 'eu-west-1', kb_id: 'ABCDEFGHIJ', cloud_access_key_id: 'AKIA0' };
    const isOwn = (path: string) => kindOf('CLOUD_KB').optional.includes(path.replace('details/', ''));
    const { body, canaries } = marked('vector-stores', { name: 'x', type: 'CLOUD_KB' as const, details }, isOwn);
    await stores.createVectorStore({ ...context, query: {}, body });
    await stores.testVectorStore({ ...context, query: {}, body: { name: 'x' } });
    await stores.testVectorStore({ ...context, query: {}, body: { details: body.details } });
    expect(accesses).to.have.length(2);
    for (const { secrets } of accesses) expect(secrets).to.have.members(canaries);
  });

  it('registered models', async () => {
    const accesses: CloudAccess[] = [];
    const cloud = {
      describe: async (access: CloudAccess) => {
        accesses.push(access);
        return { status: 'InService' };
      },
      visit: async (access: CloudAccess) => {
        accesses.push(access);
        const invoke = async () => ({ kind: 'answered', contentType: 'text/csv', body: '1' }) as const;
        return { invoke, close: () => {} };
      },
    };
    const platform = new MemoryPlatform().process();
    const models = modelRegistrationHandlers(platform, cloud, contract.plans);
    const { body, canaries } = marked('model-registrations', {
      model_name: 'x',
      endpoint_name: 'e',
      cloud_credentials: { region: 'eu-west-1', access_key_id: 'AKIA0' },
      input_feature_map: { a: 'b' },
      output_prediction_map: { c: 'd' },
    });
    using deadline = startDeadline(10_000);
    await models.registerModel({ ...context, query: {}, body });
    await models.registerModel({ ...context, query: { test_connection: '1' }, body: { model_name: 'x' } });
    await models.updateRegistration({ ...context, query: {}, body: { model_name: 'x', endpoint_name: 'f' } });
    const predictor = await openRegistration(platform, cloud, contract.plans, context.caller, 'x');
    await predictor.predict(unmasked({ rows: [{ a: 1 }] }), unmetered(deadline), () => {});
    expect(accesses).to.have.length(4);
    for (const { secrets } of accesses) expect(secrets).to.have.members(canaries);
  });

  it('container connections, tested before and after they are saved, and looked at', async () => {
    const hiddenLists: (readonly string[])[] = [];
    const engines = new MemoryContainers();
    const containers = Object.assign(engines, {
      open: async (target: EngineTarget, hidden: readonly string[]) => {
        hiddenLists.push(hidden);
        return engines.engineAt(target);
      },
      certificates: {
        read: async (pem: string) => ({ pem, expiresAt: Date.UTC(2099, 0) }),
        readKey: async (key: string) => key,
        match: async () => true,
      },
    });
    const handlers = containerHandlers(new MemoryPlatform().process(), containers, contract.plans);
    const connection = { container_type: 'docker' as const, connection_name: 'x', docker_url: 'tcp://one:2375' };
    const { body, canaries } = marked('containers', { ...connection, client_cert: 'certificate' });
    await handlers.testContainerConnection({ ...context, query: {}, body });
    await handlers.testContainerConnection({ ...context, query: {}, body: { ...connection, is_edit: 'true' } });
    await handlers.getContainerData({ ...context, query: {}, body: undefined });
    expect(hiddenLists).to.have.length(3);
    for (const hidden of hiddenLists) expect(hidden).to.have.members(canaries);
  });
});

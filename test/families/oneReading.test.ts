import { expect } from 'chai';
import { contract } from '../../src/codegen/bundle/live.ts';
import { containerParts } from '../../src/families/containers/parts.ts';
import type { ConnectionInput } from '../../src/families/containers/schemas.ts';
import { registrationKind } from '../../src/families/sagemaker-endpoints/records.ts';
import { changeRegistration, register } from '../../src/families/sagemaker-endpoints/service.ts';
import { storeKind } from '../../src/families/vector-stores/records.ts';
import { Resources } from '../../src/resources/resources.ts';
import { type Json, MemoryApp } from '../support/memory/app.ts';
import { MemoryContainers } from '../support/memory/containers.ts';
import { FaultPlan, type Interlude } from '../support/memory/faults.ts';
import { caller, MemoryPlatform } from '../support/memory/platform.ts';

/** Address and secret of a request. */
type Sent = [address: string | undefined, secret: string | undefined];

/** One family: a record at address a with secret a, a change to b, and a use of the record. */
interface Scene {
  change: Interlude;
  /** @returns address and secret of each request */
  use(faults: FaultPlan): Promise<Sent[]>;
  a: Sent;
  b: Sent;
}

interface McpScene {
  type?: string;
  details?: (n: string) => Json;
  prepare?: (made: MemoryApp) => void;
}

const ADMIN = caller('admin', { capabilities: ['admin_all_objects'] });

/** Makes the change before each store call in turn: a secret must never be sent to the other address. */
async function everyMoment(make: () => Promise<Scene>): Promise<void> {
  const seen = new Set<string>();
  for (let at = 1; ; at++) {
    const scene = await make();
    let changed = false;
    const faults = new FaultPlan(at, async () => {
      changed = true;
      await scene.change();
    });
    for (const request of await scene.use(faults)) {
      expect([scene.a, scene.b], `a change before call ${at}: ${faults.trace.join(', ')}`).to.deep.include(request);
      seen.add(JSON.stringify(request));
    }
    if (!changed) break;
  }
  const { a, b } = await make();
  expect([...seen], 'both were met').to.have.members([JSON.stringify(a), JSON.stringify(b)]);
}

function app(): MemoryApp {
  const made = new MemoryApp();
  made.user('editor', {
    capabilities: ['edit_agent_connections', 'edit_ai_commander_config', 'list_ai_commander_config'],
  });
  return made;
}

const request = (made: MemoryApp, path: string, body: Json, faults: FaultPlan) =>
  made.request(
    { method: 'POST', path: `/ml${path}`, body: Buffer.from(JSON.stringify(body)), sessionToken: 'editor' },
    faults,
  );

describe('a secret and its address are read together while both are changed', () => {
  const mcp = (n: string, more: Json = {}) => ({ url: `https://${n}.example/mcp`, token: `token-${n}`, ...more });

  /** A record at address a that is changed to b during `use`. */
  const mcpScene = (
    use: (made: MemoryApp, faults: FaultPlan) => Promise<unknown>,
    { type = 'PLATFORM', details = mcp, prepare = () => {} }: McpScene = {},
  ) =>
    everyMoment(async () => {
      const made = app();
      await made.call('editor', 'POST', '/mcp_connection', { name: 'x', type, details: details('a') });
      prepare(made);
      return {
        change: () => made.call('editor', 'PUT', '/mcp_connection', { name: 'x', details: details('b') }),
        use: async (faults) => {
          await use(made, faults);
          return made.peers.targets.map(({ url, token }): Sent => [url, token]);
        },
        a: ['https://a.example/mcp', 'token-a'],
        b: ['https://b.example/mcp', 'token-b'],
      };
    });

  for (const path of ['test', 'tools']) {
    it(`MCP connections: ${path}`, () =>
      mcpScene((made, faults) => request(made, `/mcp_connection/${path}`, { name: 'x' }, faults)));
  }

  it('MCP connections: a test of new details with the stored secret', () =>
    mcpScene((made, faults) =>
      request(made, '/mcp_connection/test', { name: 'x', details: { verify_tls: true } }, faults),
    ));

  it('MCP connections: a change that is verified with the stored secret', () =>
    mcpScene(async (made, faults) => {
      const body = Buffer.from(JSON.stringify({ name: 'x', description: 'new' }));
      const query: [string, string][] = [['verify', 'true']];
      const put = { method: 'PUT', path: '/ml/mcp_connection', query, body, sessionToken: 'editor' };
      // Also 503: the other change may have waited until this lease expired.
      expect((await made.request(put, faults)).status).to.be.oneOf([200, 409, 503]);
    }));

  it('MCP connections: a token that is refreshed first', () => {
    const details = (n: string) =>
      mcp(n, {
        token_url: `https://${n}.example/token`,
        client_id: n,
        client_secret: `secret-${n}`,
        refresh_token: `refresh-${n}`,
        is_auto_refresh_enabled: true,
      });
    const prepare = (made: MemoryApp) => {
      made.peers.answer = ({ endpoint }) => ({
        kind: 'refreshed',
        accessToken: `token-${new URL(endpoint.url).hostname.slice(0, 1)}`,
        refreshToken: undefined,
        expiresIn: 3600,
      });
      made.site.clock.advance(21 * 60_000);
    };
    return mcpScene(
      async (made, faults) => {
        await request(made, '/mcp_connection/test', { name: 'x' }, faults);
        for (const { endpoint, clientSecret, refreshToken } of made.peers.refreshes) {
          const host = new URL(endpoint.url).hostname.slice(0, 1);
          expect([clientSecret, refreshToken]).to.deep.equal([`secret-${host}`, `refresh-${host}`]);
        }
      },
      { type: 'ISSUE_TRACKER', details, prepare },
    );
  });

  const llm = (n: string) => ({
    service: 'General_Chat',
    connection_name: 'x',
    model: 'm',
    servicesettings: { endpoint: { value: `https://${n}.example/v1` }, access_token: { value: `token-${n}` } },
  });
  for (const action of [{}, { probe: 'list' }, { action: 'refresh_models' }]) {
    it(`LLM configurations: ${JSON.stringify(action)}`, () =>
      everyMoment(async () => {
        const made = app();
        await made.call('editor', 'POST', '/aicommander', llm('a'));
        return {
          change: () => made.call('editor', 'POST', '/aicommander', llm('b')),
          use: async (faults) => {
            const identity = { service: 'General_Chat', connection_name: 'x', model: 'm' };
            await request(made, '/aicommander_metadata', { ...identity, ...action }, faults);
            return made.llm.calls.map(
              ({ url, headers }): Sent => [new URL(url).hostname, headers.authorization ?? headers.Authorization],
            );
          },
          a: ['a.example', 'Bearer token-a'],
          b: ['b.example', 'Bearer token-b'],
        };
      }));
  }

  const keys = (n: string) => ({ cloud_access_key_id: `AKIA${n}`, cloud_access_key_token: `token-${n}` });
  it('vector stores', () =>
    everyMoment(async () => {
      const site = new MemoryPlatform();
      const stores = (faults?: FaultPlan) =>
        new Resources(storeKind, site.process(faults), contract.plans['vector-stores']);
      const details = (region: string, n: string) => ({ cloud_region: region, kb_id: 'ABCDEFGHIJ', ...keys(n) });
      const input = (region: string, n: string) => stores().parse({ name: 'x', details: details(region, n) });
      await stores().create(ADMIN, 'x', await stores().draft(input('eu-west-1', 'a')));
      return {
        change: () => stores().update(ADMIN, 'x', input('us-east-1', 'b'), { condition: undefined }),
        use: async (faults) => {
          const { record, secrets } = await stores(faults).target(ADMIN, 'x', { name: 'x' });
          const { cloud_region: region } = record.details as { cloud_region?: string };
          return [[region, secrets['details/cloud_access_key_token']]];
        },
        a: ['eu-west-1', 'token-a'],
        b: ['us-east-1', 'token-b'],
      };
    }));

  it('registered models', () =>
    everyMoment(async () => {
      const site = new MemoryPlatform();
      const models = (faults?: FaultPlan) =>
        new Resources(registrationKind, site.process(faults), contract.plans['model-registrations']);
      const input = (region: string, n: string) => ({
        model_name: 'x',
        endpoint_name: 'e',
        cloud_credentials: { region, access_key_id: `AKIA${n}`, secret_access_key: `token-${n}` },
        input_feature_map: {},
        output_prediction_map: {},
        batch_size: 1,
      });
      await register(models(), ADMIN, input('eu-west-1', 'a'), async () => {});
      return {
        change: () => changeRegistration(models(), ADMIN, input('us-east-1', 'b'), undefined, async () => {}),
        use: async (faults) => {
          const { record, secrets } = await models(faults).target(ADMIN, 'x', { model_name: 'x' });
          return [[record.cloud_credentials.region, Object.values(secrets)[0]]];
        },
        a: ['eu-west-1', 'token-a'],
        b: ['us-east-1', 'token-b'],
      };
    }));

  it('container connections', () =>
    everyMoment(async () => {
      const site = new MemoryPlatform();
      const containers = new MemoryContainers();
      const parts = (faults?: FaultPlan) => containerParts(site.process(faults), containers, contract.plans);
      const input = (n: string) =>
        ({
          container_type: 'docker',
          connection_name: 'x',
          docker_url: `tcp://${n}.example:2375`,
          api_token: `token-${n}`,
        }) as ConnectionInput;
      const first = parts().connections;
      await first.save(await first.draft(input('a')), ADMIN, undefined);
      return {
        change: async () => {
          const other = parts().connections;
          await other.save(await other.draft({ ...input('b'), is_edit: 'true' } as ConnectionInput), ADMIN, undefined);
        },
        use: async (faults) => {
          const { connections, engines } = parts(faults);
          const found = await connections.get('docker', 'x');
          let opened: Sent = [undefined, undefined];
          await engines.withEngine(found, async ({ connection, secrets }) => {
            opened = [connection.docker_url, secrets.api_token];
          });
          return [opened];
        },
        a: ['tcp://a.example:2375', 'token-a'],
        b: ['tcp://b.example:2375', 'token-b'],
      };
    }));
});

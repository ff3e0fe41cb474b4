import { expect } from 'chai';
import { contract } from '../../src/codegen/bundle/live.ts';
import { containerParts } from '../../src/families/containers/parts.ts';
import type { ConnectionInput } from '../../src/families/containers/schemas.ts';
import { registrationKind } from '../../src/families/model-registrations/records.ts';
import { changeRegistration, register } from '../../src/families/model-registrations/service.ts';
import { SECRET, storeKind } from '../../src/families/vector-stores/records.ts';
import { Resources } from '../../src/resources/resources.ts';
import { type Json, MemoryApp } from '../support/memory/app.ts';
import { MemoryContainers } from '../support/memory/containers.ts';
import { FaultPlan, type Interlude } from '../support/memory/faults.ts';
import { caller, MemoryPlatform } from '../support/memory/platform.ts';

/** Where something was sent, and the secret that it was sent with. */
type Sent = [address: string | undefined, secret: string | undefined];

/** One family: a record at address a with secret a, a change to b, and a use of the record. */
interface Scene {
  change: Interlude;
  /** Runs with the plan given, and tells what went where. */
  use(faults: FaultPlan): Promise<Sent[]>;
  a: Sent;
  b: Sent;
}

const ADMIN = caller('admin', { capabilities: ['admin_all_objects'] });

/** The change comes in before each call of the use in turn: never does one secret meet the other's address. */
async function everyMoment(make: () => Promise<Scene>): Promise<void> {
  const seen = new Set<string>();
  for (let at = 1; ; at++) {
    const scene = await make();
    let changed = false;
    const faults = new FaultPlan(at, async () => {
      changed = true;
      await scene.change();
    });
    for (const sent of await scene.use(faults)) {
      expect([scene.a, scene.b], `a change before call ${at}: ${faults.trace.join(', ')}`).to.deep.include(sent);
      seen.add(JSON.stringify(sent));
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

describe('a secret and the address it goes to are of one reading, while somebody changes both', () => {
  const mcp = (n: string, more: Json = {}) => ({ url: `https://${n}.example/mcp`, token: `token-${n}`, ...more });

  for (const path of ['test', 'tools']) {
    it(`MCP connections: ${path}`, () =>
      everyMoment(async () => {
        const made = app();
        await made.call('editor', 'POST', '/mcp_connection', { name: 'x', type: 'PLATFORM', details: mcp('a') });
        return {
          change: () => made.call('editor', 'PUT', '/mcp_connection', { name: 'x', details: mcp('b') }),
          use: async (faults) => {
            await request(made, `/mcp_connection/${path}`, { name: 'x' }, faults);
            return made.peers.targets.map(({ url, token }): Sent => [url, token]);
          },
          a: ['https://a.example/mcp', 'token-a'],
          b: ['https://b.example/mcp', 'token-b'],
        };
      }));
  }

  it('MCP connections: given details that borrow the stored secret', () =>
    everyMoment(async () => {
      const made = app();
      await made.call('editor', 'POST', '/mcp_connection', { name: 'x', type: 'PLATFORM', details: mcp('a') });
      return {
        change: () => made.call('editor', 'PUT', '/mcp_connection', { name: 'x', details: mcp('b') }),
        use: async (faults) => {
          await request(made, '/mcp_connection/test', { name: 'x', details: { verify_tls: true } }, faults);
          return made.peers.targets.map(({ url, token }): Sent => [url, token]);
        },
        a: ['https://a.example/mcp', 'token-a'],
        b: ['https://b.example/mcp', 'token-b'],
      };
    }));

  it('MCP connections: a change that is verified with the stored secret', () =>
    everyMoment(async () => {
      const made = app();
      await made.call('editor', 'POST', '/mcp_connection', { name: 'x', type: 'PLATFORM', details: mcp('a') });
      return {
        change: () => made.call('editor', 'PUT', '/mcp_connection', { name: 'x', details: mcp('b') }),
        use: async (faults) => {
          const body = Buffer.from(JSON.stringify({ name: 'x', description: 'new' }));
          const query: [string, string][] = [['verify', 'true']];
          const put = { method: 'PUT', path: '/ml/mcp_connection', query, body, sessionToken: 'editor' };
          // Also 503: the other change may have waited until the lease of this one ran out.
          expect((await made.request(put, faults)).status).to.be.oneOf([200, 409, 503]);
          return made.peers.targets.map(({ url, token }): Sent => [url, token]);
        },
        a: ['https://a.example/mcp', 'token-a'],
        b: ['https://b.example/mcp', 'token-b'],
      };
    }));

  it('MCP connections: a token that is refreshed first', () =>
    everyMoment(async () => {
      const made = app();
      const oauth = (n: string) =>
        mcp(n, {
          token_url: `https://${n}.example/token`,
          client_id: n,
          client_secret: `secret-${n}`,
          refresh_token: `refresh-${n}`,
          is_auto_refresh_enabled: true,
        });
      made.peers.answer = ({ endpoint }) => ({
        kind: 'refreshed',
        accessToken: `token-${new URL(endpoint.url).hostname.slice(0, 1)}`,
        refreshToken: undefined,
        expiresIn: 3600,
      });
      await made.call('editor', 'POST', '/mcp_connection', { name: 'x', type: 'ISSUE_TRACKER', details: oauth('a') });
      made.site.clock.advance(21 * 60_000);
      return {
        change: () => made.call('editor', 'PUT', '/mcp_connection', { name: 'x', details: oauth('b') }),
        use: async (faults) => {
          await request(made, '/mcp_connection/test', { name: 'x' }, faults);
          for (const { endpoint, clientSecret, refreshToken } of made.peers.refreshes) {
            const host = new URL(endpoint.url).hostname.slice(0, 1);
            expect([clientSecret, refreshToken]).to.deep.equal([`secret-${host}`, `refresh-${host}`]);
          }
          return made.peers.targets.map(({ url, token }): Sent => [url, token]);
        },
        a: ['https://a.example/mcp', 'token-a'],
        b: ['https://b.example/mcp', 'token-b'],
      };
    }));

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
        new Resources(storeKind, site.process(faults), contract.secrets['vector-stores'] ?? []);
      const details = (region: string, n: string) => ({ cloud_region: region, kb_id: 'ABCDEFGHIJ', ...keys(n) });
      const sent = (region: string, n: string) => stores().parse({ name: 'x', details: details(region, n) });
      await stores().create(ADMIN, 'x', await stores().draft(sent('eu-west-1', 'a')));
      return {
        change: () => stores().update(ADMIN, 'x', sent('us-east-1', 'b'), { condition: undefined }),
        use: async (faults) => {
          const { record, secrets } = await stores(faults).target(ADMIN, 'x', { name: 'x' });
          return [[record.details.cloud_region, secrets[SECRET]]];
        },
        a: ['eu-west-1', 'token-a'],
        b: ['us-east-1', 'token-b'],
      };
    }));

  it('registered models', () =>
    everyMoment(async () => {
      const site = new MemoryPlatform();
      const models = (faults?: FaultPlan) =>
        new Resources(registrationKind, site.process(faults), contract.secrets['model-registrations'] ?? []);
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
      const parts = (faults?: FaultPlan) => containerParts(site.process(faults), containers, contract.secrets);
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

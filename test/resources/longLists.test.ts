import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { BATCHES } from '../../platform/src/kv/variants.ts';
import { type Platform, startPlatform } from '../../platform/src/platform.ts';
import { SplunkdClient } from '../../src/adapters/splunkd/client.ts';
import { MAX_QUERY_CHARS, urlLength } from '../../src/adapters/splunkd/stores/longQueries.ts';
import { splunkdRecords } from '../../src/adapters/splunkd/stores/recordStore.ts';
import type { RecordStore } from '../../src/ports/stores/recordStore.ts';
import { type Json, MemoryApp } from '../support/memory/app.ts';

const PASSWORD = 'admin-of-lists';
/** As many as make a page of 100 too long for a request line. */
const COUNT = 190;
const nameOf = (index: number) =>
  `${'connection-of-the-team-that-sells-umbrellas-in-all-the-rainy-towns-of-the-north-'}${String(index).padStart(4, '0')}`;
/** The audience of a user with very many roles. */
const roleOf = (index: number) => `role_of_the_team_that_sells_umbrellas_in_${index % 150}`;

/** The app's collections in the store of an embedded platform. */
async function startStore(batch: (typeof BATCHES)[number]): Promise<{ platform: Platform; records: RecordStore }> {
  const home = mkdtempSync(join(tmpdir(), 'long-lists-'));
  const app = join(home, 'etc/apps/ml_extension');
  mkdirSync(app, { recursive: true });
  for (const file of ['app.conf', 'collections.conf']) {
    cpSync(join(import.meta.dirname, '../../default', file), join(app, 'default', file));
  }
  const platform = await startPlatform({ home, port: 0, tls: false, adminPassword: PASSWORD, kv: { batch } });
  const login = await fetch(`${platform.url}/services/auth/login?output_mode=json`, {
    method: 'POST',
    body: new URLSearchParams({ username: 'admin', password: PASSWORD }),
  });
  const { sessionKey } = (await login.json()) as { sessionKey: string };
  return { platform, records: splunkdRecords(new SplunkdClient(platform.url), sessionKey) };
}

/** Lists whose queries are long: by the keys of a page, by the roles of the caller, or by both. */
const LISTS: readonly [user: string, path: string][] = [
  ['root', '/mcp_connection?count=100'],
  ['root', '/mcp_connection?count=100&sort_key=auth_state&sort_dir=desc'],
  ['root', '/mcp_connection?count=0&search=umbrellas'],
  ['root', '/vector_stores?count=120&sort_dir=desc'],
  ['root', '/agents?count=100'],
  ['root', '/list_models?count=100'],
  ['root', '/aicommander?count=95'],
  ['wide', '/experiments?count=30'],
  ['wide', '/experiments?count=50&sort_dir=desc'],
  ['wide', '/experiments?count=30&sort_key=created_at'],
  ['wide', '/experiments?count=70&sort_key=created_at&sort_dir=desc&detail=true'],
  ['wide', '/experiments?count=100&search=UMBRELLAS'],
  ['wide', '/experiments?count=0&status=draft'],
];

describe('lists whose queries are too long for a request line', () => {
  const app = new MemoryApp();
  const inMemory = app.site.process.bind(app.site);
  let longest = 0;

  const made = async (path: string, body: object) => {
    const { status, json } = await app.call('root', 'POST', path, body);
    expect(status, JSON.stringify(json)).to.equal(200);
  };

  /** Many records in place of the only one of a collection, in an order of insertion that is not that of their names. */
  const copies = (collection: string, change: (index: number) => Json) => {
    const stored = app.site.records.collection(collection);
    const [text = ''] = stored.values();
    stored.clear();
    for (let count = 0; count < COUNT; count += 1) {
      const index = (count * 97) % COUNT;
      const document = { ...JSON.parse(text), _key: nameOf(index), ...change(index) };
      stored.set(document._key, JSON.stringify(document));
    }
  };

  const useRecords = (records: RecordStore | undefined) => {
    app.site.process = (...args) => ({ ...inMemory(...args), ...(records && { records: watched(records) }) });
  };

  const watched = (records: RecordStore): RecordStore => ({
    ...records,
    find: (collection, options) => {
      longest = Math.max(longest, urlLength(options?.query ?? {}));
      return records.find(collection, options);
    },
    chunks: (collection, options) => {
      longest = Math.max(longest, urlLength(options?.query ?? {}));
      return records.chunks(collection, options);
    },
  });

  /** Every row of a list, page by page. */
  async function walk(user: string, path: string): Promise<Json[]> {
    const rows: Json[] = [];
    for (let offset: number | null = 0; offset !== null; ) {
      const { status, json } = await app.call(user, 'GET', `${path}&offset=${offset}`);
      expect(status, JSON.stringify(json)).to.equal(200);
      rows.push(...json.result);
      expect(json.pagination.total, `${path} from ${offset}`).to.equal(COUNT);
      offset = json.pagination.next_offset;
    }
    return rows;
  }

  before(async () => {
    const more = ['edit_agents', 'run_agents', 'register_ml_models', 'edit_ai_commander_config'];
    app.user('root', {
      roles: ['admin'],
      capabilities: ['admin_all_objects', 'edit_agent_connections', 'list_ai_commander_config', ...more],
    });
    app.user('wide', { roles: ['user', ...Array.from({ length: 150 }, (_, index) => roleOf(index))] });
    await made('/mcp_connection', { name: 'a', type: 'PLATFORM', details: { url: 'https://mcp.example/mcp' } });
    copies('ml_mcp_connections', (index) => ({ name: nameOf(index) }));
    await made('/vector_stores', {
      ...{ name: 'a', type: 'CLOUD_KB', details: { cloud_region: 'eu-west-1', kb_id: 'ABCDEFGHIJ' } },
    });
    copies('ml_vector_stores', (index) => ({ name: nameOf(index) }));
    await made('/agents', { name: 'a' });
    copies('ml_agents', (index) => ({ name: nameOf(index) }));
    await made('/register_model', {
      ...{ model_name: 'a', endpoint_name: 'e', cloud_credentials: { region: 'eu-west-1' }, batch_size: 1 },
      ...{ input_feature_map: { a: 'b' }, output_prediction_map: { c: 'd' } },
    });
    copies('ml_registered_models', (index) => ({ model_name: nameOf(index) }));
    await made('/aicommander', {
      ...{ service: 'General_Chat', connection_name: 'a', model: 'm' },
      servicesettings: { access_token: { value: 'k' } },
    });
    copies('ml_llm_connections', (index) => ({
      ...{ _key: `general_chat.${nameOf(index)}`, connection_name: nameOf(index) },
    }));
    await made('/experiments', { title: 'a', type: 'smart_forecast' });
    copies('ml_experiments', (index) => ({
      ...{
        experiment_id: nameOf(index),
        title: nameOf(index % 40),
        title_key: nameOf(index),
        audience: [roleOf(index)],
      },
      acl: { owner: 'root', sharing: 'app', perms: { read: [roleOf(index)], write: [] } },
      created_at: 1_700_000_000 + (index % 3),
    }));
  });

  for (const batch of BATCHES) {
    describe(`on a platform whose batch_find is ${batch}`, () => {
      let platform: Platform;
      let records: RecordStore;
      before(async () => {
        ({ platform, records } = await startStore(batch));
        for (const [collection, documents] of app.site.records.collections) {
          for (const text of documents.values()) await records.insert(collection, JSON.parse(text));
        }
      });
      after(async () => {
        useRecords(undefined);
        await platform.close();
        rmSync(platform.home, { recursive: true, force: true });
      });

      for (const [user, path] of LISTS) {
        it(`have every record once, in order: ${path}`, async () => {
          useRecords(undefined);
          const expected = await walk(user, path);
          expect(expected).to.have.length(COUNT);
          useRecords(records);
          longest = 0;
          expect(await walk(user, path)).to.deep.equal(expected);
          expect(longest).to.be.above(MAX_QUERY_CHARS);
        });
      }
    });
  }
});

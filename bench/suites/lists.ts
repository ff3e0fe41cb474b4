import { expectStatus, TestPlatform } from '../../test/support/e2e/platform.ts';
import type { Bench } from '../bench.ts';
import {
  agents,
  containerConnections,
  experiments,
  fill,
  fillLookups,
  history,
  llmConfigurations,
  mcpConnections,
  READERS,
  registrations,
  type Seed,
  vectorStores,
} from '../listSeeds.ts';

const COUNT = 2000;
const PAGE = 30;
const RUNS = 15;

interface List {
  /** Below `/ml`. */
  path: string;
  /** What is read for it without the app, on the platform. */
  raw: string;
  /** The same for a search; absent = that is not measured. */
  rawSearch?: string;
  keep?: number;
  keepSearch?: number;
}

interface Filled {
  seed: Seed | typeof fillLookups;
  lists: readonly List[];
  /** Where there are never as many. */
  count?: number;
}

const rawRead = (collection: string, fields: string, more = ''): string =>
  `/servicesNS/nobody/ml_extension/storage/collections/data/${collection}?fields=_key,${fields}&limit=0${more}`;
const FILES = '/servicesNS/-/-/data/lookup-table-files?output_mode=json&count=0&search=name%3D__mlspl_*';
const MODELS = 'service,connection_name,models';

function named(path: string, collection: string): List {
  const raw = rawRead(collection, 'name,acl');
  return { path, raw, rawSearch: rawRead(collection, 'name,acl,description'), keep: 3, keepSearch: 3 };
}

const FILLED: readonly Filled[] = [
  {
    seed: mcpConnections,
    lists: [
      named('mcp_connection', 'ml_mcp_connections'),
      {
        path: 'connection_health',
        raw: rawRead('ml_mcp_connections', 'name,type,acl,details,secret_fields,auth_state,created_at,last_test'),
      },
    ],
  },
  { seed: vectorStores, lists: [named('vector_stores', 'ml_vector_stores')] },
  { seed: agents, lists: [named('agents', 'ml_agents')] },
  { seed: llmConfigurations, lists: [{ path: 'aicommander', raw: rawRead('ml_llm_connections', MODELS) }] },
  {
    seed: containerConnections,
    lists: [
      { path: 'container_connection/docker', raw: rawRead('ml_container_connections', 'connection_name') },
      {
        path: 'list_connections',
        raw: rawRead('ml_container_connections', 'container_type,connection_name,docker_url,cluster_url,client_cert'),
      },
    ],
  },
  {
    seed: registrations,
    lists: [{ path: 'list_models?type=cloud', raw: rawRead('ml_registered_models', 'model_name,acl,last_updated_at') }],
  },
  { seed: fillLookups, lists: [{ path: 'list_models?type=lookup', raw: FILES }] },
  // The store itself cuts the pages of these.
  {
    seed: experiments,
    lists: [
      {
        path: 'experiments',
        raw: rawRead('ml_experiments', 'title', `&sort=title_key:1,experiment_id:1`).replace(
          'limit=0',
          `limit=${PAGE}`,
        ),
        rawSearch: rawRead('ml_experiments', 'title,description,title_key,experiment_id'),
      },
    ],
  },
  {
    seed: history,
    count: 1000,
    lists: [
      {
        path: 'experiments/{id}/history',
        raw: rawRead('ml_experiment_history', 'details', '&sort=history_id:-1').replace('limit=0', `limit=${PAGE}`),
        rawSearch: rawRead('ml_experiment_history', 'message,user,action,history_id'),
      },
    ],
  },
];

/** A page of each list when there are many records, beside raw reads of what it goes by. */
export async function lists(bench: Bench): Promise<void> {
  for (const filled of FILLED) await rowsOf(bench, filled);
}

async function rowsOf(bench: Bench, { seed, lists: measured, count = COUNT }: Filled): Promise<void> {
  const comparisons = measured.flatMap(({ path, raw, rawSearch, keep, keepSearch }) =>
    [
      { path, search: '', raw, ...(keep ? { keep } : {}) },
      ...(rawSearch ? [{ path, search: 'copy', raw: rawSearch, ...(keepSearch ? { keep: keepSearch } : {}) }] : []),
    ].flatMap((row) =>
      ['admin', 'reader'].map((user) => ({
        ...({ ...row, user, unit: 'ms', aim: 2, against: 'a raw read of the same fields' } as const),
        what: `page of ${PAGE} of ${count}, ${path}, ${user}${row.search && ', search'}`,
      })),
    ),
  );
  if (!bench.wants(...comparisons)) return;
  const filled = await site(seed, count);
  try {
    for (const { path, search, user, raw, ...comparison } of comparisons) {
      const url = await address(filled, path, search);
      const page = () => expectPage(filled, user, url, count);
      await bench.times(comparison, RUNS, page, async () =>
        expectStatus(await filled.call('admin', 'GET', raw), 200, raw),
      );
    }
  } finally {
    await filled.dispose();
  }
}

async function site(seed: Filled['seed'], count: number): Promise<TestPlatform> {
  const made = await new TestPlatform().start();
  await made.createRole(READERS, ['ml_user'], ['list_ml_audit']);
  await made.createUser('reader', [READERS]);
  if (typeof seed === 'function') seed(made, count);
  else await fill(made, seed, count);
  return made;
}

async function address(at: TestPlatform, path: string, search: string): Promise<string> {
  const [experiment] = path.includes('{id}') ? await at.documents('ml_experiments') : [];
  const url = new URL(path.replace('{id}', String(experiment?.experiment_id)), 'https://any');
  url.searchParams.set('count', String(PAGE));
  if (search) url.searchParams.set('search', search);
  return `/servicesNS/nobody/ml_extension/ml${url.pathname}${url.search}`;
}

async function expectPage(at: TestPlatform, user: string, url: string, total: number): Promise<void> {
  const { json, text } = await at.call(user, 'GET', url);
  if (json?.pagination?.total !== total || json.result.length !== PAGE)
    throw new Error(`${url}: ${text.slice(0, 500)}`);
}

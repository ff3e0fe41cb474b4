import { expectStatus, TestPlatform } from '../test/support/e2e/platform.ts';
import type { Bench } from './bench.ts';
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
  trail,
  vectorStores,
} from './listSeeds.ts';

const [FEW, MANY] = [100, 10_000];
const PAGE = 30;
const RUNS = 15;

interface Filled {
  seed: Seed | typeof fillLookups;
  /** What lists these records, below `/ml`. */
  lists: readonly string[];
  /** Where there are never as many. */
  most?: number;
  /** The platform's own list of all of them, where it has no index for a page. */
  raw?: string;
  /** What `--short` holds a page without search to, where that is stable. */
  keep?: number;
}

const FILES = '/servicesNS/-/-/data/lookup-table-files?output_mode=json&count=0&search=name%3D__mlspl_*';

const FILLED: readonly Filled[] = [
  { seed: mcpConnections, lists: ['mcp_connection', 'connection_health'], keep: 2.4 },
  { seed: vectorStores, lists: ['vector_stores'], keep: 2.4 },
  { seed: agents, lists: ['agents'], keep: 2.4 },
  { seed: experiments, lists: ['experiments'], keep: 2.2 },
  { seed: history, lists: ['experiments/{id}/history'], most: 1000, keep: 1.9 },
  { seed: llmConfigurations, lists: ['aicommander'], keep: 2.4 },
  {
    seed: containerConnections,
    lists: ['container_connection/docker', 'test_container_connection', 'list_connections'],
    keep: 2.4,
  },
  { seed: registrations, lists: ['list_models?type=cloud'], keep: 2.4 },
  { seed: fillLookups, lists: ['list_models?type=lookup'], raw: FILES },
  { seed: trail, lists: ['audit'], keep: 2 },
];

/** What `--short` holds a page with search to, unless the list reads all for it. */
const KEEP_SEARCH = 3.2;
const READS_ALL: readonly string[] = ['list_models?type=lookup'];

/** A page of each list when there are many records, beside the same page when there are few. */
export async function lists(bench: Bench): Promise<void> {
  for (const filled of FILLED) await rowsOf(bench, filled);
}

async function rowsOf(bench: Bench, { seed, lists: paths, most = MANY, raw, keep }: Filled): Promise<void> {
  const comparisons = paths.flatMap((path) =>
    ['', 'copy'].flatMap((search) =>
      ['admin', 'reader'].map((user) => ({
        ...({ path, search, user, unit: 'ms', aim: 1.5, ...kept(path, search, keep) } as const),
        what: `page of ${PAGE} of ${most}, ${path}, ${user}${search && ', search'}`,
        against: `of ${FEW}`,
      })),
    ),
  );
  if (!bench.wants(...comparisons)) return;
  const sites = [await site(seed, most), await site(seed, FEW)] as const;
  try {
    for (const { path, search, user, ...comparison } of comparisons) {
      const page = async (at: TestPlatform, total: number) => {
        const url = await address(at, path, search);
        return () => expectPage(at, user, url, total);
      };
      const large = await page(sites[0], most);
      await bench.times(comparison, RUNS, large, await page(sites[1], FEW));
      if (!raw || search || user !== 'admin') continue;
      const against = "the platform's own list of all of them";
      const itself = async () => expectStatus(await sites[0].call(user, 'GET', raw), 200, raw);
      await bench.times({ ...comparison, against }, RUNS, large, itself);
    }
  } finally {
    for (const one of sites) await one.dispose();
  }
}

function kept(path: string, search: string, keep: number | undefined): { keep?: number } {
  if (!search) return keep === undefined ? {} : { keep };
  return READS_ALL.includes(path) ? {} : { keep: KEEP_SEARCH };
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

import { TestPlatform } from '../test/support/e2e/platform.ts';
import { inTurn, type Row, timed } from './measure.ts';

const [FEW, MANY] = [100, 10_000];
const RUNS = 60;

/** Lists and history of many, each beside the same of few, on a platform of its own. */
export async function experimentRows(platform: TestPlatform): Promise<Row[]> {
  const few = await new TestPlatform().start();
  try {
    await fill(platform, MANY);
    await fill(few, FEW);
    const list = (at: TestPlatform, user: string, query: string) => () =>
      timed(() => expectTotal(at, user, query, at === few ? FEW : MANY));
    const pages: [string, string, string][] = [
      ['page of 30 by title, administrator', 'admin', ''],
      ['page of 30 by title, reader through a role', 'reader', ''],
      ['page of 30 by last change, descending', 'reader', '?sort_key=last_updated_at&sort_dir=desc'],
    ];
    const rows: Row[] = [];
    for (const [what, user, query] of pages) {
      const measured = await inTurn(RUNS, list(platform, user, query), list(few, user, query));
      rows.push({ what, against: `of ${FEW} instead of ${MANY}`, unit: 'ms', aim: 2, ...measured });
    }
    const [long, short] = [await experiment(platform), await experiment(few)];
    await fillHistory(platform, long, MANY);
    const measured = await inTurn(RUNS * 2, add(platform, long), add(few, short));
    rows.push({ what: 'history entry after 10,000 others', against: 'after none', unit: 'ms', aim: 1.25, ...measured });
    return rows;
  } finally {
    await few.dispose();
  }
}

async function experiment(platform: TestPlatform): Promise<string> {
  const body = { title: 'bench', type: 'smart_forecast' };
  const reply = await platform.ml('admin', 'POST', '/experiments', body);
  if (reply.status !== 200) throw new Error(reply.text);
  return reply.json.experiment_id;
}

/** The first is made by the app, the others are its copies, saved in batches: making them takes the bench no time. */
async function fill(platform: TestPlatform, count: number): Promise<void> {
  await platform.createUser('reader', ['user', 'power']);
  const stage = { role: 'fit', search: '| fit LinearRegression y from x into m1', model_name: 'm1' };
  const created = await platform.ml('admin', 'POST', '/experiments', {
    title: 'Experiment',
    type: 'smart_forecast',
    description: 'x'.repeat(200),
    search_stages: Array.from({ length: 5 }, () => ({ ...stage, parameters: { text: 'y'.repeat(500) } })),
    acl: { sharing: 'app', perms: { read: ['power'] } },
  });
  if (created.status !== 200) throw new Error(created.text);
  const id: string = created.json.experiment_id;
  const doc = (await platform.documents('ml_experiments')).find((one) => one.experiment_id === id);
  const copies = Array.from({ length: count - 1 }, (_, index) => {
    const experiment_id = id.slice(0, 24) + (index + 1).toString(16).padStart(8, '0');
    const title = `Experiment ${(index * 7919) % count}`;
    const changed = Number(doc?.created_at) + ((index * 104_729) % count);
    return {
      ...doc,
      _key: experiment_id,
      experiment_id,
      title,
      title_key: title.toLowerCase(),
      last_updated_at: changed,
    };
  });
  await save(platform, 'ml_experiments', copies);
}

async function fillHistory(platform: TestPlatform, id: string, count: number): Promise<void> {
  const entries = Array.from({ length: count }, (_, index) => {
    const history_id = (1_000_000 + index).toString(16).padStart(12, '0') + 'a'.repeat(20);
    const common = { action: 'train', timestamp: index, user: 'admin', status: 'success', details: '{}' };
    return { _key: history_id, history_id, experiment_id: id, ...common };
  });
  await save(platform, 'ml_experiment_history', entries);
}

async function save(platform: TestPlatform, collection: string, docs: readonly object[]): Promise<void> {
  const path = `/servicesNS/nobody/ml_extension/storage/collections/data/${collection}/batch_save?output_mode=json`;
  for (let at = 0; at < docs.length; at += 1000) {
    const reply = await platform.call('admin', 'POST', path, docs.slice(at, at + 1000));
    if (reply.status !== 200) throw new Error(reply.text);
  }
}

const add = (platform: TestPlatform, id: string) => () =>
  timed(() => platform.ml('admin', 'POST', `/experiments/${id}/history`, { action: 'train', sid: '1.2' }));

async function expectTotal(platform: TestPlatform, user: string, query: string, total: number): Promise<void> {
  const reply = await platform.ml(user, 'GET', `/experiments${query}`);
  if (reply.json?.pagination?.total !== total || reply.json.result.length !== 30) throw new Error(reply.text);
}

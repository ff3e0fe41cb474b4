import { TestPlatform } from '../test/support/e2e/platform.ts';
import type { Bench } from './bench.ts';

const ENTRIES = 10_000;

/** What it costs an experiment to have a long history. */
export async function experiments(bench: Bench): Promise<void> {
  const platform = await new TestPlatform().start();
  try {
    const [long, short] = [await experiment(platform), await experiment(platform)];
    await fillHistory(platform, long);
    const comparison = { what: 'history entry after 10,000 others', against: 'after none', aim: 1.25, keep: 1.5 };
    await bench.times(comparison, 120, add(platform, long), add(platform, short));
  } finally {
    await platform.dispose();
  }
}

async function experiment(platform: TestPlatform): Promise<string> {
  const body = { title: 'bench', type: 'smart_forecast' };
  const reply = await platform.ml('admin', 'POST', '/experiments', body);
  if (reply.status !== 200) throw new Error(reply.text);
  return reply.json.experiment_id;
}

async function fillHistory(platform: TestPlatform, id: string): Promise<void> {
  const entries = Array.from({ length: ENTRIES }, (_, index) => {
    const history_id = (1_000_000 + index).toString(16).padStart(12, '0') + 'a'.repeat(20);
    const common = { action: 'train', timestamp: index, user: 'admin', status: 'success', details: '{}' };
    return { _key: history_id, history_id, experiment_id: id, ...common };
  });
  await platform.putDocuments('ml_experiment_history', entries);
}

const add = (platform: TestPlatform, id: string) => async () => {
  const reply = await platform.ml('admin', 'POST', `/experiments/${id}/history`, { action: 'train', sid: '1.2' });
  if (reply.status !== 200) throw new Error(reply.text);
};

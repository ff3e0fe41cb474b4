import { TestPlatform } from '../../test/support/e2e/platform.ts';
import { experimentWith } from '../../test/support/records/histories.ts';
import type { Bench } from '../bench.ts';

const ENTRIES = 10_000;

/** What it costs an experiment to have a long history. */
export async function experiments(bench: Bench): Promise<void> {
  const platform = await new TestPlatform().start();
  try {
    const [long, short] = [await experimentWith(platform, ENTRIES), await experimentWith(platform, 0)];
    const comparison = { what: 'history entry after 10,000 others', against: 'after none', aim: 1.25, keep: 1.5 };
    await bench.times(comparison, 120, add(platform, long), add(platform, short));
  } finally {
    await platform.dispose();
  }
}

const add = (platform: TestPlatform, id: string) => async () => {
  const reply = await platform.ml('admin', 'POST', `/experiments/${id}/history`, { action: 'train', sid: '1.2' });
  if (reply.status !== 200) throw new Error(reply.text);
};

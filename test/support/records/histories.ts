import { timePart } from '../../../src/domain/values/keys.ts';
import { expectStatus, type TestPlatform } from '../e2e/platform.ts';

/** The id of an entry. @param number its place among those of the experiment: the oldest has the smallest */
export const entryId = (experiment: string, number: number): string => timePart(number) + experiment.slice(0, 20);

/** An entry of an experiment's history as it is stored. @param more what sets it apart */
export function historyEntry(experiment_id: string, number: number, more: object = {}) {
  const history_id = entryId(experiment_id, number);
  const common = { action: 'train', timestamp: number, user: 'admin', status: 'success', details: '{}' };
  return { _key: history_id, history_id, experiment_id, ...common, ...more };
}

/**
 * Makes an experiment and puts that many entries into its history, all older than the one about its creation.
 * @param more what sets one apart, by its index
 * @returns the id of the experiment
 */
export async function experimentWith(
  site: TestPlatform,
  count: number,
  more: (index: number) => object = () => ({}),
): Promise<string> {
  const made = await site.ml('admin', 'POST', '/experiments', { title: 'With a history', type: 'smart_forecast' });
  expectStatus(made, 200, 'an experiment');
  const { experiment_id } = made.json;
  const entries = Array.from({ length: count }, (_, index) => historyEntry(experiment_id, index, more(index)));
  await site.putDocuments('ml_experiment_history', entries);
  return experiment_id;
}

import type { AlertingSearch } from '../search/jobs/jobs.ts';
import type { AlertCall } from '../search/pipeline/context.ts';
import type { Batch } from '../search/results/rows.ts';
import { refused } from '../search/stages/arguments.ts';
import type { AlertActions } from './actions/actions.ts';
import { ActionError } from './actions/alertAction.ts';

/** `sendalert` in a search: runs the action once over all rows, as the user of the search. @throws ArgumentError */
export async function sendAlert(
  actions: AlertActions,
  { caller, job, signal }: AlertingSearch,
  { action, params, resultsLink }: AlertCall,
  results: Batch,
): Promise<void> {
  const { app, sid } = job.settings;
  const time = Date.now() / 1000;
  try {
    await actions.run({ action, caller, app, sid, folder: job.folder, results, time, params, resultsLink, signal });
  } catch (error) {
    if (error instanceof ActionError) throw refused('sendalert', error.message);
    throw error;
  }
}

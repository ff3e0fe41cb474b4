import { setTimeout } from 'node:timers/promises';
import { SEARCH_TOOL } from './hostLoad.ts';
import { ALERT } from './outage.ts';
import { MODELS } from './peers/model.ts';
import { SEARCHES } from './searches.ts';
import type { Site } from './site.ts';

/** The first run succeeds, the second fails because its model has no quota; the run of the alert waits for approval of the restart. */
const runs = (agent: string) => [
  { session_id: 'demo-disks', agent, input: 'Which disks are nearly full, and what should I do?' },
  {
    session_id: 'demo-quota',
    definition: { llm: { model: LARGE } },
    input: 'Summarise the incidents of last week.',
  },
];
const LARGE = `Demo/${MODELS.large}`;

/** Uses the examples once, so that there are tests, runs and fresh uses to see. */
export async function useExamples(site: Site, agent: string): Promise<void> {
  const { app } = site;
  await app.call('checkConnectionHealth', { body: {} });
  const begun = new Set<string | undefined>();
  let isAlerted = false;
  for await (const { session_id, source } of app.each('listRuns')) {
    begun.add(session_id);
    isAlerted ||= source?.search_name === ALERT;
  }
  for (const run of runs(agent))
    if (!begun.has(run.session_id)) await app.call('startRun', { body: { ...run, wait_s: 25 } });
  if (!isAlerted) await alert(site);
  await site.ask('default', 'What is a saved search?');
  // It has no quota: the Overview and the events of uses have a failure to show.
  await site.ask(LARGE, 'Summarise the incidents of last night.');
  await site.ask('best', 'What should I do when a disk is full?');
  await site.ask('container/llama', 'A login was refused. What should I check?');
  await app.call('callTool', { body: { connection: 'Desk', tool: 'disk_usage', arguments: {} } });
  await app.call('callSearchTool', { body: { tool: SEARCH_TOOL, arguments: { host: '*' } } });
  await app.call('retrievePassages', { body: { store: 'Runbooks', query: 'disk full' } });
  for (const search of SEARCHES) await site.search(search);
}

const ALERT_MS = 60_000;

/** Runs the alert now rather than with its schedule, and waits until its run asks for approval. */
async function alert(site: Site): Promise<void> {
  await site.dispatch(ALERT);
  const end = Date.now() + ALERT_MS;
  while (Date.now() < end) {
    for await (const { source, state } of site.app.each('listRuns'))
      if (source?.search_name === ALERT && state === 'waiting_for_approval') return;
    await setTimeout(300);
  }
  throw new Error(`The alert "${ALERT}" started no run that waits for approval within ${ALERT_MS / 1000} s`);
}

import { SEARCH_TOOL } from './hostLoad.ts';
import { MODELS } from './peers/model.ts';
import { SEARCHES } from './searches.ts';
import type { Site } from './site.ts';

/** The first run succeeds, the second waits for approval of the restart, and the third fails because its model has no quota. */
const runs = (agent: string) => [
  { session_id: 'demo-disks', agent, input: 'Which disks are nearly full, and what should I do?' },
  { session_id: 'demo-restart', agent, input: 'The checkout service is slow. Restart it.' },
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
  for await (const { session_id } of app.each('listRuns')) begun.add(session_id);
  for (const run of runs(agent))
    if (!begun.has(run.session_id)) await app.call('startRun', { body: { ...run, wait_s: 25 } });
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

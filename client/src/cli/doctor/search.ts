import { setTimeout as sleep } from 'node:timers/promises';
import { contentOf, listOf, objectOf, textOf, wordsOf } from './reading.ts';
import type { Answer } from './site.ts';
import { Concluded, fails, holds, notAsked, type Verdict } from './verdict.ts';
import { type Check, expectStatus, type Visit } from './visit.ts';

const LONGEST_MS = 60_000;
const NEEDED = 'run_custom_command';
const MISSING =
  'Is commands.conf of the app read, and exported (metadata/local.meta)? A restart reads it; see docs/agentstatus.md for AI Toolkit.';

interface Found {
  rows: Record<string, unknown>[];
  messages: string[];
}

/** Runs a search and deletes its job. @throws Concluded */
async function run(visit: Visit, search: string): Promise<Found> {
  const jobs = `/servicesNS/${encodeURIComponent(visit.user)}/ml_extension/search/jobs`;
  const body = new URLSearchParams({ search, exec_mode: 'normal', output_mode: 'json' });
  const started = await visit.ask('POST', jobs, { body });
  if (started.status === 403) throw new Concluded(notAsked('this account may not search'));
  if (started.status !== 201 && started.status !== 200)
    throw new Concluded(fails('The platform refused the search', MISSING, wordsOf(started)));
  const sid = textOf(objectOf(started.json).sid);
  const job = `/services/search/jobs/${encodeURIComponent(sid)}`;
  try {
    const messages = await ended(visit, job);
    return { rows: await rowsOf(visit, sid, job), messages };
  } finally {
    await visit.ask('DELETE', job).catch(() => undefined);
  }
}

/** Waits for the job. @returns its messages @throws Concluded */
async function ended(visit: Visit, job: string): Promise<string[]> {
  const until = Date.now() + LONGEST_MS;
  for (;;) {
    const answer = await visit.ask('GET', `${job}?output_mode=json`);
    const content = contentOf(answer.json);
    const messages = listOf(content.messages).map(objectOf);
    const lines = messages.map(({ type, text }) => `${textOf(type)} ${textOf(text)}`);
    if (content.isFailed === true || content.isFailed === '1' || content.dispatchState === 'FAILED')
      throw new Concluded(fails('The search failed', `Look into search.log of the job. ${MISSING}`, lines.join('; ')));
    if (content.isDone === true || content.isDone === '1') return lines;
    if (Date.now() > until) {
      const remedy = 'Is the limit of searches at once reached (Activity, Jobs), or does the command hang?';
      throw new Concluded(fails(`The search was not done within ${LONGEST_MS / 1000} s`, remedy, lines.join('; ')));
    }
    await sleep(250);
  }
}

async function rowsOf(visit: Visit, sid: string, job: string): Promise<Record<string, unknown>[]> {
  const ask = (path: string) => visit.ask('GET', `${path}/results?output_mode=json&count=0`);
  let answer: Answer = await ask(`/services/search/v2/jobs/${encodeURIComponent(sid)}`);
  // Releases before 9.0.1 lack the v2 endpoint.
  if (answer.status === 404) answer = await ask(job);
  if (answer.status === 204) return [];
  expectStatus(answer, 200, 'The results of a search were refused', 'Look into search.log of the job.');
  return listOf(objectOf(answer.json).results).map(objectOf);
}

const command = (name: string, search: (visit: Visit) => string, judge: (found: Found, visit: Visit) => Verdict) => ({
  name: `search-${name}`,
  needs: ['app'],
  async run(visit: Visit): Promise<Verdict> {
    if (visit.capabilities.length > 0 && !visit.has(NEEDED)) return notAsked(`this account lacks ${NEEDED}`);
    return judge(await run(visit, search(visit)), visit);
  },
});

export const agentStatus: Check = command(
  'agentstatus',
  ({ mark }) => `| agentstatus agent_name="mlxdoctor${mark}"`,
  ({ rows, messages }) => {
    // This agent does not exist; another app's command of the same name would answer differently.
    if (rows[0]?.error_code === 'not_found') return holds('| agentstatus answers');
    const remedy = 'Splunk AI Toolkit has a command of this name: see docs/agentstatus.md.';
    return fails('Not the command of this app answers to | agentstatus', remedy, messages.join('; '));
  },
);

export const mlHealth: Check = command(
  'mlhealth',
  () => '| mlhealth family=mcp-connections',
  ({ rows, messages }, visit) => {
    const created = [...visit.made];
    if (created.length > 0 && !rows.some(({ name }) => created.includes(textOf(name)))) {
      const what = '| mlhealth does not show a record that was just made';
      return fails(what, 'Look into search.log of the job.', messages.join('; '));
    }
    return holds(created.length > 0 ? '| mlhealth shows the record of this run' : '| mlhealth answers');
  },
);

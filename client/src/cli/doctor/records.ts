import { randomBytes } from 'node:crypto';
import { type Answer, must, NotAsked } from './answer.ts';
import { KV, NOWHERE, UNICODE } from './app.ts';
import type { Check } from './check.ts';
import { removeDocuments } from './store.ts';
import type { Visit } from './visit.ts';

export const RECORDS = '/mcp_connection';
const DESCRIPTION = `Made and removed by mlx doctor ${UNICODE}`;
const SEARCH_LOG = 'Look into search.log of the job.';
/** Longer than a call takes, shorter than token validation tolerates. */
const MAX_CLOCK_S = 60;

/** The checks that create records, those that read them, and their removal. */
export const RECORD_CHECKS: readonly Check[] = [
  {
    code: 'kv-store',
    needs: 'store',
    remedy: KV,
    async check(visit) {
      const name = nameOf(visit, 'record');
      const created = await create(visit, name);
      expectCreated(created);
      const createdAt = created.value('config', 'created_at');
      if (typeof createdAt === 'number') visit.clocks.set("the app's process", createdAt * 1000 - created.at);
      // Names, leases and locks depend on atomic inserts.
      const again = await create(visit, name.toUpperCase());
      must(again.status === 409, 'The store took a second record of the same name', again);
      await expectReadable(visit, name);
      await expectVersions(visit, name);
      return 'a record was written, found by name, read back as it was, changed and guarded by its version';
    },
  },
  {
    code: 'secrets',
    needs: 'store',
    remedy: 'Look in splunkd.log for the password storage; the app reads it with the system token of its requests.',
    async check(visit) {
      const state = (await visit.app('GET', '/health')).text('secrets');
      must(state === 'ready', `The app finds the password storage ${state || 'unknown'}`);
      // Longer than one password entry of any release, with characters that need escaping.
      const secret = `mlx:\\doctor%2F/${randomBytes(240).toString('base64')}`;
      visit.secrets.add(secret);
      const name = nameOf(visit, 'secret');
      const created = await create(visit, name, undefined, { token: secret });
      expectCreated(created);
      const token = (answer: Answer) => answer.value('config', 'details', 'token');
      for (const answer of [created, await visit.app('GET', pathOf(name))]) {
        const isClear = answer.body.includes(secret.slice(16));
        must(!isClear, 'A secret came back in the clear', '', 'That is a bug of the app: report it.');
        must(token(answer) === '***MASKED***', 'A secret is not shown as saved');
      }
      // The app reads the secret before calling the closed port.
      const test = await visit.app('POST', `${RECORDS}/test`, { name });
      const isUsed = test.status === 200 && test.code !== 'store_unavailable';
      must(isUsed, 'A secret was saved, and the app could not read it', test);
      const change = await visit.app('PUT', RECORDS, { name, details: { token: '' } });
      must(change.status === 200, 'A secret could not be removed', change);
      const isGone = token(await visit.app('GET', pathOf(name))) === undefined;
      must(isGone, 'A secret that was removed is still shown');
      return 'a secret was saved, masked, used by the app and removed';
    },
  },
  {
    code: 'search-mlhealth',
    needs: 'store',
    remedy: SEARCH_LOG,
    async check(visit) {
      const answer = await search(visit, '| mlhealth family=mcp-connections');
      const names = answer.column('results', 'name');
      const isShown = visit.made.size === 0 || names.some((name) => visit.made.has(name));
      must(isShown, '| mlhealth does not show a record that was just made', messagesOf(answer));
      return visit.made.size > 0 ? '| mlhealth shows the record of this run' : '| mlhealth answers';
    },
  },
  {
    code: 'search-agentstatus',
    needs: 'store',
    remedy: 'Splunk AI Toolkit has a command of this name: see docs/agentstatus.md.',
    /** The error of an agent that does not exist is this app's own. */
    async check(visit) {
      const answer = await search(visit, `| agentstatus agent_name="mlxdoctor${visit.mark}"`);
      const isOurs = answer.text('results', 0, 'error_code') === 'not_found';
      must(isOurs, 'Not the command of this app answers to | agentstatus', messagesOf(answer));
      return '| agentstatus answers';
    },
  },
];

/** The last checks: nothing is left, and what the others learned of clocks. */
export const END_CHECKS: readonly Check[] = [
  {
    code: 'removal',
    needs: 'app',
    remedy: 'Delete this MCP connection by hand.',
    async check(visit) {
      if (visit.made.size === 0) throw new NotAsked('nothing was made');
      for (const name of visit.made) {
        const answer = await visit.app('DELETE', pathOf(name));
        must(answer.status === 200 || answer.status === 404, `The record ${name} could not be removed`, answer);
        const gone = await visit.app('GET', pathOf(name));
        must(gone.status === 404, `The record ${name} was deleted, and is still there`, gone, KV);
        visit.made.delete(name);
      }
      const remaining = await visit.app('GET', `${RECORDS}?search=mlx-doctor&fields=name`);
      const names = remaining.column('result', 'name');
      const others = names.length > 0 ? `; ${names.length} of other runs are still there: ${names.join(', ')}` : '';
      return `every record of this run is gone${others}`;
    },
  },
  {
    code: 'clock',
    needs: 'platform',
    remedy: 'Synchronize the clocks by NTP. Otherwise expiry dates and test times are wrong.',
    async check({ clocks }) {
      if (!clocks.has('the platform')) throw new NotAsked('the platform does not tell the time');
      const parts = [...clocks].map(([name, ms]) => {
        const seconds = Math.round(ms / 1000);
        const size = Math.abs(seconds);
        const difference = size <= 1 ? 'within a second' : `${size} s ${seconds > 0 ? 'ahead' : 'behind'}`;
        must(size <= MAX_CLOCK_S, `The clock of ${name} is ${difference} of this machine's`);
        return `${name} ${difference}`;
      });
      return `${parts.join(', ')} of this machine's`;
    },
  },
];

/** Retries the removal. @returns names of records that remain */
export async function removeLeftovers(visit: Visit): Promise<string[]> {
  for (const name of visit.made) {
    for (let tries = 0; tries < 3 && visit.made.has(name); tries += 1) {
      try {
        const { status } = await visit.app('DELETE', pathOf(name));
        if (status === 200 || status === 404) visit.made.delete(name);
      } catch {
        // Retried; reported if it keeps failing.
      }
    }
  }
  for (let tries = 0; tries < 3 && visit.hasDocuments; tries += 1) await removeDocuments(visit).catch(() => undefined);
  return [...visit.made];
}

/** A unique name with characters that URLs must encode. */
const nameOf = (visit: Visit, kind: string) => `mlx-doctor ${kind} +(${visit.mark})`;
const pathOf = (name: string) => `${RECORDS}/${encodeURIComponent(name)}`;

/** @param send how the body is sent; default: to the app itself */
export async function create(
  visit: Visit,
  name: string,
  send = (body: object) => visit.app('POST', RECORDS, body),
  secret: { token?: string } = {},
): Promise<Answer> {
  const isNew = !visit.made.has(name);
  // Before sending: an interrupted call may have created the record.
  visit.made.add(name);
  const details = { url: NOWHERE, ...secret };
  const answer = await send({ name, type: 'PLATFORM', description: DESCRIPTION, details });
  // A store that names a reason took nothing.
  const isRefused = (answer.status >= 400 && answer.status < 500) || answer.text('reason') !== '';
  if (isNew && isRefused) visit.made.delete(name);
  return answer;
}

/** Missing rights and disabled features are not faults of the site. @throws NotAsked, Failed */
function expectCreated(answer: Answer): void {
  if (answer.code === 'missing_capability') throw new NotAsked('this account lacks edit_agent_connections');
  if (answer.code === 'feature_disabled') throw new NotAsked('MCP connections are switched off on this site');
  must(answer.status === 200, 'A record could not be saved', answer);
}

async function expectReadable(visit: Visit, name: string): Promise<void> {
  const remedy = 'A proxy in between, or the platform, changes encoded characters of addresses.';
  for (const path of [pathOf(name), `${RECORDS}?name=${encodeURIComponent(name)}`]) {
    const answer = await visit.app('GET', path);
    const place = path.includes('?') ? 'query' : 'path';
    must(answer.status === 200, `A record was not found by its name in the ${place}`, answer, remedy);
    const isSame = answer.value('config', 'description') === DESCRIPTION;
    must(isSame, 'A record was read back with another text than was sent', '', 'Is the charset UTF-8 on the way?');
  }
}

async function expectVersions(visit: Visit, name: string): Promise<void> {
  const change = { name, description: 'Changed' };
  const remedy =
    'Request headers do not reach the app: restmap.conf must say passHttpHeaders = true, and proxies pass If-Match.';
  const stale = await visit.app('PUT', RECORDS, change, { 'If-Match': '7' });
  const isRefused = stale.code === 'version_conflict';
  must(isRefused, 'A change on a wrong condition (If-Match) was not refused', stale, remedy);
  const changed = await visit.app('PUT', RECORDS, { ...change, version: 1 });
  must(changed.status === 200, 'A change (PUT) was refused', changed);
  const answer = await visit.app('GET', pathOf(name));
  const isChanged = answer.value('config', 'version') === 2 && answer.value('config', 'description') === 'Changed';
  must(isChanged, 'A change was acknowledged, and the next reading does not show it', answer);
}

/** The results of a search. @throws Failed, NotAsked */
async function search(visit: Visit, query: string): Promise<Answer> {
  const isPermitted = visit.capabilities.length === 0 || visit.has('run_custom_command');
  if (!isPermitted) throw new NotAsked('this account lacks run_custom_command');
  const jobs = `/servicesNS/${encodeURIComponent(visit.user)}/ml_extension/search/jobs`;
  const body = new URLSearchParams({ search: query, exec_mode: 'oneshot', count: '0', output_mode: 'json' });
  const answer = await visit.call('POST', jobs, { body });
  if (answer.status === 403) throw new NotAsked('this account may not search');
  const remedy =
    'Is commands.conf of the app read, and exported (metadata/local.meta)? A restart reads it; see docs/agentstatus.md for AI Toolkit.';
  must(answer.status === 200, 'The platform refused the search', answer, remedy);
  // Errors of other apps, such as of a lookup, come with the results.
  const fatal = answer.list('results').length > 0 ? /^FATAL/ : /^(FATAL|ERROR)/;
  const isFailed = answer.column('messages', 'type').some((type) => fatal.test(type));
  must(!isFailed, 'The search failed', messagesOf(answer), `${SEARCH_LOG} ${remedy}`);
  return answer;
}

const messagesOf = (answer: Answer) => answer.column('messages', 'text').join('; ');

import { randomBytes } from 'node:crypto';
import { NOWHERE, UNICODE } from './driver.ts';
import { codeOf, contentOf, listOf, objectOf, textOf, wordsOf } from './reading.ts';
import type { Answer } from './site.ts';
import { Concluded, fails, holds, notAsked } from './verdict.ts';
import { type Check, expectStatus, type Visit } from './visit.ts';

const PATH = '/mcp_connection';
const NEEDED = 'edit_agent_connections';
const DESCRIPTION = `Made and removed by mlx doctor ${UNICODE}`;
const KV = '`splunk show kvstore-status` on the site, and mongod.log, say what the KV store is waiting for.';
const PASSWORDS =
  'Look in splunkd.log for the password storage; the app reads it with the system token of its requests.';
const MASK = '***MASKED***';

/** A unique name with characters that URLs must encode. */
const nameOf = (visit: Visit, kind: string) => `mlx-doctor ${kind} +(${visit.mark})`;
const at = (name: string) => `${PATH}/${encodeURIComponent(name)}`;

/** Missing rights and disabled features are not faults of the site. @throws Concluded */
function expectMade(answer: Answer, remedy: string): void {
  const code = codeOf(answer.json);
  if (code === 'missing_capability') throw new Concluded(notAsked(`this account lacks ${NEEDED}`));
  if (code === 'feature_disabled') throw new Concluded(notAsked('MCP connections are switched off on this site'));
  expectStatus(answer, 200, 'A record could not be saved', remedy);
}

async function create(visit: Visit, name: string, token?: string): Promise<Answer> {
  // Before sending: an interrupted call may have created the record.
  visit.made.add(name);
  const details = { url: NOWHERE, ...(token === undefined ? {} : { token }) };
  const answer = await visit.app('POST', PATH, { name, type: 'PLATFORM', description: DESCRIPTION, details });
  if (answer.status >= 400 && answer.status < 500) visit.made.delete(name);
  return answer;
}

const config = (answer: Answer) => objectOf(objectOf(answer.json).config);

export const kvStore: Check = {
  name: 'kv-store',
  needs: ['app'],
  async run(visit) {
    const { store } = objectOf((await visit.app('GET', '/health')).json);
    if (store !== 'ready') return fails(`The app finds the KV store ${textOf(store) || 'unknown'}, not ready`, KV);
    const { current } = contentOf((await visit.ask('GET', '/services/kvstore/status?output_mode=json')).json);
    const { status, readOnly } = objectOf(current);
    if (status !== undefined && status !== 'ready') return fails(`The KV store is ${textOf(status)}, not ready`, KV);
    if (readOnly === true || readOnly === 1) return fails('The KV store is in read-only mode', KV);

    const name = nameOf(visit, 'record');
    const made = await create(visit, name);
    expectMade(made, KV);
    const born = config(made).created_at;
    if (typeof born === 'number') visit.appClock = { says: born * 1000, at: made.at };
    await expectUnique(visit, name);
    await expectReadable(visit, name);
    await expectVersions(visit, name);
    return holds('a record was written, found by name, read back as it was, changed and guarded by its version');
  },
};

/** Names, leases and locks depend on atomic inserts. */
async function expectUnique(visit: Visit, name: string): Promise<void> {
  const again = await create(visit, name.toUpperCase());
  if (again.status === 409) return;
  throw new Concluded(fails('The store took a second record of the same name', KV, wordsOf(again)));
}

async function expectReadable(visit: Visit, name: string): Promise<void> {
  const inPath = await visit.app('GET', at(name));
  const encoded = 'A proxy in between, or the platform, changes encoded characters of addresses.';
  expectStatus(inPath, 200, 'A record that was just written was not found by its name in the path', encoded);
  if (config(inPath).description !== DESCRIPTION)
    throw new Concluded(
      fails('A record was read back with another text than was sent', 'Is the charset UTF-8 on the way?'),
    );
  const inQuery = await visit.app('GET', `${PATH}?name=${encodeURIComponent(name)}`);
  expectStatus(inQuery, 200, 'A record was not found by its name in the query', encoded);
}

async function expectVersions(visit: Visit, name: string): Promise<void> {
  const change = { name, description: 'Changed' };
  const headers =
    'Request headers do not reach the app: restmap.conf must say passHttpHeaders = true. Proxies drop If-Match too.';
  const stale = await visit.app('PUT', PATH, change, { 'If-Match': '7' });
  if (codeOf(stale.json) !== 'version_conflict')
    throw new Concluded(fails('A change on a wrong condition (If-Match) was not refused', headers, wordsOf(stale)));
  const changed = await visit.app('PUT', PATH, { ...change, version: 1 });
  expectStatus(changed, 200, 'A change (PUT) was refused', KV);
  const { version, description } = config(await visit.app('GET', at(name)));
  if (version !== 2 || description !== 'Changed')
    throw new Concluded(fails('A change was acknowledged, and the next reading does not show it', KV));
}

export const secrets: Check = {
  name: 'secrets',
  needs: ['app'],
  async run(visit) {
    const health = await visit.app('GET', '/health');
    const { secrets: state } = objectOf(health.json);
    if (state !== 'ready') return fails(`The app finds the password storage ${textOf(state) || 'unknown'}`, PASSWORDS);
    // Longer than one password entry of any release, with characters that need escaping.
    const secret = `mlx:\\doctor%2F/${randomBytes(240).toString('base64')}`;
    visit.secrets.add(secret);
    const name = nameOf(visit, 'secret');
    const made = await create(visit, name, secret);
    expectMade(made, PASSWORDS);
    for (const answer of [made, await visit.app('GET', at(name))]) {
      if (answer.text.includes(secret.slice(16)))
        return fails('A secret came back in the clear', 'That is a bug of the app: report it.');
      if (tokenOf(answer) !== MASK) return fails('A secret is not shown as saved', PASSWORDS);
    }
    // The app reads the secret before calling the closed port.
    const used = await visit.app('POST', `${PATH}/test`, { name });
    if (textOf(objectOf(used.json).error_code) === 'store_unavailable' || used.status !== 200)
      return fails('A secret was saved, and the app could not read it', PASSWORDS, wordsOf(used));
    const details = { token: '' };
    expectStatus(await visit.app('PUT', PATH, { name, details }), 200, 'A secret could not be removed', PASSWORDS);
    if (tokenOf(await visit.app('GET', at(name))) !== undefined)
      return fails('A secret that was removed is still shown', PASSWORDS);
    return holds('a secret was saved, masked, used by the app and removed');
  },
};

const tokenOf = (answer: Answer) => objectOf(config(answer).details).token;

/** Removes the records of this run and reports leftovers. */
export const removal: Check = {
  name: 'removal',
  needs: ['app'],
  async run(visit) {
    const made = [...visit.made];
    if (made.length === 0) return notAsked('nothing was made');
    for (const name of made) {
      const answer = await visit.app('DELETE', at(name));
      if (answer.status !== 200 && answer.status !== 404)
        return fails(`The record ${name} could not be removed`, 'Delete this MCP connection by hand.', wordsOf(answer));
      const gone = await visit.app('GET', at(name));
      if (gone.status !== 404) return fails(`The record ${name} was deleted, and is still there`, KV, wordsOf(gone));
      visit.made.delete(name);
    }
    const left = await visit.app('GET', `${PATH}?search=${encodeURIComponent('mlx-doctor')}&fields=name`);
    const names = listOf(objectOf(left.json).result).map((one) => textOf(objectOf(one).name));
    const others = names.length === 0 ? '' : `; ${names.length} of other runs are still there: ${names.join(', ')}`;
    return holds(`every record of this run is gone${others}`);
  },
};

const TRIES = 3;

/** Retries the removal. @returns names of records that remain */
export async function removeLeftovers(visit: Visit): Promise<string[]> {
  for (const name of visit.made) {
    for (let tried = 0; tried < TRIES && visit.made.has(name); tried += 1) {
      try {
        const { status } = await visit.app('DELETE', at(name));
        if (status === 200 || status === 404) visit.made.delete(name);
      } catch {
        // Retried; reported if it keeps failing.
      }
    }
  }
  return [...visit.made];
}

import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { PlatformOptions } from '../../src/platform.ts';
import { parseCsv } from '../../src/search/results/csv.ts';
import { until } from './patience.ts';
import { startTestPlatform, type TestPlatform, temporaryFolder, writeFiles } from './platform.ts';

export const PASSWORD = 'changed-it';

const NOTE = `#!/bin/sh
folder="$SPLUNK_HOME/payloads"
mkdir -p "$folder"
cat > "$folder/$$.part"
printf '%s' "$*" > "$folder/$$.args"
mv "$folder/$$.part" "$folder/$$.payload"
`;
/** Ends when it is told to, and says what its session key is good for, then and after its end. */
const WHO = `#!${process.execPath}
const { readFileSync, renameSync, writeFileSync } = require('node:fs');
const file = process.env.SPLUNK_HOME + '/who.json';
const { session_key, server_uri } = JSON.parse(readFileSync(0, 'utf8'));
fetch(server_uri + '/services/authentication/current-context?output_mode=json', { headers: { authorization: 'Splunk ' + session_key } })
  .then((reply) => reply.json())
  .then(({ entry }) => {
    writeFileSync(file + '.part', JSON.stringify({ user: entry[0].content.username, key: session_key }));
    renameSync(file + '.part', file);
  });
`;

const STANZAS = `[default]
payload_format = json
param.from_default = d

[note]
is_custom = 1
label = Note
param.agent = helper
param.text = $result.user$ of $name$

[xml]
payload_format = xml
param.mark = <a & "b">

[bycmd]
alert.execute.cmd = tool.path
alert.execute.cmd.arg.2 = last
alert.execute.cmd.arg.1 = $SPLUNK_HOME/x

[levels]
[fails]
[missing]
[unstartable]
[who]
[hangs]
maxtime = 1

[stubborn]
maxtime = 1

[off]
disabled = 1

[badformat]
payload_format = yaml

[piped]
command = outputlookup x.csv

[few]
maxresults = 2

[secret]
`;

const ACTIONS: Record<string, string> = {
  'default/app.conf': '[ui]\nlabel = Acting\n',
  'default/alert_actions.conf': STANZAS,
  'metadata/default.meta':
    '[]\naccess = read : [ * ], write : [ admin, power ]\nexport = none\n\n[alert_actions]\nexport = system\n\n' +
    '[alert_actions/secret]\naccess = read : [ admin ], write : [ admin ]\n',
  'default/indexes.conf': '[acts]\n',
  'bin/note.sh': NOTE,
  'bin/xml.sh': NOTE,
  'bin/few.sh': NOTE,
  'bin/off.sh': NOTE,
  'bin/badformat.sh': NOTE,
  'bin/secret.sh': NOTE,
  'bin/tool.path': '$SPLUNK_HOME/etc/apps/acting/bin/note.sh\n',
  'bin/levels.sh':
    '#!/bin/sh\ncat > /dev/null\nfor level in DEBUG INFO WARN ERROR FATAL; do echo "$level a line of $level" >&2; done\necho "a plain line" >&2\nprintf "WARNING is no level" >&2\n',
  'bin/fails.sh': '#!/bin/sh\necho "INFO it fails" >&2\nexit 7\n',
  'bin/who': WHO,
  'bin/hangs.sh': '#!/bin/sh\nsleep 600 &\necho $! > "$SPLUNK_HOME/child.pid"\nwait\n',
  'bin/stubborn.sh': '#!/bin/sh\ntrap "" TERM\necho $$ > "$SPLUNK_HOME/stubborn.pid"\nwhile true; do sleep 1; done\n',
};

export interface Payload {
  args: string;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: payloads are looked into freely by tests
  json: any;
}

/** A platform with an app of alert actions, a clock of its own, and the users ann (power), bob (user) and pat (power). */
export class Alerting {
  readonly home = temporaryFolder();
  /** Epoch milliseconds; the start of an hour, so that schedules are easy to tell. */
  clock = Math.floor(Date.now() / 3_600_000) * 3_600_000 + 3_600_000;
  readonly #options: Partial<PlatformOptions>;
  #platform: TestPlatform | undefined;

  constructor(options: Partial<PlatformOptions> = {}) {
    this.#options = options;
    before(async () => {
      writeFiles(join(this.home, 'etc', 'apps', 'acting'), ACTIONS);
      writeFiles(join(this.home, 'etc', 'apps', 'acting'), { 'bin/x': '' });
      writeFiles(this.home, { 'etc/apps/acting/bin/unstartable.sh': '#!/bin/sh\n' });
      await this.start();
      for (const [name, roles] of Object.entries({ ann: 'power', bob: 'user', pat: 'power' })) {
        const form = { name, password: PASSWORD, roles };
        const made = await this.platform.call('POST', '/services/authentication/users', { form });
        if (made.status !== 201) throw new Error(`${made.status} ${made.text}`);
      }
    });
    after(async () => {
      await this.stop();
      rmSync(this.home, { recursive: true, force: true });
    });
    beforeEach(() => rmSync(join(this.home, 'payloads'), { recursive: true, force: true }));
  }

  async start(): Promise<void> {
    const now = () => this.clock;
    this.#platform = await startTestPlatform({ now, ...this.#options, home: this.home });
  }

  async stop(): Promise<void> {
    await this.#platform?.close();
  }

  get platform(): TestPlatform {
    if (this.#platform === undefined) throw new Error('the platform has not been started');
    return this.#platform;
  }

  post = (path: string, form: Record<string, string>, user = 'ann') =>
    this.platform.call('POST', asJson(path), { form, ...as(user) });

  get = (path: string, user = 'ann') => this.platform.call('GET', asJson(path), as(user));

  remove = (path: string, user = 'ann') => this.platform.call('DELETE', asJson(path), as(user));

  /** Saves a search of ann in the app `acting`. */
  async save(name: string, form: Record<string, string>, user = 'ann'): Promise<void> {
    const reply = await this.post(`/servicesNS/${user}/acting/saved/searches`, { name, ...form }, user);
    if (reply.status !== 201) throw new Error(`${name}: ${reply.status} ${reply.text}`);
  }

  /** Saves a search that runs every minute and starts an action. */
  schedule(name: string, form: Record<string, string>, user = 'ann'): Promise<void> {
    return this.save(name, { actions: 'note', is_scheduled: '1', cron_schedule: '* * * * *', ...form }, user);
  }

  /** Lets the clock go on and runs what is due. */
  async pass(minutes: number) {
    this.clock += minutes * 60_000;
    return this.platform.runScheduled();
  }

  /** Dispatches a saved search of ann with its actions and returns its sid. */
  async dispatch(name: string, form: Record<string, string> = {}, user = 'ann'): Promise<string> {
    const path = `/servicesNS/${user}/acting/saved/searches/${encodeURIComponent(name)}/dispatch`;
    const reply = await this.post(path, { trigger_actions: '1', ...form }, user);
    if (reply.status !== 201) throw new Error(`${name}: ${reply.status} ${reply.text}`);
    return reply.json.sid;
  }

  /** The payloads that programs were given, in any order. */
  payloads(): Payload[] {
    const folder = join(this.home, 'payloads');
    if (!existsSync(folder)) return [];
    return readdirSync(folder)
      .filter((file) => file.endsWith('.payload'))
      .map((file) => {
        const text = readFileSync(join(folder, file), 'utf8');
        const args = readFileSync(join(folder, file.replace('.payload', '.args')), 'utf8');
        return { args, text, json: text.startsWith('{') ? JSON.parse(text) : undefined };
      });
  }

  /** Waits for that many payloads. */
  awaited = (count: number): Promise<Payload[]> =>
    until(
      () => this.payloads(),
      ({ length }) => length >= count,
    );

  /** Lines of splunkd.log that hold all of these texts. */
  lines(...texts: string[]): string[] {
    return readFileSync(join(this.home, 'var/log/splunk/splunkd.log'), 'utf8')
      .split('\n')
      .filter((line) => texts.every((text) => line.includes(text)));
  }

  logged = (...texts: string[]): Promise<string[]> =>
    until(
      () => this.lines(...texts),
      ({ length }) => length > 0,
    );
}

/** The records of a results file. */
export function recordsOf(file: string): string[][] {
  return parseCsv(gunzipSync(readFileSync(file)).toString('utf8'));
}

const asJson = (path: string): string => `${path}${path.includes('?') ? '&' : '?'}output_mode=json`;
const as = (user: string) => (user === 'admin' ? {} : { as: `${user}:${PASSWORD}` });

import { accessSync, chmodSync, constants, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { writeFileAtomic } from './atomicFile.ts';
import { holderOfLock } from './holders.ts';

/** The release of Splunk Enterprise that the platform imitates; apps and SDKs compare it. */
export const PLATFORM_VERSION = '10.4.2';
/** A build number that no release has, so that support staff can tell this is not splunkd. */
export const PLATFORM_BUILD = '000000000000';

/** Increase it when a data folder of an older layout can no longer be opened. */
const LAYOUT = 1;

/** An error for the person who started the platform; the message is complete. */
export class StartError extends Error {}

export interface Home {
  dir: string;
  /** The server's identity, created once. */
  guid: string;
  /** Unlocks the folder for another platform. */
  release(): void;
}

const FOLDERS = [
  'etc/apps',
  'etc/auth',
  'etc/system/default',
  'etc/system/local',
  'etc/system/metadata',
  'etc/users',
  'var/lib/splunk',
  'var/log/splunk',
  'var/run/splunk/lookup_tmp',
];

export const LOCK = 'platform.lock';
/** The lock of a member's folder; the parent holds the one of the whole home. */
export const MEMBER_LOCK = 'member.lock';

/** Creates or opens a data folder and locks it for this process. */
export function openHome(folder: string, lockName = LOCK): Home {
  const dir = resolve(folder);
  try {
    makeFolder(dir);
    accessSync(dir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new StartError(`The data folder ${dir} cannot be written: ${(error as Error).message}`);
  }
  const version = readVersion(dir);
  const release = lock(dir, lockName);
  try {
    chmodSync(dir, 0o700);
    for (const name of FOLDERS) mkdirSync(join(dir, name), { recursive: true, mode: 0o700 });
    const current = version ?? { layout: LAYOUT, guid: crypto.randomUUID().toUpperCase() };
    if (version === undefined) writeFileAtomic(versionFile(dir), `${JSON.stringify(current)}\n`);
    writeBuiltinApps(dir);
    return { dir, guid: current.guid, release };
  } catch (error) {
    release();
    throw new StartError(`The data folder ${dir} cannot be written: ${(error as Error).message}`);
  }
}

/** Not `recursive`: on file systems that answer ENOENT, such as /proc, Node's own loop never ends. */
function makeFolder(dir: string): void {
  if (existsSync(dir)) return;
  if (!existsSync(dirname(dir))) makeFolder(dirname(dir));
  mkdirSync(dir, { mode: 0o700 });
}

function versionFile(dir: string): string {
  return join(dir, 'platform.json');
}

function readVersion(dir: string): { layout: number; guid: string } | undefined {
  const file = versionFile(dir);
  if (!existsSync(file)) return undefined;
  let content: { layout?: unknown; guid?: unknown };
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new StartError(`${file} cannot be read: ${(error as Error).message}`);
  }
  if (typeof content?.layout !== 'number' || typeof content.guid !== 'string') {
    throw new StartError(`${file} is not the version file of an embedded platform.`);
  }
  if (content.layout > LAYOUT) {
    throw new StartError(
      `The data folder ${dir} was written by a newer version (layout ${content.layout}, supported are up to ${LAYOUT}). ` +
        'Use that version, or another folder.',
    );
  }
  return { layout: content.layout, guid: content.guid };
}

/**
 * An exclusive SQLite lock is a file lock of the system, which releases it however the process ends; there are no stale
 * locks.
 */
function lock(dir: string, name: string): () => void {
  const file = join(dir, name);
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(file);
    db.exec('PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE;');
    const held = db;
    return () => held.close();
  } catch (error) {
    db?.close();
    const { errcode } = error as { errcode?: number };
    if (errcode === 5 || errcode === 6) {
      const holder = holderOfLock(file);
      const who = holder === undefined ? '' : `: ${holder}`;
      throw new StartError(
        `The data folder ${dir} is in use by another embedded platform${who}. Set ML_HOME to another folder.`,
      );
    }
    throw new StartError(`The data folder ${dir} cannot be locked: ${(error as Error).message}`);
  }
}

const OPEN_META = '[]\naccess = read : [ * ], write : [ admin, power ]\nexport = system\n';

/** Defaults of saved searches, of those that mean something here. */
const SAVED_SEARCH_DEFAULTS = `description =
cron_schedule =
schedule_priority = default
schedule_window = 0
allow_skew = 0
counttype = always
relation =
quantity =
search =
enableSched = 0
max_concurrent = 1
disabled = 0
run_on_startup = 0
displayview =
vsid =
alert_condition =
realtime_schedule = 1
dispatchAs = owner
is_visible = 1
dispatch.ttl = 2p
dispatch.buckets = 0
dispatch.max_count = 500000
dispatch.max_time = 0
dispatch.lookups = 1
dispatch.spawn_process = 1
dispatch.allow_partial_results = 1
dispatch.time_format = %FT%T.%Q%:z
dispatch.earliest_time =
dispatch.latest_time =
dispatch.auto_cancel = 0
dispatch.auto_pause = 0
request.ui_dispatch_app =
request.ui_dispatch_view =
alert.suppress =
alert.suppress.period =
alert.suppress.fields =
alert.suppress.group_name =
alert.severity = 3
alert.expires = 24h
alert.digest_mode = 1
alert.track = auto
`;

/** App files that every platform has; rewritten at each start, since they belong to this version. */
const BUILTIN: Record<string, string> = {
  'etc/system/default/app.conf': '[ui]\nlabel = System\n',
  'etc/system/default/limits.conf':
    '[kvstore]\nmax_documents_per_batch_save = 50000\nmax_rows_per_query = 50000\nmax_queries_per_batch = 1000\n' +
    'max_size_per_batch_save_mb = 50\nmax_size_per_result_mb = 50\nmax_size_per_batch_result_mb = 100\n' +
    '\n[search]\nmax_count = 500000\nttl = 600\n\n[searchresults]\nmaxresultrows = 50000\n',
  'etc/system/default/props.conf':
    '[default]\nCHARSET = UTF-8\nMAX_DAYS_AGO = 2000\n\n[source::...]\nsourcetype = text\n',
  'etc/system/default/alert_actions.conf':
    'maxresults = 10000\nhostname =\nttl = 10p\nmaxtime = 5m\ntrack_alert = 0\nforceCsvResults = auto\n' +
    'command = sendalert $action_name$ results_file="$results.file$" results_link="$results.url$"\n',
  'etc/system/default/savedsearches.conf': SAVED_SEARCH_DEFAULTS,
  'etc/system/default/server.conf':
    '[general]\nsessionTimeout = 1h\n\n[sslConfig]\nenableSplunkdSSL = true\nrequireClientCert = false\n' +
    'caCertFile = $SPLUNK_HOME/etc/auth/cacert.pem\nserverCert = $SPLUNK_HOME/etc/auth/server.pem\n\n[kvstore]\nport = 8191\n',
  'etc/system/default/web.conf': '[settings]\nhttpport = 8000\nmgmtHostPort = 127.0.0.1:8089\nstartwebserver = 0\n',
  'etc/system/metadata/default.meta': '[]\naccess = read : [ * ], write : [ admin ]\nexport = system\n',
  'etc/apps/search/default/app.conf':
    '[install]\nis_configured = 1\n\n[ui]\nis_visible = 1\nlabel = Search & Reporting\n\n[launcher]\nauthor = Splunk\n' +
    `description = The default app of searches\nversion = ${PLATFORM_VERSION}\n\n[package]\ncheck_for_updates = 0\n`,
  'etc/apps/search/metadata/default.meta': OPEN_META.replace('export = system', 'export = none'),
};

function writeBuiltinApps(dir: string): void {
  for (const [name, text] of Object.entries(BUILTIN)) {
    const file = join(dir, name);
    if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileAtomic(file, text);
  }
}

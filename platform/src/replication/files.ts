import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { formatConf, readConf, type Stanza } from '../confs/conf.ts';
import { writeFileAtomic } from '../home/atomicFile.ts';
import { isLookupName } from '../lookups/files.ts';
import type { Journal } from './journal.ts';

/** server.conf is specific to a member. */
const CONF =
  /^etc\/(?:apps\/[^/]+|system|users\/[^/]+\/[^/]+)\/(?:local\/(?!server\.conf$)[A-Za-z0-9_][A-Za-z0-9_.-]*\.conf|metadata\/local\.meta)$/;
const LOOKUP = /^etc\/(?:apps\/[^/]+|system|users\/[^/]+\/[^/]+)\/lookups\/([^/]+)$/;
/** Files modified within this time are read again: file times have a coarse resolution. */
const UNSETTLED_MS = 100;

/** The files that members share; finds changes the journal does not have yet. */
export class ReplicatedFiles {
  readonly #home: string;
  readonly #journal: Journal;
  /** Stat of each file when it was last read. */
  readonly #stamps = new Map<string, string>();

  constructor(home: string, journal: Journal) {
    this.#home = home;
    this.#journal = journal;
  }

  /** Journals the changes since the last scan. Call it within a transaction of the journal. */
  scan(): void {
    const files = [...this.#candidates()];
    const present = new Set(files);
    const gone = [...this.#stamps.keys()].filter((file) => !present.has(file));
    const first = this.#stamps.size === 0;
    const changed = files.filter((file) => this.#changed(file));
    if (changed.length === 0 && gone.length === 0 && !first) return;
    for (const file of gone) this.#stamps.delete(file);
    this.#noteStanzas(changed, present);
    this.#noteLookups(changed, present);
  }

  /** Applies another member's version of one stanza. */
  writeStanza(key: string, value: string | null): void {
    const { file, stanza } = stanzaKey(key);
    const conf = readConf(join(this.#home, file));
    if (value === null) delete conf[stanza];
    else conf[stanza] = Object.assign(Object.create(null), JSON.parse(value)) as Stanza;
    writeFileAtomic(join(this.#home, file), formatConf(conf));
    this.#forgetStamp(file);
  }

  writeLookup(path: string, content: Buffer | null): void {
    if (content === null) rmSync(this.#lookup(path), { force: true });
    else writeFileAtomic(this.#lookup(path), content);
    this.#forgetStamp(path);
  }

  /** Undefined if it no longer exists. */
  readLookup(path: string): Buffer | undefined {
    try {
      return readFileSync(this.#lookup(path));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  /** Forces a rescan. Keeps the entry, so that a removal is noticed too. */
  #forgetStamp(file: string): void {
    this.#stamps.set(file, '');
  }

  #lookup(path: string): string {
    const name = LOOKUP.exec(path)?.[1];
    if (name === undefined || !isLookupName(name) || path.split('/').includes('..')) {
      throw new Error(`not a lookup file: ${JSON.stringify(path)}`);
    }
    return join(this.#home, path);
  }

  #noteStanzas(changed: readonly string[], present: ReadonlySet<string>): void {
    const recorded = this.#journal.existing('stanza');
    const now = new Map<string, string>();
    const confs = new Set(changed.filter((file) => CONF.test(file)));
    for (const file of confs) {
      for (const [stanza, keys] of Object.entries(readConf(join(this.#home, file)))) {
        now.set(JSON.stringify([file, stanza]), JSON.stringify(keys));
      }
    }
    for (const [key, value] of now) if (recorded.get(key) !== value) this.#note('stanza', key, value);
    for (const key of recorded.keys()) {
      const { file } = stanzaKey(key);
      if (!now.has(key) && (confs.has(file) || !present.has(file))) this.#note('stanza', key, null);
    }
  }

  #noteLookups(changed: readonly string[], present: ReadonlySet<string>): void {
    const recorded = this.#journal.existing('lookup');
    for (const file of changed) {
      if (!LOOKUP.test(file)) continue;
      const hash = contentHash(readFileSync(join(this.#home, file)));
      if (recorded.get(file) !== hash) this.#note('lookup', file, hash);
    }
    for (const file of recorded.keys()) if (!present.has(file)) this.#note('lookup', file, null);
  }

  #note(kind: 'stanza' | 'lookup', key: string, value: string | null): void {
    if (!this.#journal.settleAnnounced(kind, key, value)) this.#journal.record(kind, key, value);
  }

  #changed(file: string): boolean {
    const stat = statSync(join(this.#home, file), { throwIfNoEntry: false });
    if (stat === undefined) return false;
    const stamp = `${stat.ino}:${stat.size}:${stat.mtimeMs}:${stat.ctimeMs}`;
    if (this.#stamps.get(file) === stamp) return false;
    this.#stamps.set(file, Date.now() - stat.ctimeMs > UNSETTLED_MS ? stamp : '');
    return true;
  }

  *#candidates(): Iterable<string> {
    const apps = folders(this.#home, 'etc/apps').map((app) => `etc/apps/${app}`);
    for (const folder of [...apps, 'etc/system']) {
      for (const part of ['local', 'metadata', 'lookups']) yield* this.#files(`${folder}/${part}`);
    }
    for (const user of folders(this.#home, 'etc/users')) {
      for (const app of folders(this.#home, `etc/users/${user}`)) {
        for (const part of ['local', 'lookups']) yield* this.#files(`etc/users/${user}/${app}/${part}`);
      }
    }
  }

  *#files(folder: string): Iterable<string> {
    for (const entry of entries(this.#home, folder)) {
      const file = `${folder}/${entry.name}`;
      if (!entry.isFile()) continue;
      const lookup = LOOKUP.exec(file)?.[1];
      if (CONF.test(file) || (lookup !== undefined && isLookupName(lookup))) yield file;
    }
  }
}

export function contentHash(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

function stanzaKey(key: string): { file: string; stanza: string } {
  const [file, stanza] = JSON.parse(key) as [string, string];
  if (!CONF.test(file) || file.split('/').includes('..')) throw new Error(`not a conf file: ${JSON.stringify(file)}`);
  return { file, stanza };
}

function entries(home: string, folder: string) {
  try {
    return readdirSync(join(home, folder), { withFileTypes: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    throw error;
  }
}

function folders(home: string, folder: string): string[] {
  return entries(home, folder)
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map((entry) => entry.name);
}

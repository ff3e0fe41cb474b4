import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Conf, mergeConf } from '../confs/conf.ts';
import { ConfFiles } from '../confs/confFiles.ts';
import type { AccessRule, HostedApp } from './hostedApp.ts';
import { createMetadata, type Metadata } from './metadata.ts';

/** All folders of `$SPLUNK_HOME/etc/apps`, sorted by name. */
export function loadApps(home: string): HostedApp[] {
  const root = join(home, 'etc', 'apps');
  try {
    return readdirSync(root)
      .filter((name) => !name.startsWith('.'))
      .filter((name) => statSync(join(root, name), { throwIfNoEntry: false })?.isDirectory() === true)
      .sort()
      .map((name) => createApp(name, join(root, name)));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** One app folder; `etc/system` has the same layout. */
export function createApp(name: string, dir: string): HostedApp {
  return new AppFolder(name, dir);
}

/** The local conf file that REST changes are written to. */
export function localConfFile(app: HostedApp, conf: string): string {
  return join(app.dir, 'local', confFileName(conf));
}

/**
 * One conf merged over all apps: on conflicts the app that comes first by name wins, as in splunkd's global context.
 */
export function mergedConf(apps: readonly HostedApp[], name: string): Conf {
  const byName = [...apps].sort((a, b) => (a.name < b.name ? -1 : 1));
  return mergeConf(...byName.reverse().map((app) => app.conf(name)));
}

class AppFolder implements HostedApp {
  readonly name: string;
  readonly dir: string;
  readonly #files = new ConfFiles();
  #metadata: { source: [Conf, Conf]; rules: Metadata } | undefined;

  constructor(name: string, dir: string) {
    this.name = name;
    this.dir = dir;
  }

  conf(name: string): Conf {
    const file = confFileName(name);
    return this.#files.readMerged(join(this.dir, 'default', file), join(this.dir, 'local', file));
  }

  access(objectPath: string): AccessRule {
    return this.#rules().access(objectPath);
  }

  isExported(objectPath: string): boolean {
    return this.#rules().exported(objectPath);
  }

  owner(objectPath: string): string | undefined {
    return this.#rules().owner(objectPath);
  }

  #rules(): Metadata {
    const inDefault = this.#files.read(join(this.dir, 'metadata', 'default.meta'));
    const inLocal = this.#files.read(join(this.dir, 'metadata', 'local.meta'));
    const cached = this.#metadata;
    if (cached && cached.source[0] === inDefault && cached.source[1] === inLocal) return cached.rules;
    const rules = createMetadata(inDefault, inLocal);
    this.#metadata = { source: [inDefault, inLocal], rules };
    return rules;
  }
}

/** Names also come from URLs, so only plain file names are allowed. */
function confFileName(name: string): string {
  if (!/^[A-Za-z0-9_][A-Za-z0-9_.-]*$/.test(name)) throw new Error(`not a conf name: ${JSON.stringify(name)}`);
  return `${name}.conf`;
}

import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Conf, mergeConf } from '../confs/conf.ts';
import { ConfFiles } from '../confs/confFiles.ts';
import type { AccessRule, HostedApp } from './hostedApp.ts';
import { createMetadata, type Metadata } from './metadata.ts';

/** Every folder below `$SPLUNK_HOME/etc/apps`, in name order; none when there is no such folder. */
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

/** One app folder; also for `etc/system`, which has the same shape. */
export function createApp(name: string, dir: string): HostedApp {
  return new AppFolder(name, dir);
}

/** Path of the file that takes changes of a conf made through REST. */
export function localConfFile(app: HostedApp, conf: string): string {
  return join(app.dir, 'local', confFileName(conf));
}

/**
 * One conf over all apps. Of two apps that set the same key, the one earlier in name order wins, as the platform
 * decides outside an app's own context.
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

  exported(objectPath: string): boolean {
    return this.#rules().exported(objectPath);
  }

  #rules(): Metadata {
    const inDefault = this.#files.read(join(this.dir, 'metadata', 'default.meta'));
    const inLocal = this.#files.read(join(this.dir, 'metadata', 'local.meta'));
    const known = this.#metadata;
    if (known && known.source[0] === inDefault && known.source[1] === inLocal) return known.rules;
    const rules = createMetadata(inDefault, inLocal);
    this.#metadata = { source: [inDefault, inLocal], rules };
    return rules;
  }
}

/** The name comes from URLs too, so nothing but a plain file name passes. */
function confFileName(name: string): string {
  if (!/^[A-Za-z0-9_][A-Za-z0-9_.-]*$/.test(name)) throw new Error(`not a conf name: ${JSON.stringify(name)}`);
  return `${name}.conf`;
}

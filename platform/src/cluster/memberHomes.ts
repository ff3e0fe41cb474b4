import { copyFileSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { installApp } from '../install/install.ts';
import { copyTree } from '../install/source.ts';
import { secretKey } from '../passwords/secretKey.ts';
import { HOLDER } from './membership.ts';

/** Member 1 uses the root itself, so that a home can become a cluster and change back. */
export function memberHome(root: string, member: number): string {
  return member === HOLDER ? root : join(root, 'members', String(member));
}

/**
 * Copies what a deployer would: the key of the password storage, and all apps of the root except the one that each
 * member installs.
 */
export function prepareHome(root: string, member: number, installed: string | undefined): void {
  if (member === HOLDER) return;
  const home = memberHome(root, member);
  mkdirSync(join(home, 'etc', 'auth'), { recursive: true, mode: 0o700 });
  mkdirSync(join(home, 'etc', 'apps'), { recursive: true, mode: 0o700 });
  secretKey(root);
  copyFileSync(join(root, 'etc', 'auth', 'splunk.secret'), join(home, 'etc', 'auth', 'splunk.secret'));
  for (const name of readdirSync(join(root, 'etc', 'apps'))) {
    const folder = join(root, 'etc', 'apps', name);
    if (name === installed || name === 'search' || name.startsWith('.') || !statSync(folder).isDirectory()) continue;
    const unpack = (into: string): void => {
      copyTree(folder, into);
      // User-made files arrive by replication, which knows the later version.
      for (const made of ['local', 'lookups']) rmSync(join(into, made), { recursive: true, force: true });
    };
    installApp(home, { name, unpack });
  }
}

import { join } from 'node:path';
import { createApp } from './apps.ts';
import type { HostedApp } from './hostedApp.ts';

/** The private configuration of users, `etc/users/<user>/<app>`, which has the layout of an app. */
export class UserLayers {
  readonly #root: string;
  readonly #layers = new Map<string, HostedApp>();

  constructor(home: string) {
    this.#root = join(home, 'etc', 'users');
  }

  of(user: string, app: string): HostedApp {
    const key = JSON.stringify([user, app]);
    const layer = this.#layers.get(key) ?? createApp(app, join(this.#root, ...[user, app].map(folderName)));
    this.#layers.set(key, layer);
    return layer;
  }
}

/** Names come from URLs, and must not lead out of the folder. */
function folderName(name: string): string {
  if (/^[^/\\\0]+$/.test(name) && name !== '.' && name !== '..') return name;
  throw new Error(`not the name of a folder: ${JSON.stringify(name)}`);
}

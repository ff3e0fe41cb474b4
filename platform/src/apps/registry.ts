import { join } from 'node:path';
import { createApp, loadApps } from './apps.ts';
import type { HostedApp } from './hostedApp.ts';

/** The hosted apps including `system`. Apps created through REST are added; restmap.conf is read only at start. */
export class AppRegistry {
  readonly #home: string;
  #apps: HostedApp[];

  constructor(home: string) {
    this.#home = home;
    this.#apps = this.#load();
  }

  all(): readonly HostedApp[] {
    return this.#apps;
  }

  get(name: string): HostedApp | undefined {
    return this.#apps.find((app) => app.name === name);
  }

  /** The app's folder, whether or not it exists. */
  folder(name: string): string {
    return join(this.#home, 'etc', 'apps', name);
  }

  reload(): void {
    this.#apps = this.#load();
  }

  #load(): HostedApp[] {
    return [...loadApps(this.#home), createApp('system', join(this.#home, 'etc', 'system'))];
  }
}

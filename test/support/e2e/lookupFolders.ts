import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Lookups } from '../worlds/world.ts';

const APP = 'ml_extension';
const OURS = '__mlspl_';

/** The lookup files below a home, as they lie on its disk. */
export class LookupFolders implements Lookups {
  readonly #home: string;

  constructor(home: string) {
    this.#home = home;
  }

  /** @param place a user, or `nobody` for what belongs to the app itself */
  folder(place: string, app = APP): string {
    const owner = place === 'nobody' ? 'etc/apps' : join('etc/users', place);
    return join(this.#home, owner, app, 'lookups');
  }

  put(place: string, name: string, content: string | Uint8Array, app?: string): void {
    const folder = this.folder(place, app);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, name), content);
  }

  read(place: string, name: string): Buffer | undefined {
    const file = join(this.folder(place), name);
    return existsSync(file) ? readFileSync(file) : undefined;
  }

  models(): string[] {
    return this.#all()
      .map(({ place, name }) => `${place}/${name}`)
      .sort();
  }

  removeModels(): void {
    for (const { place, app, name } of this.#all()) rmSync(join(this.folder(place, app), name));
  }

  #all(): { place: string; app: string; name: string }[] {
    const users = join(this.#home, 'etc/users');
    const places = [
      ...entries(users).flatMap((place) => entries(join(users, place)).map((app) => ({ place, app }))),
      ...entries(join(this.#home, 'etc/apps')).map((app) => ({ place: 'nobody', app })),
    ];
    return places.flatMap(({ place, app }) =>
      entries(this.folder(place, app))
        .filter((name) => name.startsWith(OURS))
        .map((name) => ({ place, app, name })),
    );
  }
}

const entries = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : []);

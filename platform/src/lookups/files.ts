import { copyFileSync, existsSync, lstatSync, mkdirSync, readdirSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { PlatformError } from '../http/reply.ts';

/** The app of a lookup file, and its owner within the app. */
export interface LookupLocation {
  app: string;
  /** `nobody` = the app's own file. */
  owner: string;
}

/** The lookup table files of a home. */
export class LookupFiles {
  readonly #home: string;

  constructor(home: string) {
    this.#home = resolve(home);
  }

  path({ app, owner }: LookupLocation, name: string): string {
    return join(this.#folder({ app, owner }), name);
  }

  names(location: LookupLocation): string[] {
    const folder = this.#folder(location);
    if (!existsSync(folder)) return [];
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
      entry.isFile() && isLookupName(entry.name) ? [entry.name] : [],
    );
  }

  /** Users who may have private files. */
  users(): string[] {
    const folder = join(this.#home, 'etc', 'users');
    return existsSync(folder) ? readdirSync(folder).filter((name) => !name.startsWith('.')) : [];
  }

  /** Moves a staged file into place, over an older one. The last step is a rename, so readers see one or the other. */
  take(location: LookupLocation, name: string, staged: string): void {
    const source = this.#staged(staged);
    const target = this.path(location, name);
    mkdirSync(this.#folder(location), { recursive: true, mode: 0o700 });
    const temporary = join(this.#folder(location), `.${name}.${process.pid}.tmp`);
    copyFileSync(source, temporary);
    renameSync(temporary, target);
    rmSync(source);
  }

  move(from: LookupLocation, to: LookupLocation, name: string): void {
    mkdirSync(this.#folder(to), { recursive: true, mode: 0o700 });
    renameSync(this.path(from, name), this.path(to, name));
  }

  remove(location: LookupLocation, name: string): void {
    rmSync(this.path(location, name), { force: true });
  }

  #folder({ app, owner }: LookupLocation): string {
    return owner === 'nobody'
      ? join(this.#home, app === 'system' ? 'etc/system' : join('etc', 'apps', app), 'lookups')
      : join(this.#home, 'etc', 'users', owner, app, 'lookups');
  }

  /** Only a plain file below the staging folder: anything else would let a caller read the server's own files. */
  #staged(path: string): string {
    const root = realpathSync(join(this.#home, 'var', 'run', 'splunk', 'lookup_tmp'));
    const refused = (why: string) =>
      new PlatformError(400, `Invalid value for argument "eai:data": ${why} (it must be a file below ${root}).`);
    if (path === '' || path.includes('\0')) throw refused('it is not a path');
    const source = resolve(root, path);
    let real: string;
    try {
      if (!lstatSync(source).isFile()) throw refused('it is not a file');
      real = realpathSync(source);
    } catch (error) {
      if (error instanceof PlatformError) throw error;
      throw refused('there is no such file');
    }
    const inside = relative(root, real);
    if (inside === '' || inside === '..' || inside.startsWith(`..${sep}`)) throw refused('it is somewhere else');
    return real;
  }
}

export function isLookupName(name: string): boolean {
  return /^[A-Za-z0-9_][A-Za-z0-9_ .@()+-]{0,199}$/.test(name);
}

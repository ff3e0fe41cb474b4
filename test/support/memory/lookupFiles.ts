import { Fault } from '../../../src/contract/codes/faults.ts';
import type { LookupContent, LookupFile, LookupFiles, LookupLocation } from '../../../src/ports/stores/lookupFiles.ts';
import { FaultPlan } from './faults.ts';

interface Stored {
  name: string;
  app: string;
  /** `nobody` = the app's own. */
  place: string;
  bytes: Uint8Array;
}

/** What all processes share: the platform's lookup files. Private ones are their user's; those of an app everybody reads. */
export class LookupData {
  files: Stored[] = [];
  /** Who writes files of apps and sees everybody's. */
  readonly admins = new Set(['root']);
  now = Date.UTC(2026, 0, 1) / 1000;
  /** Called before each write, so that a test can let it fail or get in between. */
  beforeWrite: (what: string, name: string) => void = () => {};
  beforeList: () => void = () => {};

  put(place: string, name: string, content: string | Uint8Array = name, app = 'ml_extension'): void {
    this.files = this.files.filter((one) => one.place !== place || one.name !== name || one.app !== app);
    this.files.push({ name, app, place, bytes: Buffer.from(content) });
  }

  bytes(place: string, name: string, app = 'ml_extension'): Buffer | undefined {
    const file = this.files.find((one) => one.place === place && one.name === name && one.app === app);
    return file && Buffer.from(file.bytes);
  }

  text(place: string, name: string): string | undefined {
    return this.bytes(place, name)?.toString();
  }

  names(): string[] {
    return this.files.map(({ place, name }) => `${place}/${name}`).sort();
  }
}

/** @param faults counts the calls that reach the platform, and lets one of them fail */
export function memoryLookups(data: LookupData, user: string, faults = new FaultPlan()): LookupFiles {
  const isAdmin = data.admins.has(user);
  const mayWrite = (place: string) => isAdmin || place === user;
  const show = ({ name, app, place }: Stored): LookupFile => ({
    name,
    app,
    owner: place,
    sharing: place === 'nobody' ? 'app' : 'user',
    canWrite: mayWrite(place),
    path: `/${app}/${place}/${name}`,
  });
  const at = ({ name, app, owner }: LookupLocation | LookupFile) =>
    data.files.find((file) => file.name === name && file.app === app && file.place === owner);
  const bytesOf = (content: LookupContent): Uint8Array => {
    const bytes = content instanceof Uint8Array ? content : at(content)?.bytes;
    if (!bytes) throw new Fault('not_found', 'gone');
    return bytes;
  };
  const assertWrite = (what: string, { name, owner }: LookupLocation | LookupFile): void => {
    data.beforeWrite(what, name);
    if (!mayWrite(owner)) throw new Fault('acl_denied', 'The platform does not let you write this lookup file');
  };
  return {
    list: (prefix) =>
      faults.call('list lookups', () => {
        data.beforeList();
        return data.files
          .filter(({ name, place }) => name.startsWith(prefix) && (isAdmin || place === 'nobody' || place === user))
          .map(show);
      }),
    create: (place, content) =>
      faults.call('create lookup', () => {
        assertWrite('create', place);
        if (at(place)) return false;
        data.files.push({ name: place.name, app: place.app, place: place.owner, bytes: bytesOf(content) });
        return true;
      }),
    replace: (file, content) =>
      faults.call('replace lookup', () => {
        assertWrite('replace', file);
        const found = at(file);
        if (found) found.bytes = bytesOf(content);
        return found !== undefined;
      }),
    remove: (file) =>
      faults.call('remove lookup', () => {
        assertWrite('remove', file);
        const found = at(file);
        data.files = data.files.filter((one) => one !== found);
        return found !== undefined;
      }),
    stat: async (file) => {
      const found = at(file);
      return found && { size: found.bytes.length, changedAt: data.now };
    },
    head: async (file, bytes) => at(file)?.bytes.subarray(0, bytes),
  };
}

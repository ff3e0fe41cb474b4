import type { Conf } from '../confs/conf.ts';

export const SYSTEM_APP = 'system';
/** The app of objects when the path is `/services` without a namespace. */
export const DEFAULT_APP = 'search';

/** Access rule of metadata: roles, `*` = everyone. */
export interface AccessRule {
  read: string[];
  write: string[];
}

export interface HostedApp {
  /** Folder name below etc/apps. */
  name: string;
  dir: string;
  /** Merged view (local over default) of one conf file of this app; empty if there is none, never stale. */
  conf(name: string): Conf;
  /** The most specific metadata stanza for an object path such as `collections/x`; falls back to `[]`. */
  access(objectPath: string): AccessRule;
  /** `export` of the most specific stanza for that path: true when `system`. */
  isExported(objectPath: string): boolean;
  /** `owner` of the most specific stanza for that path; undefined where none names one. */
  owner(objectPath: string): string | undefined;
}

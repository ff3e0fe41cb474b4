import type { Conf } from '../confs/conf.ts';

export const SYSTEM_APP = 'system';
/** What `/services` without a namespace means for objects that live in apps. */
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
  /** Merged view (default below local) of one conf file of this app; empty when it has none. Never cached stale. */
  conf(name: string): Conf;
  /** The most specific metadata stanza for an object path such as `collections/x`, `storage/passwords`, `[]` as the last resort. */
  access(objectPath: string): AccessRule;
  /** `export` of the most specific stanza for that path: true when `system`. */
  exported(objectPath: string): boolean;
}

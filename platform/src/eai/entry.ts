import type { EaiValue } from './xml.ts';

export interface EaiAcl {
  app: string;
  owner: string;
  sharing: 'system' | 'global' | 'app' | 'user';
  perms: { read: string[]; write: string[] } | null;
  can_write: boolean;
  removable?: boolean;
}

export interface EaiFields {
  required: string[];
  optional: string[];
  wildcard: string[];
}

export interface EaiEntry {
  name: string;
  acl: EaiAcl;
  content: Record<string, EaiValue>;
  /** Path of the collection this entry belongs to, if it differs from that of the feed (wildcard namespaces). */
  base?: string;
  /** Additional links; `undefined` removes a default one (alternate, list, _reload, edit, remove, disable). */
  links?: Record<string, string | undefined>;
  /** Rendered on single GETs as `fields` and `eai:attributes`. */
  fields?: EaiFields;
  /** Plain text in place of a dictionary (`properties`). */
  text?: string;
}

export function systemAcl(canWrite: boolean, removable = false): EaiAcl {
  return {
    app: 'system',
    owner: 'system',
    sharing: 'system',
    perms: { read: ['*'], write: ['admin'] },
    can_write: canWrite,
    removable,
  };
}

import { join } from 'node:path';
import { type Conf, mergeConf, removeStanza, type Stanza, writeStanza } from '../confs/conf.ts';
import type { AclChange } from '../eai/routes.ts';
import type { AccessRule, HostedApp } from './hostedApp.ts';

/** The access rules of metadata/default.meta and metadata/local.meta of one app. */
export interface Metadata {
  access(objectPath: string): AccessRule;
  exported(objectPath: string): boolean;
  owner(objectPath: string): string | undefined;
}

/** The default without any rule: everyone reads, administrators write. */
const FALLBACK_ACCESS: AccessRule = { read: ['*'], write: ['admin', 'sc_admin'] };

/**
 * Looks rules up from `collections/x` through `collections` to `[]`; each key (for access each half) comes from the
 * most specific stanza that has it. Path parts are percent-encoded in the file and may be encoded in the lookup.
 */
export function createMetadata(defaultMeta: Conf, localMeta: Conf): Metadata {
  const stanzas = new Map<string, Stanza>();
  for (const [name, stanza] of Object.entries(mergeConf(normalised(defaultMeta), normalised(localMeta)))) {
    stanzas.set(name, stanza);
  }
  const values = function* (objectPath: string, key: string): Generator<string> {
    for (const name of lessAndLessSpecific(objectPath)) {
      const value = stanzas.get(name)?.[key];
      if (value !== undefined) yield value;
    }
  };
  return {
    access(objectPath) {
      let rule: Partial<AccessRule> = {};
      for (const text of values(objectPath, 'access')) rule = { ...parseAccess(text), ...rule };
      return { read: [...(rule.read ?? FALLBACK_ACCESS.read)], write: [...(rule.write ?? FALLBACK_ACCESS.write)] };
    },
    exported(objectPath) {
      const [first] = values(objectPath, 'export');
      return first?.trim() === 'system';
    },
    owner(objectPath) {
      const [first] = values(objectPath, 'owner');
      return first?.trim() || undefined;
    },
  };
}

/** Reads `read : [ a, b ], write : [ c ]`. A missing half stays undefined; a malformed one denies everyone. */
export function parseAccess(text: string): Partial<AccessRule> {
  const rule: Partial<AccessRule> = {};
  for (const [, half, list] of text.matchAll(/\b(read|write)\s*:\s*(?:\[([^\]]*)\])?/g)) {
    const roles = (list ?? '').split(',').map((role) => role.trim());
    rule[half as 'read' | 'write'] = roles.filter((role) => role !== '');
  }
  return rule;
}

/** The path of an object in the metadata of its app, and the name of its stanza in a .meta file. */
export function objectPath(kind: string, name: string): string {
  return `${kind}/${encodeURIComponent(name)}`;
}

/** Writes an object's access rule to local.meta. A half that the change leaves out stays as it is. */
export function writeAccess(app: HostedApp, kind: string, name: string, { read, write, sharing }: AclChange): void {
  const path = objectPath(kind, name);
  const before = app.access(path);
  writeStanza(localMeta(app), path, {
    access: `read : [ ${(read ?? before.read).join(', ')} ], write : [ ${(write ?? before.write).join(', ')} ]`,
    export: sharing === 'global' ? 'system' : 'none',
  });
}

/** Writes who owns an object of an app to local.meta. */
export function writeOwner(app: HostedApp, kind: string, name: string, owner: string): void {
  writeStanza(localMeta(app), objectPath(kind, name), { owner });
}

/** Removes the rules of an object that is gone, so that a later one of its name does not get them. */
export function forgetAccess(app: HostedApp, kind: string, name: string): void {
  removeStanza(localMeta(app), objectPath(kind, name));
}

function localMeta(app: HostedApp): string {
  return join(app.dir, 'metadata', 'local.meta');
}

function normalised(meta: Conf): Conf {
  return mergeConf(
    ...Object.entries(meta).map(([name, stanza]) => ({ [name === 'default' ? '' : normalisePath(name)]: stanza })),
  );
}

/** Normalizes the percent-encoding of a path, so that `a%2Fb` stays one part. */
function normalisePath(path: string): string {
  return path
    .split('/')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => encodeURIComponent(decodeLeniently(part)))
    .join('/');
}

function decodeLeniently(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function lessAndLessSpecific(objectPath: string): string[] {
  const path = objectPath === '[]' ? '' : normalisePath(objectPath);
  const names: string[] = [];
  for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) names.push(path.slice(0, end));
  return [...names, ''];
}

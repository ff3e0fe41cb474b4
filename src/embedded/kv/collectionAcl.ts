import { join } from 'node:path';
import { writeStanza } from '../conf.ts';
import { type EaiEntry, namespaceBase } from '../eai.ts';
import { formatAccess, metadataStanza } from '../metadata.ts';
import { type PlatformCaller, PlatformError, type PlatformRequest } from '../types.ts';
import { objectPath } from './access.ts';
import { collectionAcl } from './collectionEntry.ts';
import type { Collection } from './collections.ts';

export function aclEntry(found: Collection, caller: PlatformCaller): EaiEntry {
  const base = namespaceBase('nobody', found.app.name, '/storage/collections/config');
  return { name: found.name, base, acl: collectionAcl(found, caller), content: {} };
}

/** `POST {entity}/acl`: `owner` and `sharing` are required, lists that are absent stay. Kept in the app's local.meta. */
export function saveAcl({ app, name }: Collection, req: PlatformRequest): void {
  for (const required of ['owner', 'sharing']) {
    if ((req.arg(required) ?? '') === '') {
      throw new PlatformError(400, `The following required arguments are missing: ${required}.`);
    }
  }
  const sharing = req.arg('sharing');
  // A collection belongs to its app: documents have owners, collections do not.
  if (sharing !== 'app' && sharing !== 'global' && sharing !== 'system') {
    throw new PlatformError(
      400,
      'Invalid value for argument "sharing": a collection is shared by app, global or system.',
    );
  }
  const rule = app.access(objectPath(name));
  const read = roles(req, 'perms.read') ?? rule.read;
  const write = roles(req, 'perms.write') ?? rule.write;
  writeStanza(join(app.dir, 'metadata', 'local.meta'), metadataStanza('collections', name), {
    access: formatAccess({ read, write }),
    export: sharing === 'app' ? 'none' : 'system',
  });
}

function roles(req: PlatformRequest, argument: string): string[] | undefined {
  const values = req.args(argument);
  if (values.length === 0) return undefined;
  const list = values
    .flatMap((value) => value.split(','))
    .map((role) => role.trim())
    .filter((role) => role !== '');
  if (list.every((role) => role === '*' || /^[a-z0-9_.-]+$/i.test(role))) return list;
  throw new PlatformError(400, `Invalid value for argument "${argument}": must be role names joined by commas.`);
}

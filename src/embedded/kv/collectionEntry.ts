import { join } from 'node:path';
import { readConf } from '../conf.ts';
import { type EaiAcl, type EaiEntry, namespaceBase } from '../eai.ts';
import type { PlatformCaller } from '../types.ts';
import { mayUseCollection, objectPath } from './access.ts';
import { collectionContent, FIELDS } from './collectionSettings.ts';
import { type Collection, SYSTEM_APP } from './collections.ts';

export function collectionAcl({ app, name }: Collection, caller: PlatformCaller): EaiAcl {
  const path = objectPath(name);
  const canWrite = mayUseCollection(caller, app, name, 'write');
  const inDefault = Object.hasOwn(readConf(join(app.dir, 'default', 'collections.conf')), name);
  return {
    app: app.name,
    owner: 'nobody',
    sharing: app.name === SYSTEM_APP ? 'system' : app.exported(path) ? 'global' : 'app',
    perms: app.access(path),
    can_write: canWrite,
    removable: canWrite && !inDefault,
  };
}

export function collectionEntry(collection: Collection, caller: PlatformCaller): EaiEntry {
  const { app, name } = collection;
  const self = `${namespaceBase('nobody', app.name, '/storage/collections/config')}/${encodeURIComponent(name)}`;
  const acl = collectionAcl(collection, caller);
  const content = collectionContent(collection);
  return {
    name,
    acl,
    content,
    ...(acl.can_write
      ? { links: content.disabled === true ? { enable: `${self}/enable` } : { disable: `${self}/disable` } }
      : {}),
    fields: FIELDS,
  };
}

import { join } from 'node:path';
import { SYSTEM_APP } from '../apps/hostedApp.ts';
import { objectPath } from '../apps/metadata.ts';
import { readConf } from '../confs/conf.ts';
import type { EaiEntry } from '../eai/entry.ts';
import { namespaceBase } from '../eai/feed.ts';
import { collectionContent, FIELDS } from './collectionSettings.ts';
import type { Collection } from './collections.ts';

export const CONFIG_PATH = '/storage/collections/config';

export function collectionEntry(collection: Collection, canWrite: boolean): EaiEntry {
  const { app, name } = collection;
  const base = namespaceBase('nobody', app.name, CONFIG_PATH);
  const self = `${base}/${encodeURIComponent(name)}`;
  const content = collectionContent(collection);
  const switched = content.disabled === true ? { enable: `${self}/enable` } : { disable: `${self}/disable` };
  const path = objectPath('collections', name);
  const inDefault = Object.hasOwn(readConf(join(app.dir, 'default', 'collections.conf')), name);
  return {
    name,
    base,
    acl: {
      app: app.name,
      owner: 'nobody',
      sharing: app.name === SYSTEM_APP ? 'system' : app.isExported(path) ? 'global' : 'app',
      perms: app.access(path),
      can_write: canWrite,
      removable: canWrite && !inDefault,
    },
    content,
    ...(canWrite ? { links: switched } : {}),
    fields: FIELDS,
  };
}

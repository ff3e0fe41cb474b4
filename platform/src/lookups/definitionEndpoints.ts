import { stanzaEntry } from '../confs/configEndpoints.ts';
import { type ConfOptions, visibleStanzas } from '../confs/view.ts';
import { eaiRoutes } from '../eai/routes.ts';
import type { Route } from '../http/route.ts';
import { lookupType } from './tables.ts';

const PATH = '/data/transforms/lookups';
const CONF = 'transforms';

/** `data/transforms/lookups`: lookup definitions with their type, read-only. Changes go through `configs/conf-transforms`. */
export function lookupDefinitionRoutes(options: ConfOptions): Route[] {
  return eaiRoutes({
    path: PATH,
    title: 'transforms-lookup',
    reading: ['getsize'],
    list: (req) =>
      visibleStanzas(options, req, CONF).flatMap((stanza) => {
        const type = lookupType(stanza.keys);
        if (type === undefined) return [];
        const entry = stanzaEntry(req, PATH, CONF, stanza);
        const { fields_list = '' } = stanza.keys;
        const fields_array = fields_list.split(',').flatMap((field) => (field.trim() === '' ? [] : [field.trim()]));
        return [{ ...entry, content: { ...entry.content, fields_array, type } }];
      }),
  });
}

import { eaiRoutes } from '../eai/routes.ts';
import type { Route } from '../http/route.ts';
import { parseBoolean } from './conf.ts';
import { stanzaEntry } from './configEndpoints.ts';
import { type ConfOptions, seenStanzas } from './view.ts';

const PATH = '/saved/searches';
const CONF = 'savedsearches';

/** The saved searches that apps bring along, to be read. Nothing here runs them: their changes go through `configs`. */
export function savedSearchRoutes(options: ConfOptions): Route[] {
  return eaiRoutes({
    path: PATH,
    title: CONF,
    list: (req) =>
      seenStanzas(options, req, CONF).map((seen) => {
        const entry = stanzaEntry(options, req, PATH, CONF, seen);
        const is_scheduled = parseBoolean(seen.keys.enableSched) ?? false;
        return { ...entry, content: { ...entry.content, is_scheduled } };
      }),
  });
}

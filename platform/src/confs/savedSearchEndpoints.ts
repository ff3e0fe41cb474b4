import { eaiRoutes } from '../eai/routes.ts';
import type { Route } from '../http/route.ts';
import { parseBoolean } from './conf.ts';
import { stanzaEntry } from './configEndpoints.ts';
import { type ConfOptions, visibleStanzas } from './view.ts';

const PATH = '/saved/searches';
const CONF = 'savedsearches';

/** Lists the saved searches of apps read-only; changes go through `configs`, and nothing runs them. */
export function savedSearchRoutes(options: ConfOptions): Route[] {
  return eaiRoutes({
    path: PATH,
    title: CONF,
    list: (req) =>
      visibleStanzas(options, req, CONF).map((stanza) => {
        const entry = stanzaEntry(req, PATH, CONF, stanza);
        const is_scheduled = parseBoolean(stanza.keys.enableSched) ?? false;
        return { ...entry, content: { ...entry.content, is_scheduled } };
      }),
  });
}

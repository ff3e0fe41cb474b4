import type { EaiEntry } from '../eai/entry.ts';
import { eaiRoutes } from '../eai/routes.ts';
import type { Route } from '../http/route.ts';
import { parseBoolean, type Stanza } from './conf.ts';
import { stanzaEntry } from './configEndpoints.ts';
import { type ConfOptions, visibleStanzas } from './view.ts';

/** Lists saved searches and search commands of apps read-only; changes go through `configs`, and nothing runs the searches. */
export function savedSearchRoutes(options: ConfOptions): Route[] {
  return [
    ...listing(options, '/saved/searches', 'savedsearches', ({ enableSched }) => ({
      is_scheduled: parseBoolean(enableSched) ?? false,
    })),
    ...listing(options, '/data/commands', 'commands', () => ({})),
  ];
}

function listing(
  options: ConfOptions,
  path: string,
  conf: string,
  more: (keys: Stanza) => EaiEntry['content'],
): Route[] {
  return eaiRoutes({
    path,
    title: conf,
    list: (req) =>
      visibleStanzas(options, req, conf).map((stanza) => {
        const entry = stanzaEntry(req, path, conf, stanza);
        return { ...entry, content: { ...entry.content, ...more(stanza.keys) } };
      }),
  });
}

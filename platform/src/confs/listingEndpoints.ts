import { eaiRoutes } from '../eai/routes.ts';
import type { Route } from '../http/route.ts';
import { stanzaEntry } from './configEndpoints.ts';
import { type ConfOptions, visibleStanzas } from './view.ts';

/** Lists search commands and alert actions of apps read-only; changes go through `configs`. */
export function listingRoutes(options: ConfOptions): Route[] {
  return [
    ...listing(options, '/data/commands', 'commands'),
    ...listing(options, '/alerts/alert_actions', 'alert_actions'),
  ];
}

function listing(options: ConfOptions, path: string, conf: string): Route[] {
  return eaiRoutes({
    path,
    title: conf,
    list: (req) => visibleStanzas(options, req, conf).map((stanza) => stanzaEntry(req, path, conf, stanza)),
  });
}

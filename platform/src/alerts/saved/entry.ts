import { parseBoolean, type Stanza } from '../../confs/conf.ts';
import { stanzaEntry } from '../../confs/configEndpoints.ts';
import type { SeenStanza } from '../../confs/view.ts';
import type { EaiEntry } from '../../eai/entry.ts';
import type { EaiValue } from '../../eai/xml.ts';
import type { PlatformRequest } from '../../http/request.ts';
import { parseCron } from '../runs/cron.ts';
import { CONF, savedSearchOf } from './list.ts';
import { actionsOf, isScheduled } from './savedSearch.ts';

export const PATH = '/saved/searches';

/** Names that the endpoint has for settings of savedsearches.conf. */
export const ENDPOINT_NAMES: Readonly<Record<string, string>> = {
  counttype: 'alert_type',
  relation: 'alert_comparator',
  quantity: 'alert_threshold',
  enableSched: 'is_scheduled',
};

const BOOLEANS =
  /^(?:action\.[A-Za-z0-9_-]+|alert\.(?:digest_mode|suppress)|dispatch\.(?:allow_partial_results|lookups|spawn_process)|disabled|is_scheduled|is_visible|realtime_schedule|run_on_startup)$/;
const NUMBERS = /^(?:alert\.severity|max_concurrent|dispatch\.(?:buckets|max_count|max_time))$/;
/** As splunkd shows them where no value is set. */
const USUALLY_OFF = new Set(['alert.suppress']);

/** A saved search as an entity. @param now epoch seconds */
export function savedSearchEntry(req: PlatformRequest, stanza: SeenStanza, now: number): EaiEntry {
  const entry = stanzaEntry(req, PATH, CONF, stanza);
  const search = savedSearchOf(stanza);
  const content: Record<string, EaiValue> = {};
  for (const [key, value] of Object.entries(entry.content)) {
    const name = ENDPOINT_NAMES[key] ?? key;
    content[name] = typeof value === 'string' ? typed(name, value) : value;
  }
  const next = isScheduled(search) ? parseCron(stanza.keys.cron_schedule ?? '')?.next(now) : undefined;
  return {
    ...entry,
    acl: { ...entry.acl, owner: search.owner },
    content: {
      ...content,
      actions: actionsOf(stanza.keys).join(','),
      is_scheduled: parseBoolean(stanza.keys.enableSched) ?? false,
      next_scheduled_time: next === undefined ? '' : timeText(next),
      qualifiedSearch: qualified(stanza.keys),
      triggered_alert_count: 0,
    },
  };
}

/** `2026-01-31 23:59:00 UTC` */
export function timeText(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('T', ' ').replace('.000Z', ' UTC');
}

function typed(name: string, text: string): EaiValue {
  if (BOOLEANS.test(name)) return parseBoolean(text) ?? (USUALLY_OFF.has(name) ? false : text);
  return NUMBERS.test(name) && /^\d{1,15}$/.test(text) ? Number(text) : text;
}

function qualified({ search = '' }: Stanza): string {
  const text = search.trim();
  return text.startsWith('|') || text === '' ? text : `search ${text}`;
}

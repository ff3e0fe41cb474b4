import { Fault } from '../../../contract/codes/faults.ts';
import type {
  LookupKind,
  PlatformList,
  PlatformPlace,
  PlatformRows,
} from '../../../ports/platform/platformSearches.ts';
import { objectOf, type SplunkdClient } from '../client.ts';
import { refusal } from './messages.ts';

interface Entry {
  name: string;
  acl?: { app?: unknown; owner?: unknown; sharing?: unknown };
  content: Readonly<Record<string, unknown>>;
}

type Ask = (endpoint: string, query?: Record<string, string>) => Promise<Entry[]>;

/** @throws Fault `search_failed`, `store_unavailable` */
export function entriesOf(client: SplunkdClient, token: string, { user, app }: PlatformPlace): Ask {
  return async (endpoint, query = {}) => {
    const namespace = { owner: user, app };
    const call = { method: 'GET', endpoint, token, namespace, anyStatus: true } as const;
    const reply = await client.call({ ...call, query: { count: '0', ...query } });
    if (reply.status !== 200) throw refusal(`a list of ${endpoint}`, reply);
    const { entry } = objectOf(reply);
    return (Array.isArray(entry) ? entry : []).map((each) => {
      const { name, acl, content } = Object(each) as Partial<Entry>;
      return { name: String(name ?? ''), acl: Object(acl), content: Object(content) };
    });
  };
}

const KINDS: readonly unknown[] = ['file', 'kvstore', 'geo'] satisfies LookupKind[];

/** Definitions and files of lookups; those that the caller may not list are not there. @throws Fault `store_unavailable` */
async function readBoth(ask: Ask): Promise<{ definitions: Entry[]; files: Entry[] }> {
  const entries = (endpoint: string): Promise<Entry[]> =>
    ask(endpoint).catch((error: unknown) => {
      if (error instanceof Fault && error.code === 'search_failed') return [];
      throw error;
    });
  const lists = ['data/transforms/lookups', 'data/lookup-table-files'].map(entries);
  const [definitions = [], files = []] = await Promise.all(lists);
  return { definitions, files };
}

/**
 * Lookups by name: definitions, and files, which are addressed by their own names.
 * @throws Fault `store_unavailable`
 */
export async function readLookups(ask: Ask): Promise<Map<string, LookupKind>> {
  const { definitions, files } = await readBoth(ask);
  const kinds = new Map<string, LookupKind>(files.map(({ name }) => [name, 'file']));
  const named = new Set<string>();
  for (const { name, content } of definitions) {
    // Several apps can have a definition of this name, and the platform picks one: a single script makes it external.
    const kind = kindOf(content);
    if (!named.has(name) || kind === 'external') kinds.set(name, kind);
    named.add(name);
  }
  return kinds;
}

/** A lookup of an unknown kind may run a script. */
const kindOf = ({ type, external_cmd }: Entry['content']): LookupKind =>
  KINDS.includes(type) && !hasText(external_cmd) ? (type as LookupKind) : 'external';

const hasText = (value: unknown): boolean => typeof value === 'string' && value !== '';

/** @param mayRead whether the caller may search an index of this name */
export async function readList(
  list: PlatformList,
  ask: Ask,
  text: string | undefined,
  mayRead: () => Promise<(index: string) => boolean>,
): Promise<PlatformRows> {
  const rows = await READERS[list](ask, mayRead);
  const wanted = text?.toLowerCase();
  const kept = wanted ? rows.filter((row) => Object.values(row).some((cell) => includes(cell, wanted))) : rows;
  const sorted = kept.sort((a, b) => (String(a.name) < String(b.name) ? -1 : 1));
  const fields = [...new Set(sorted.flatMap((row) => Object.keys(row)))];
  return { fields, rows: sorted, total: sorted.length, isPartial: false, messages: [] };
}

const includes = (cell: unknown, text: string): boolean => String(cell).toLowerCase().includes(text);

type Row = Readonly<Record<string, unknown>>;

const READERS: Readonly<
  Record<PlatformList, (ask: Ask, mayRead: () => Promise<(index: string) => boolean>) => Promise<Row[]>>
> = {
  async indexes(ask, mayRead) {
    const [indexes, isReadable] = await Promise.all([ask('data/indexes', { summarize: 'true' }), mayRead()]);
    return indexes.flatMap(({ name, content }) =>
      isReadable(name) && !isYes(content.disabled)
        ? [
            {
              ...{ name, datatype: content.datatype ?? 'event', events: content.totalEventCount ?? '' },
              ...{ size_mb: content.currentDBSizeMB ?? '', first_event: content.minTime ?? '' },
              last_event: content.maxTime ?? '',
            },
          ]
        : [],
    );
  },
  async lookups(ask) {
    const { definitions, files } = await readBoth(ask);
    return [
      ...definitions.map(({ name, acl, content }) => ({
        ...{ name, kind: kindOf(content), app: acl?.app ?? '' },
        ...{
          source: content.filename ?? content.collection ?? '',
          fields: listOf(content.fields_array ?? content.fields_list),
        },
      })),
      ...files.map(({ name, acl }) => ({ name, kind: 'file', app: acl?.app ?? '', source: name, fields: '' })),
    ];
  },
  async data_models(ask) {
    return (await ask('datamodel/model')).map(({ name, acl, content }) => {
      const model = parsed(content.description);
      const objects = Array.isArray(model.objects)
        ? model.objects.map((each) => String(Object(each).objectName ?? ''))
        : [];
      const isAccelerated = isYes(Object(parsed(content.acceleration)).enabled);
      const title = model.displayName ?? content.displayName ?? name;
      return { name, title, app: acl?.app ?? '', accelerated: isAccelerated ? 'yes' : 'no', datasets: objects };
    });
  },
  async saved_searches(ask) {
    return (await ask('saved/searches')).map(({ name, acl, content }) => ({
      ...{ name, description: content.description ?? '', app: acl?.app ?? '', owner: acl?.owner ?? '' },
      ...{ scheduled: isYes(content.is_scheduled) ? 'yes' : 'no', search: content.search ?? '' },
    }));
  },
};

const isYes = (value: unknown): boolean => value === true || value === 1 || value === '1' || value === 'true';

/** Fields of a lookup, which some versions give as one text. */
const listOf = (value: unknown): string =>
  Array.isArray(value) ? value.join(', ') : typeof value === 'string' ? value : '';

/** The description and the acceleration of a data model are JSON texts in JSON. */
function parsed(value: unknown): Record<string, unknown> {
  if (typeof value !== 'string') return Object(value);
  try {
    return Object(JSON.parse(value));
  } catch {
    return {};
  }
}

import { isObject, type Json } from '../../contract/basics.ts';
import { someNames } from '../../domain/values/texts.ts';
import type { CatalogueApi, CatalogueFamily } from '../../ports/platform/ownApi.ts';
import { choice, required } from '../argumentTypes.ts';
import { command, expectBody, pagesOf, SearchError } from '../command.ts';

const FIELDS = ['name', 'title', 'description', 'type'] as const;

/** The cells of a row beside its kind. */
type Entry = Readonly<Record<(typeof FIELDS)[number], string>>;

/** Entries, and what is wrong with the list. */
interface Listing {
  entries: readonly Entry[];
  warning?: string;
}

/** The lists, and how each is read. */
const KINDS = {
  aliases: (api) => recordsOf(api, 'model_aliases', ({ strategy }) => strategy),
  agents: (api) => recordsOf(api, 'agents', ({ runtime_type }) => runtime_type),
  tools: toolsOf,
  stores: (api) => recordsOf(api, 'vector_stores', ({ type }) => type),
  models: modelsOf,
  limits: limitsOf,
} satisfies Record<string, (api: CatalogueApi) => Promise<Listing>>;

/** `| mllist`: what the caller may use, for forms, dashboards and searches. */
export const mlList = command({
  name: 'mllist',
  kind: 'generating',
  arguments: { kind: required(choice(Object.keys(KINDS) as (keyof typeof KINDS)[], 'what is listed')) },
  fields: ['kind', ...FIELDS],
  help: {
    summary: 'Lists what you may use of the Machine Learning Extension.',
    description: [
      'One row for each entry. name is what other commands and the alert action take.',
      'type is the runtime of an agent, the kind of a store or tool, the strategy of an alias, the service of a model, or the window of a limit.',
      'Agents that are switched off are left out.',
    ].join(' '),
    examples: [
      { search: '| mllist kind=agents', comment: 'Show the agents that you may run.' },
      { search: '| mllist kind=tools | stats count by type', comment: 'Count your tools by kind.' },
    ],
    tags: 'list catalogue agents models tools ai',
  },
  prepare({ kind }) {
    return {
      fields: ['kind', ...FIELDS],
      async *generate(info, { catalogue }) {
        const { entries, warning } = await KINDS[kind](await catalogue(info));
        const rows = entries.map((entry) => ({ kind, ...entry }));
        const messages = warning === undefined ? [] : [['WARN', `mllist: ${warning}`] as const];
        yield* pagesOf(rows, info, { messages, last: true });
      },
    };
  },
});

/** @param title default the name */
const entryOf = (name: unknown, { title, description, type }: Json): Entry => ({
  name: text(name),
  title: text(title) || text(name),
  description: text(description),
  type: text(type),
});

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const list = (value: unknown): Json[] => (Array.isArray(value) ? value.filter((entry) => isObject(entry)) : []);

async function recordsOf(
  api: CatalogueApi,
  family: CatalogueFamily,
  typeOf: (record: Json) => unknown,
): Promise<Listing> {
  const entries: Entry[] = [];
  for (let offset: unknown = 0; typeof offset === 'number'; ) {
    const { result, pagination } = expectBody(family.replace('_', ' '), await api.records(family, offset));
    for (const record of list(result)) {
      const { name, description, is_enabled } = record;
      if (is_enabled !== false) entries.push(entryOf(name, { description, type: typeOf(record) }));
    }
    offset = isObject(pagination) ? pagination.next_offset : undefined;
  }
  return { entries };
}

async function modelsOf(api: CatalogueApi): Promise<Listing> {
  const { data } = expectBody('models', await api.models());
  return { entries: list(data).map(({ id, owned_by }) => entryOf(id, { type: owned_by })) };
}

/** Names of tools that are not those of a connection begin so; one of agents' has a name of its own. */
const TOOL_TYPES = ['search', 'retrieve', 'agent'];
const AGENT_RESULT = 'agent_result';

function toolType(name: string): string {
  if (name === AGENT_RESULT) return 'agent';
  const [head] = name.split('__');
  return TOOL_TYPES.find((candidate) => candidate === head) ?? 'mcp';
}

/** In `_meta` of a page: connections whose server did not list its tools. */
const UNAVAILABLE = 'ml_extension/unavailable';

async function toolsOf(api: CatalogueApi): Promise<Listing> {
  const entries: Entry[] = [];
  const missing = new Set<string>();
  let cursor: string | undefined;
  do {
    const { result, error } = expectBody('tools', await api.tools(cursor));
    if (isObject(error)) throw new SearchError(`The tools cannot be read: ${text(error.message)}`);
    const { tools, nextCursor, _meta }: Json = isObject(result) ? result : {};
    for (const { name, title, description } of list(tools)) {
      entries.push(entryOf(name, { title, description, type: toolType(text(name)) }));
    }
    for (const { connection } of list(isObject(_meta) ? _meta[UNAVAILABLE] : [])) missing.add(text(connection));
    cursor = typeof nextCursor === 'string' ? nextCursor : undefined;
  } while (cursor !== undefined);
  const warning = `these connections did not list their tools: ${someNames([...missing])}`;
  return { entries, ...(missing.size > 0 ? { warning } : {}) };
}

async function limitsOf(api: CatalogueApi): Promise<Listing> {
  const { result } = expectBody('usage limits', await api.limits());
  const entries = list(result).map(({ name, window, left }) => {
    const parts = Object.entries(isObject(left) ? left : {}).map(([unit, amount]) => `${String(amount)} ${unit}`);
    return entryOf(name, { description: parts.length > 0 ? `left: ${parts.join(', ')}` : '', type: window });
  });
  return { entries };
}

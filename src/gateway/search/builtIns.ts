import type { Json } from '../../contract/basics.ts';
import { Fault } from '../../contract/codes/faults.ts';
import { FIELDS_SAMPLE } from '../../contract/families/searchToolSchemas.ts';
import { type BuiltInSearchTool, SEARCH_TOOL_DEFAULTS } from '../../contract/families/searchTools.ts';
import { readSearchRules } from '../../families/search-tools/public.ts';
import type { PlatformList } from '../../ports/platform/platformSearches.ts';
import { guardedSearch } from './guarded.ts';
import type { SearchRequest, SearchWork } from './searchWork.ts';

/** Judges a call of a tool. @param args that fit the schema */
type Prepare = (request: SearchRequest, args: Json) => Promise<SearchWork>;

const { app, timeout_s: timeoutS } = SEARCH_TOOL_DEFAULTS;

/** The work of the tools that every installation has, by name. */
export const BUILT_INS: Readonly<Record<BuiltInSearchTool, Prepare>> = {
  spl: guardedSearch,
  indexes: entriesOf('indexes'),
  sourcetypes: (request, { index }) =>
    searchOf(request, {
      search: `| tstats count min(_time) as first_time max(_time) as last_time where index="${index}" by sourcetype | eval first_time=strftime(first_time, "%Y-%m-%dT%H:%M:%S%z"), last_time=strftime(last_time, "%Y-%m-%dT%H:%M:%S%z") | sort 1000 -count`,
      earliest: '-7d',
    }),
  fields: (request, { index, sourcetype }) =>
    searchOf(request, {
      search: `search index="${index}"${sourcetype === undefined ? '' : ` sourcetype="${sourcetype}"`} | head ${FIELDS_SAMPLE} | fieldsummary maxvals=5`,
      earliest: '-24h',
      notes: [`A sample: the newest ${FIELDS_SAMPLE} events of the last 24 hours. Other events may have other fields.`],
    }),
  lookups: entriesOf('lookups'),
  data_models: entriesOf('data_models'),
  saved_searches: entriesOf('saved_searches'),
};

function entriesOf(list: PlatformList): Prepare {
  return async ({ site: { platformSearches }, caller: { user, roles } }, { text }) => {
    const place = { user, app: list === 'saved_searches' ? '-' : app };
    const terms = { roles, ...(typeof text === 'string' ? { text } : {}) };
    return {
      async send() {
        const rows = await platformSearches.list(list, place, terms);
        return { ...rows, rows: rows.rows.slice(0, MOST_ENTRIES) };
      },
      notes: [],
    };
  };
}

const MOST_ENTRIES = 1000;

/** A search of this app, which needs no guard. */
async function searchOf(
  { site, caller, timeoutS: asked }: SearchRequest,
  { search, earliest, notes = [] }: { search: string; earliest: string; notes?: string[] },
): Promise<SearchWork> {
  const { enableLookups } = await readSearchRules(site.settings, site.log);
  const terms = { search, earliest, latest: 'now', app, maxRows: 1000, timeoutS: asked ?? timeoutS, enableLookups };
  return { send: (upstream) => site.platformSearches.run(caller.user, terms, upstream), notes };
}

/** @throws Fault `missing_capability` */
export function missingCapability(tool: string, capability: string): Fault {
  return new Fault('missing_capability', `The tool search__${tool} requires the capability ${capability}`, {
    required: [capability],
  });
}

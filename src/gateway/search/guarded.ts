import type { Json } from '../../contract/basics.ts';
import { Fault } from '../../contract/codes/faults.ts';
import { SEARCH_TOOL_DEFAULTS } from '../../contract/families/searchTools.ts';
import { someNames } from '../../domain/values/texts.ts';
import { readSearchRules, readSearchView } from '../../families/search-tools/public.ts';
import { judgeSearch, sameCommands } from '../../spl/guard.ts';
import type { SearchRequest, SearchWork } from './searchWork.ts';

/**
 * A search of a model or a client that only reads. The text with its macros expanded is what runs, so that nothing else was judged.
 * @throws Fault `search_not_allowed`, `search_failed`, `store_unavailable`
 */
export async function guardedSearch(
  { site, caller: { user }, now, timeoutS }: SearchRequest,
  args: Json,
): Promise<SearchWork> {
  const { app, earliest: since, latest: until, max_rows, timeout_s } = SEARCH_TOOL_DEFAULTS;
  const { search: text, earliest = since, latest = until, max_rows: maxRows = max_rows } = args as Json & SplArguments;
  const { platformSearches } = site;
  const place = { user, app };
  const rules = await readSearchRules(site.settings, site.log);
  const view = await readSearchView(platformSearches, place, text);
  const verdict = judgeSearch(text, { earliest, latest }, view, rules, new Date(now));
  if (!verdict.allowed) {
    const { message, command, position } = verdict;
    throw new Fault('search_not_allowed', message, { command, position });
  }
  const { search, pipeline } = verdict;
  assertSameCommands(pipeline, await platformSearches.commandsOf(place, search));
  const terms = {
    ...{ search, earliest, latest, app, maxRows },
    ...{ timeoutS: timeoutS ?? timeout_s, enableLookups: rules.enableLookups },
  };
  return { send: (upstream) => platformSearches.run(user, terms, upstream), notes: [] };
}

interface SplArguments {
  search: string;
  earliest?: string;
  latest?: string;
  max_rows?: number;
}

/** @throws Fault `search_not_allowed` for a search that the platform's parser, if it could be asked, reads otherwise than the guard */
function assertSameCommands(judged: readonly string[], parsed: readonly string[] | undefined): void {
  if (!parsed || sameCommands(judged, parsed)) return;
  const command = parsed.find((name) => !judged.includes(name)) ?? null;
  const message = `The platform reads other commands in this search than the check of searches does: ${someNames(parsed)}. Write it more plainly.`;
  throw new Fault('search_not_allowed', message, { command, position: 0 });
}

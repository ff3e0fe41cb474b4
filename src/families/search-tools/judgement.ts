import { counted } from '../../contract/basics.ts';
import type { Caller } from '../../contract/caller.ts';
import { Fault, invalid } from '../../contract/codes/faults.ts';
import type { Log } from '../../ports/platform/log.ts';
import type { PlatformSearches } from '../../ports/platform/platformSearches.ts';
import type { Settings } from '../../ports/stores/settings.ts';
import type { SearchView } from '../../spl/guard.ts';
import { judgeTemplate } from '../../spl/template.ts';
import type { SearchToolFields, SearchToolStored } from './definition.ts';
import { readSearchRules, type SearchRules } from './policy.ts';
import { readSearchView } from './view.ts';

/** Access of a request to searches of the platform. */
export interface SearchSite {
  platformSearches: PlatformSearches;
  settings: Settings;
  log: Log;
}

export interface Judgement {
  read_only: boolean;
  commands: string[];
}

/** The rules of the site, and the macros and lookups of the caller, with which a template is filled and judged. */
export interface CallTerms {
  rules: SearchRules;
  view: SearchView;
  /** Whether the template only reads, which then holds for the filled text too. */
  readOnly: boolean;
}

const ADMIN = 'admin_all_objects';

/** Judges the search of a template as the caller sees it. @throws Fault `store_unavailable` */
export async function judge(
  { platformSearches, settings, log }: SearchSite,
  { user }: Pick<Caller, 'user'>,
  { search, arguments: args, app }: Pick<SearchToolFields, 'search' | 'arguments' | 'app'>,
): Promise<Judgement & { refused: string[]; terms: CallTerms }> {
  const rules = await readSearchRules(settings, log);
  const view = await readSearchView(platformSearches, { user, app }, search);
  const judgement = judgeTemplate(search, args, view, rules);
  return { ...judgement, terms: { rules, view, readOnly: judgement.read_only } };
}

/**
 * The judgement under which a template is saved.
 * @throws Fault `validation_failed` for commands that run or send, unless the writer may do everything
 */
export async function judgeForSave(
  site: SearchSite,
  caller: Caller,
  fields: Pick<SearchToolFields, 'search' | 'arguments' | 'app'>,
): Promise<Judgement> {
  const { read_only, commands, refused } = await judge(site, caller, fields);
  if (refused.length > 0 && !caller.capabilities.includes(ADMIN)) {
    const names = refused.join(', ');
    const message = `uses ${counted(refused.length, 'command')} that only an administrator (${ADMIN}) may save in a tool, since they run or send something: ${names}`;
    throw invalid([{ field: 'search', message }]);
  }
  return { read_only, commands };
}

/**
 * Judges a saved template again before it runs: a macro or a lookup may have changed since it was saved.
 * @throws Fault `search_not_allowed`
 */
export async function judgeForCall(
  site: SearchSite,
  caller: Caller,
  tool: SearchToolFields & Pick<SearchToolStored, 'read_only' | 'commands'>,
): Promise<CallTerms> {
  const { read_only, commands, terms } = await judge(site, caller, tool);
  if (read_only) return terms;
  const saved = new Set(tool.commands);
  const command = commands.find((name) => !saved.has(name)) ?? null;
  if (!tool.read_only && command === null) return terms;
  const message =
    'The search does more for you than when the tool was saved: a macro or lookup has changed, or is another one for you. Its author can look at it, and save it again.';
  throw new Fault('search_not_allowed', message, { command, position: 0 });
}

import type { PlatformMacro, PlatformPlace, PlatformSearches } from '../../ports/platform/platformSearches.ts';
import { type MacroCall, missingMacros, type SearchView } from '../../spl/guard.ts';

/** Macros that one search may use, those within macros included. */
const MAX_MACROS = 100;

/**
 * Reads what a search names, as the caller sees it in an app.
 * @throws Fault `store_unavailable`
 */
export async function readSearchView(
  searches: Pick<PlatformSearches, 'macro' | 'lookups'>,
  place: PlatformPlace,
  text: string,
): Promise<SearchView> {
  const [lookups, macros] = await Promise.all([searches.lookups(place), readMacros(searches, place, text)]);
  return {
    macro: (name, args) => macros.get(keyOf({ name, args })) ?? null,
    lookup: (name) => lookups.get(name) ?? null,
  };
}

const keyOf = ({ name, args }: MacroCall): string => `${name}(${args})`;

/** Level by level: a definition may call further macros. */
async function readMacros(
  searches: Pick<PlatformSearches, 'macro'>,
  place: PlatformPlace,
  text: string,
): Promise<ReadonlyMap<string, PlatformMacro | null>> {
  const macros = new Map<string, PlatformMacro | null>();
  for (;;) {
    const missing = missingMacros(text, (name, args) => macros.get(keyOf({ name, args })) ?? null);
    const unread = missing.filter((call) => !macros.has(keyOf(call))).slice(0, MAX_MACROS - macros.size);
    if (unread.length === 0) return macros;
    const read = await Promise.all(unread.map(({ name, args }) => searches.macro(place, name, args)));
    for (const [index, call] of unread.entries()) macros.set(keyOf(call), read[index] ?? null);
  }
}

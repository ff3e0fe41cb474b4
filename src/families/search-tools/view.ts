import type { PlatformMacro, PlatformPlace, PlatformSearches } from '../../ports/platform/platformSearches.ts';
import { macroCalls, type SearchView } from '../../spl/guard.ts';

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

type MacroCall = ReturnType<typeof macroCalls>[number];

const keyOf = ({ name, args }: MacroCall): string => `${name}(${args})`;

/** Level by level: a definition may call further macros. */
async function readMacros(
  searches: Pick<PlatformSearches, 'macro'>,
  place: PlatformPlace,
  text: string,
): Promise<ReadonlyMap<string, PlatformMacro | null>> {
  const macros = new Map<string, PlatformMacro | null>();
  let texts = [text];
  while (texts.length > 0) {
    const calls = new Map(texts.flatMap(macroCalls).map((call) => [keyOf(call), call]));
    const unread = [...calls].filter(([key]) => !macros.has(key)).slice(0, MAX_MACROS - macros.size);
    const read = await Promise.all(unread.map(([, { name, args }]) => searches.macro(place, name, args)));
    for (const [index, [key]] of unread.entries()) macros.set(key, read[index] ?? null);
    texts = read.flatMap((macro) => (macro && !macro.isEval ? [macro.definition] : []));
  }
  return macros;
}

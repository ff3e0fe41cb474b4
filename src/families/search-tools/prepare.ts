import { Fault, invalid } from '../../contract/codes/faults.ts';
import type { PlatformSearch } from '../../ports/platform/platformSearches.ts';
import { filledFault, fillTemplate } from '../../spl/template.ts';
import type { SearchToolFields } from './definition.ts';
import type { CallTerms } from './judgement.ts';

/**
 * The search of a template with its values.
 * @param field the one with the values
 * @throws Fault `validation_failed`, `search_not_allowed`
 */
export function filledSearch(
  { search, arguments: args, earliest, latest, app, max_rows, timeout_s }: SearchToolFields,
  values: Readonly<Record<string, unknown>>,
  { rules, view, readOnly }: CallTerms,
  field: string,
): PlatformSearch {
  const declared = new Set(args.map(({ name }) => name));
  const unknown = Object.keys(values).filter((name) => !declared.has(name));
  if (unknown.length > 0)
    throw invalid(unknown.map((name) => ({ field: `${field}.${name}`, message: 'is no argument of this tool' })));
  const filled = fillTemplate(search, args, values, view);
  if ('fault' in filled) {
    const { path, message, code } = filled.fault;
    if (code === 'invalid')
      throw invalid([{ field: path.replace(/^values\//, `${field}/`).replaceAll('/', '.'), message }]);
    throw new Fault('search_not_allowed', message, { command: null, position: 0 });
  }
  const refused = readOnly ? filledFault(filled.search, view, rules) : undefined;
  if (refused) {
    const message = `With these values the search does more than read: ${refused.message}`;
    throw new Fault('search_not_allowed', message, { command: refused.command, position: 0 });
  }
  const { enableLookups } = rules;
  return {
    ...{ search: filled.search, earliest, latest, app, maxRows: max_rows, timeoutS: timeout_s, enableLookups },
  };
}

/** Values with which a search can be parsed: the defaults, the first of an enumeration, else one that fits the type. */
export function sampleValues({ arguments: args }: Pick<SearchToolFields, 'arguments'>): Record<string, unknown> {
  return Object.fromEntries(args.map((each) => [each.name, each.default ?? each.enum?.[0] ?? sampleOf(each)]));
}

type Argument = SearchToolFields['arguments'][number];

function sampleOf({ type, minimum, maximum }: Argument): unknown {
  if (type === 'integer' || type === 'number') {
    const least = minimum ?? Math.min(1, maximum ?? 1);
    return type === 'integer' ? Math.ceil(least) : least;
  }
  if (type === 'boolean') return true;
  return type === 'time' ? '-1h' : 'main';
}

import type { Problem } from '../../contract/codes/faults.ts';
import { isBuiltInSearchTool } from '../../contract/families/searchTools.ts';
import { BY_LIST } from '../../resources/access.ts';
import type { ResourceKind } from '../../resources/kind.ts';
import { checkTemplate } from '../../spl/template.ts';
import { timeProblem } from '../../spl/time/modifier.ts';
import type { SearchArgument, SearchToolRecord, SearchToolStored, SearchToolUpdate } from './definition.ts';

export const FAMILY = 'search_tools';
export const SEARCH_TOOLS = 'ml_search_tools';
export const OPERATIONS = { one: 'SearchTool', many: 'SearchTools' } as const;

/** The body of a create, an update or a test. */
export type SearchToolBody = Partial<SearchToolUpdate>;

export const searchToolKind: ResourceKind<SearchToolStored, SearchToolBody, SearchToolRecord> = {
  family: FAMILY,
  collection: SEARCH_TOOLS,
  label: 'search tool',
  access: BY_LIST,
  addresses: () => ({}),
  merge: (_base, body) => (Array.isArray(body.arguments) ? { arguments: body.arguments.map(completed) } : {}),
  problems: ({ name = '', search, arguments: args, earliest, latest }) => [
    ...(isBuiltInSearchTool(name)
      ? [{ field: 'name', message: `\`${name}\` is the name of a tool that every installation has` }]
      : []),
    ...timeProblems({ earliest, latest }),
    ...checkTemplate(search, args).map(({ path, message }) => ({ field: path.replaceAll('/', '.'), message })),
  ],
  hasInlineConfig: (body) => SEARCHED.some((field) => body[field] !== undefined),
  missingForTest: ({ search }) =>
    search === undefined
      ? [{ field: 'search', message: 'is required, unless the name of a saved search tool is given' }]
      : [],
  // A judgement is not a change by a user.
  audited(_record, view) {
    const { read_only, ...audited } = view as SearchToolRecord;
    return audited;
  },
};

const timeProblems = (times: Pick<SearchToolStored, 'earliest' | 'latest'>): Problem[] =>
  Object.entries(times).flatMap(([field, text]) => {
    const message = timeProblem(text);
    return message === undefined ? [] : [{ field, message }];
  });

/** Fields with which a test is not one of the saved tool. */
const SEARCHED = ['search', 'arguments', 'earliest', 'latest', 'app', 'max_rows', 'timeout_s'] as const;

/** An argument with its defaults. */
const completed = (argument: Partial<SearchArgument> & Pick<SearchArgument, 'name' | 'type'>): SearchArgument => ({
  ...argument,
  is_required: argument.is_required ?? true,
  wildcards: argument.wildcards ?? false,
});

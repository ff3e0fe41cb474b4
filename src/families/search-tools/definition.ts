import { type Static, Type } from 'typebox';
import {
  ARGUMENT_TYPES,
  MAX_SEARCH_ROWS,
  MAX_SEARCH_TIMEOUT_S,
  SEARCH_TOOL_DEFAULTS,
} from '../../contract/families/searchTools.ts';
import { Clearable } from '../../contract/schemas/common.ts';
import { named } from '../../contract/schemas/named.ts';
import { SearchToolName } from '../../contract/schemas/searchToolName.ts';
import { StringList } from '../../contract/schemas/stored.ts';
import { defineRecord, type StoredOf } from '../../resources/record/define.ts';
import {
  accessList,
  defaulted,
  descriptionField,
  initially,
  internal,
  lastTestField,
  nameField,
  opt,
  required,
  shown,
} from '../../resources/record/fields.ts';

export const SearchText = Type.String({
  ...{ minLength: 1, maxLength: 32_768 },
  description: 'SPL with $name$ for each argument; $$ is a dollar sign',
});

export const TimeText = (description: string) =>
  Type.String({
    minLength: 1,
    maxLength: 64,
    description: `${description}: a time modifier, ISO 8601 or epoch seconds`,
  });

export const AppName = Type.String({
  ...{ minLength: 1, maxLength: 100, pattern: '^[A-Za-z0-9_][A-Za-z0-9_.-]*$' },
  description: 'App of the platform in which macros and lookups are found',
});

const ArgumentValue = (description: string) =>
  Type.Union([Type.String({ maxLength: 4096 }), Type.Number(), Type.Boolean()], { description });

const ofArgument = {
  name: Type.String({
    ...{ minLength: 1, maxLength: 64, pattern: '^[A-Za-z_][A-Za-z0-9_]*$' },
    description: 'Name of the argument, as in the search',
    'x-message': 'must be 1 to 64 characters: first a letter or _, then letters, digits and _',
  }),
  type: Type.Enum([...ARGUMENT_TYPES], {
    description: 'string: stands within double quotes of the search. time: a modifier, ISO 8601 or epoch seconds',
  }),
  description: opt(Type.String({ maxLength: 1024, description: 'What the model is told of it' })),
  default: opt(ArgumentValue('The value where a call gives none')),
  enum: opt(Type.Array(ArgumentValue('A value'), { minItems: 1, maxItems: 100, description: 'The only values' })),
  minimum: opt(Type.Number({ description: 'The smallest number' })),
  maximum: opt(Type.Number({ description: 'The largest number' })),
};

const IsRequired = Type.Boolean({ default: true, description: 'Whether a call must give it' });
const Wildcards = Type.Boolean({ default: false, description: 'Whether a text may contain *' });

export const SearchArgumentInput = named(
  'SearchArgumentInput',
  Type.Object(
    { ...ofArgument, is_required: opt(IsRequired), wildcards: opt(Wildcards) },
    { description: 'An argument of a search tool' },
  ),
);
const SearchArgument = named(
  'SearchArgument',
  Type.Object(
    { ...ofArgument, is_required: IsRequired, wildcards: Wildcards },
    { description: 'An argument of a search tool' },
  ),
);

const ARGUMENTS = 'The arguments of the search; each stands in it at least once';
const Arguments = Type.Array(SearchArgumentInput, {
  maxItems: 50,
  description: `${ARGUMENTS}. The list is replaced as a whole; null empties it.`,
});

export const MaxRows = Type.Integer({
  minimum: 1,
  maximum: MAX_SEARCH_ROWS,
  description: 'Rows that a call reads at most',
});
export const TimeoutS = Type.Integer({
  ...{ minimum: 1, maximum: MAX_SEARCH_TIMEOUT_S },
  description: 'Seconds after which the search ends with the rows that it has',
});

/** Types of the argument values in the store: the schemas of bodies and replies state more. */
const StoredArgument = Type.Object({ name: Type.String(), type: Type.Enum([...ARGUMENT_TYPES]) });

export const searchTool = defineRecord(
  'SearchTool',
  {
    name: nameField(SearchToolName('Unique name; the tool is search__<name>'), 'Name of the search tool'),
    description: descriptionField('What the search answers, for models and people'),
    search: required(SearchText),
    arguments: initially(Clearable(Arguments), [], {
      view: Type.Array(SearchArgument, { description: ARGUMENTS }),
      stored: Type.Unsafe<Static<typeof SearchArgument>[]>(Type.Array(StoredArgument)),
    }),
    earliest: defaulted(TimeText('Begin of the range of time'), SEARCH_TOOL_DEFAULTS.earliest),
    latest: defaulted(TimeText('End of the range of time'), SEARCH_TOOL_DEFAULTS.latest),
    app: defaulted(AppName, SEARCH_TOOL_DEFAULTS.app),
    max_rows: defaulted(MaxRows, SEARCH_TOOL_DEFAULTS.max_rows),
    timeout_s: defaulted(TimeoutS, SEARCH_TOOL_DEFAULTS.timeout_s),
    is_enabled: defaulted(
      Type.Boolean({ description: 'Whether the tool is offered and can be called' }),
      SEARCH_TOOL_DEFAULTS.is_enabled,
    ),
    read_only: shown(
      Type.Boolean({ description: 'Whether the search only reads, as it was judged when it was saved' }),
      { initial: false },
    ),
    // Commands that the search had when it was judged: a macro that changes must not add one that does more.
    commands: internal(opt(StringList)),
    ...accessList,
    ...lastTestField,
  },
  {
    create: 'A new search tool',
    update: 'A change of the search tool of this name; omitted fields stay',
    record: 'A search that models call as a tool, with typed arguments',
  },
);

export type SearchToolCreate = Static<typeof searchTool.create>;
export type SearchToolUpdate = Static<typeof searchTool.update>;
export type SearchToolRecord = Static<typeof searchTool.record>;
export type SearchToolStored = StoredOf<typeof searchTool>;
/** The part that a call of the tool needs. */
export type SearchToolFields = Pick<
  SearchToolStored,
  'search' | 'arguments' | 'earliest' | 'latest' | 'app' | 'max_rows' | 'timeout_s'
>;
export type SearchArgument = Static<typeof SearchArgument>;

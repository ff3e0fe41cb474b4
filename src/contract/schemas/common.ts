import { type Static, type TProperties, type TSchema, Type } from 'typebox';
import { DEFAULT_COUNT, MASK, MAX_ROLES, MAX_STORED_ROLES, TOO_MANY_ROLES } from '../basics.ts';
import { FLAG_TEXTS } from '../settings/flags.ts';
import { named, nameOf, narrowed } from './named.ts';
import { SORT_KEYS, type SortKey } from './sortKeys.ts';

/** Default maximum length of a string. */
export const LONGEST_TEXT = 65_536;
export const NOT_A_STRING = `must be a string of at most ${LONGEST_TEXT} characters`;

export const SECRET_RULE = `Omitted or ${MASK}: keeps the stored secret; null or '' deletes it.`;

/** A value for the secret store. */
export function Secret(options: { description: string; maxLength?: number }) {
  return Type.Union([Type.String({ maxLength: options.maxLength ?? LONGEST_TEXT }), Type.Null()], {
    description: `${options.description}. ${SECRET_RULE}`,
    'x-secret': true,
    writeOnly: false,
  });
}

export const Masked = (what: string) => Type.String({ description: `${what}: ${MASK} if one is stored` });

/** A boolean sent as a string; empty means not set. */
export const Flag = named('Flag', Type.Enum(['', ...FLAG_TEXTS]));

export const TextMap = named(
  'TextMap',
  Type.Record(Type.String(), Type.String(), { description: 'Object with string values' }),
);

/** A value that an update can unset with null. */
export function Clearable<T extends TSchema>(schema: T) {
  return Type.Union([schema, Type.Null()]);
}

export const DescriptionInput = (about: string) =>
  Type.Optional(Clearable(Type.String({ maxLength: 4096, description: `${about}; null empties it` })));

/** Checks only the beginning of a URL; handlers report other problems. */
export const URL_PATTERN = '^[Hh][Tt][Tt][Pp][Ss]?://[^ ]+$';

/** Extends a pattern to also accept '', which unsets the value. @param pattern from ^ to $ */
export const orEmpty = (pattern: string): string => `^(${pattern.replaceAll(/^\^|\$$/g, '')})?$`;

const NAME_PATTERN = '^[A-Za-z0-9][A-Za-z0-9 _.\\-@+()]*$';

export const NameOf = (description: string) =>
  Type.String({
    minLength: 1,
    maxLength: 128,
    pattern: NAME_PATTERN,
    description,
    'x-trim': true,
    'x-message':
      'must be 1 to 128 characters: first a letter (A-Z, a-z) or a digit, then letters, digits, space and _ . - @ + ( )',
  });
export const Name = NameOf('Unique name, case-insensitive');

export const ONE_BY_NAME = 'Return the record of this name in config instead of a list';
export const OneByName = Type.Optional(NameOf(ONE_BY_NAME));

export const ForceQuery = Type.Object({
  force: Type.Optional(Type.Boolean({ default: false, description: 'Delete even if other records use it' })),
});

export const Verify = Type.Optional(
  Type.Boolean({
    default: false,
    description:
      'Test the new record, including new secrets, before saving it. If the test fails the reply is verification_refused and nothing is saved.',
  }),
);
export const VerifyQuery = Type.Object({ verify: Verify });

export const NameReply = named(
  'NameReply',
  Type.Object(
    { name: Type.String({ description: 'Name of the deleted record' }) },
    { description: 'The deleted record' },
  ),
);

export const NameParams = Type.Object({ name: Name });

export const Version = Type.Integer({
  minimum: 1,
  description: 'Condition: version that this change is based on.',
});

const ROLE = Type.String({ minLength: 1, maxLength: 128 });
const Roles = (right: string) =>
  Type.Array(ROLE, {
    maxItems: MAX_ROLES,
    description: `Existing roles that may ${right}, or * for everyone; replaces the stored list`,
    'x-stored-items': MAX_STORED_ROLES,
    'x-message': TOO_MANY_ROLES,
  });

export const SharingOf = (description: string) =>
  named('Sharing', Type.Enum(['user', 'app', 'global'], { description }));
const Sharing = SharingOf('user: only the owner; perms are ignored. app or global: perms apply.');
export const SharingInput = (description: string, more: { default?: string } = {}) =>
  narrowed(Sharing, Type.Enum(['user', 'app'], { description, ...more }));
const OWNER = 'User who may always read and write the record';
const PERMS = { description: 'Roles with access to the record, unless sharing is user' };

export const AclInput = named(
  'AclInput',
  Type.Object(
    {
      owner: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 1024,
          description: `${OWNER}; setting another user requires admin_all_objects`,
        }),
      ),
      sharing: Type.Optional(Sharing),
      perms: Type.Optional(
        Type.Object({ read: Type.Optional(Roles('read')), write: Type.Optional(Roles('read and write')) }, PERMS),
      ),
    },
    {
      description:
        'Who may read and write the record. Default: only the creator. An update keeps omitted keys; changes require the owner or admin_all_objects.',
    },
  ),
);

const RolesView = (right: string) =>
  Type.Array(Type.String(), { description: `Roles that may ${right}; * is everyone` });

export const Acl = named(
  'Acl',
  Type.Object(
    {
      owner: Type.String({ description: OWNER }),
      sharing: Sharing,
      perms: Type.Object({ read: RolesView('read'), write: RolesView('read and write') }, PERMS),
    },
    { description: 'Who may read and write the record' },
  ),
);
export type Acl = Static<typeof Acl>;
export type AclInput = Static<typeof AclInput>;

const EpochSeconds = (description: string) =>
  Type.Number({ description: `${description}, epoch seconds with a fraction` });

/** Keys set by the server; a write that sends them back causes no warning. */
export const Metadata = {
  version: Type.Integer({
    minimum: 1,
    description: 'Incremented by each change; send it with a change to detect conflicts',
  }),
  created_at: EpochSeconds('When created'),
  created_by: Type.String({ description: 'User who created the record' }),
  last_updated_at: EpochSeconds('When last updated'),
  last_updated_by: Type.String({ description: 'User who made the last change' }),
} satisfies TProperties;

export const Outcome = named('Outcome', Type.Enum(['success', 'fail'], { description: 'Result' }));

export const LastTest = named(
  'LastTest',
  Type.Object(
    {
      status: Outcome,
      error_code: Type.Union([Type.String(), Type.Null()], { description: 'Code of a failed test; null if it passed' }),
      tested_at: EpochSeconds('When tested'),
      response_time_ms: Type.Number({ description: 'Duration of the test in milliseconds' }),
    },
    { description: 'Result of the last test of the saved record; does not change version or last_updated_at' },
  ),
);
export type LastTest = Static<typeof LastTest>;

export const SortDirection = (preset: 'asc' | 'desc') =>
  named(
    'SortDirection',
    Type.Enum(['asc', 'desc'], {
      default: preset,
      description: 'Sort order',
    }),
  );

/** Excludes `Infinity`, which counts as an integer. */
const MAX_INTEGER = 2_147_483_647;

export const Count = (preset: number) =>
  Type.Integer({
    minimum: 0,
    maximum: MAX_INTEGER,
    default: preset,
    description: 'Maximum entries per page; 0 = all. A page also ends at 16 MB; continue at next_offset.',
  });

export const Search = (fields: string) =>
  Type.String({ description: `Only entries with this text in ${fields}, case-insensitive` });

const TIME = '^([0-9]{1,12}([.][0-9]{1,9})?|[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9:.]+(Z|[+-][0-9]{2}:?[0-9]{2})?)?)$';
export const TimeParam = (what: string) =>
  Type.String({
    minLength: 1,
    maxLength: 64,
    description: `${what}: epoch seconds or an ISO 8601 date`,
    'x-form': { maxLength: 64, pattern: TIME },
  });

const SortKeys = named('SortKey', Type.Enum([...SORT_KEYS]));

/** Query of a list, named as on the platform. */
export function ListQuery<const Keys extends readonly [SortKey, ...SortKey[]], P extends TProperties>(
  sortKeys: Keys,
  extra: P,
) {
  return Type.Object({
    count: Type.Optional(Count(DEFAULT_COUNT)),
    offset: Type.Optional(
      Type.Integer({ minimum: 0, maximum: MAX_INTEGER, default: 0, description: 'Entries to skip' }),
    ),
    sort_key: Type.Optional(
      narrowed(
        SortKeys,
        Type.Enum([...sortKeys] as unknown as [...Keys], { default: sortKeys[0], description: 'Field to sort by' }),
      ),
    ),
    sort_dir: Type.Optional(SortDirection('asc')),
    search: Type.Optional(Search('name, title or description')),
    ...extra,
  });
}

export const Pagination = named(
  'Pagination',
  Type.Object(
    {
      offset: Type.Integer({ description: 'Entries skipped' }),
      count: Type.Integer({ description: 'Requested or default page size; 0 = all' }),
      total: Type.Integer({ description: 'Matching entries that the caller may read, on all pages' }),
      returned: Type.Integer({ description: 'Entries on this page' }),
      has_more: Type.Boolean({ description: 'Whether there are more entries after this page' }),
      next_offset: Type.Union([Type.Integer(), Type.Null()], {
        description: 'Offset of the next page; null on the last page',
      }),
    },
    { description: 'Position of this page in the list' },
  ),
);
export type Pagination = Static<typeof Pagination>;

export const Page = <T extends TSchema>(item: T) => Type.Array(item, { description: 'Entries of this page' });

export function ListReply<T extends TSchema>(item: T) {
  const schema = Type.Object(
    {
      result: Type.Optional(Page(item)),
      pagination: Type.Optional(Pagination),
      config: Type.Optional(item),
    },
    { description: 'Page of the list in result; with name=, the record in config' },
  );
  return namedAfter(item, 'List', schema);
}

export function ConfigReply<T extends TSchema>(item: T) {
  const schema = Type.Object({ config: item }, { description: 'Record in config' });
  return namedAfter(item, 'Reply', schema);
}

function namedAfter<T extends TSchema>(item: TSchema, what: string, schema: T): T {
  const name = nameOf(item);
  return name === undefined ? schema : named(name + what, schema);
}

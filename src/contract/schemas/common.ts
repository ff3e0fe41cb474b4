import { type Static, type TProperties, type TSchema, Type } from 'typebox';
import { DEFAULT_COUNT, MASK, MAX_ROLES, MAX_STORED_ROLES, TOO_MANY_ROLES } from '../basics.ts';
import { FLAG_TEXTS } from '../settings/flags.ts';
import { named, nameOf, narrowed } from './named.ts';
import { SORT_KEYS, type SortKey } from './sortKeys.ts';

/** No text of a field is longer, unless its schema says so. */
export const LONGEST_TEXT = 65_536;
export const NOT_A_STRING = `must be a string of at most ${LONGEST_TEXT} characters`;

/** What a caller can send of any secret. */
export const SECRET_RULE = `Left out, or sent as ${MASK}: what is stored stays; null or '' deletes it.`;

/** A value that leaves for the secret store. Mask = keep, absent = keep, empty or null = delete. */
export function Secret(options: { description: string; maxLength?: number }) {
  return Type.Union([Type.String({ maxLength: options.maxLength ?? LONGEST_TEXT }), Type.Null()], {
    description: `${options.description}. ${SECRET_RULE}`,
    'x-secret': true,
    writeOnly: false,
  });
}

/** What a read shows of a secret, where one is stored. */
export const Masked = (what: string) => Type.String({ description: `${what}: ${MASK}, if one is stored` });

/** A boolean as a text; empty is not given. */
export const Flag = named('Flag', Type.Enum(['', ...FLAG_TEXTS]));

/** Of the maps whose values are texts, what the document has a name for; what holds for one is said where it is. */
export const TextMap = named(
  'TextMap',
  Type.Record(Type.String(), Type.String(), { description: 'An object whose values are texts' }),
);

/** An optional value that an update can unset with null (or, for text, with ""). */
export function Clearable<T extends TSchema>(schema: T) {
  return Type.Union([schema, Type.Null()]);
}

/** How an address begins; what else is wrong with one is told together with all other problems. */
export const URL_PATTERN = '^[Hh][Tt][Tt][Pp][Ss]?://[^ ]+$';

/** A pattern that also takes the empty text, which unsets. @param pattern from ^ to $ */
export const orEmpty = (pattern: string): string => `^(${pattern.replaceAll(/^\^|\$$/g, '')})?$`;

const NAME_PATTERN = '^[A-Za-z0-9][A-Za-z0-9 _.\\-@+()]*$';

/** Connection, store and record names. */
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
export const Name = NameOf('Unique name, compared without regard to case');

/** Query of a list that has a single form. */
export const ONE_BY_NAME = 'Answer the one record of this name, in config, and no list';
export const OneByName = Type.Optional(NameOf(ONE_BY_NAME));

/** Query of a deletion of something that agents may name. */
export const ForceQuery = Type.Object({
  force: Type.Optional(Type.Boolean({ default: false, description: 'Delete it even if agents use it' })),
});

/** Query of a create or an update that can be tested before it is made. */
export const Verify = Type.Optional(
  Type.Boolean({
    default: false,
    description:
      'Test the record as it would be, new secrets included, before anything is written. If the test fails the reply is verification_refused, and nothing has changed.',
  }),
);
export const VerifyQuery = Type.Object({ verify: Verify });

/** Of a deletion. */
export const NameReply = named(
  'NameReply',
  Type.Object(
    { name: Type.String({ description: 'Name of what was deleted, as it was written' }) },
    { description: 'What was deleted' },
  ),
);

export const NameParams = Type.Object({ name: Name });

export const Version = Type.Integer({
  minimum: 1,
  description: 'Condition: the version that this change is based on.',
});

const ROLE = Type.String({ minLength: 1, maxLength: 128 });
const Roles = (right: string) =>
  Type.Array(ROLE, {
    maxItems: MAX_ROLES,
    description: `Existing roles that may ${right}, or * for everyone; sent lists replace stored ones`,
    'x-stored-items': MAX_STORED_ROLES,
    'x-message': TOO_MANY_ROLES,
  });

/** @param description who can see it, in each case */
export const SharingOf = (description: string) =>
  named('Sharing', Type.Enum(['user', 'app', 'global'], { description }));
const Sharing = SharingOf(
  'user: only the owner, whatever perms say. app and global, which mean the same here: perms decide.',
);
/** Of what a caller makes: not for other apps. @param description what becomes of it, in each case */
export const SharingInput = (description: string, more: { default?: string } = {}) =>
  narrowed(Sharing, Type.Enum(['user', 'app'], { description, ...more }));
const OWNER = 'User who may always read and write the record';
const PERMS = { description: 'Roles that have a right to the record, unless sharing is user' };

/** The record ACL as a caller sends it: any subset. */
export const AclInput = named(
  'AclInput',
  Type.Object(
    {
      owner: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 1024,
          description: `${OWNER}; only who has admin_all_objects may name another user`,
        }),
      ),
      sharing: Type.Optional(Sharing),
      perms: Type.Optional(
        Type.Object({ read: Type.Optional(Roles('read')), write: Type.Optional(Roles('read and write')) }, PERMS),
      ),
    },
    {
      description:
        'Who may read and write the record. A new record is open to its creator alone; an update keeps what it leaves out, and only the owner or who has admin_all_objects may change anything here.',
    },
  ),
);

const ShownRoles = (right: string) =>
  Type.Array(Type.String(), { description: `Roles that may ${right}; * is everyone` });

export const Acl = named(
  'Acl',
  Type.Object(
    {
      owner: Type.String({ description: OWNER }),
      sharing: Sharing,
      perms: Type.Object({ read: ShownRoles('read'), write: ShownRoles('read and write') }, PERMS),
    },
    { description: 'Who may read and write the record' },
  ),
);
export type Acl = Static<typeof Acl>;
export type AclInput = Static<typeof AclInput>;

const EpochSeconds = (description: string) =>
  Type.Number({ description: `${description}, epoch seconds with a fraction` });

/** Keys that the server keeps on every record; a write that sends them back is not warned about. */
export const Metadata = {
  version: Type.Integer({
    minimum: 1,
    description:
      'Grows by one with each change by a caller; sent back with a change, it is the condition of that change',
  }),
  created_at: EpochSeconds('When created'),
  created_by: Type.String({ description: 'User who created the record' }),
  last_updated_at: EpochSeconds('When last updated'),
  last_updated_by: Type.String({ description: 'User who made the last change' }),
} satisfies TProperties;

/** How a test, or a step that was recorded, went. */
export const Outcome = named('Outcome', Type.Enum(['success', 'fail'], { description: 'Whether it went well' }));

export const LastTest = named(
  'LastTest',
  Type.Object(
    {
      status: Outcome,
      error_code: Type.Union([Type.String(), Type.Null()], { description: 'Why the test failed; null if it passed' }),
      tested_at: EpochSeconds('When tested'),
      response_time_ms: Type.Number({ description: 'Milliseconds that the test took' }),
    },
    { description: 'What the last test of the saved record found; it does not change version or last_updated_at' },
  ),
);
export type LastTest = Static<typeof LastTest>;

export const SortDirection = (preset: 'asc' | 'desc') =>
  named(
    'SortDirection',
    Type.Enum(['asc', 'desc'], {
      default: preset,
      description: 'asc: from small to large, old to new, A to Z; desc: the other way round',
    }),
  );

/** Also excludes `Infinity`, which passes for an integer. */
const MAX_INTEGER = 2_147_483_647;

/** @param preset how many there are if nobody asks for a number */
export const Count = (preset: number) =>
  Type.Integer({
    minimum: 0,
    maximum: MAX_INTEGER,
    default: preset,
    description: 'Most entries of a page; 0 = all. A page also ends at 16 MB; next_offset tells where to go on.',
  });

export const Search = (fields: string) =>
  Type.String({ description: `Only entries with this text in ${fields}, compared without regard to case` });

const MOMENT = '^([0-9]{1,12}([.][0-9]{1,9})?|[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9:.]+(Z|[+-][0-9]{2}:?[0-9]{2})?)?)$';
/** A time in the query of a list. */
export const TimeParam = (what: string) =>
  Type.String({
    minLength: 1,
    maxLength: 64,
    description: `${what}: epoch seconds or an ISO 8601 date`,
    'x-form': { maxLength: 64, pattern: MOMENT },
  });

const SortKeys = named('SortKey', Type.Enum([...SORT_KEYS]));

/** Query of a list: the platform's own words. */
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
      offset: Type.Integer({ description: 'Entries that were skipped' }),
      count: Type.Integer({ description: 'Page size that was asked for, or the default; 0 = all' }),
      total: Type.Integer({ description: 'Entries that match and that the caller may read, on all pages together' }),
      returned: Type.Integer({ description: 'Entries on this page' }),
      has_more: Type.Boolean({ description: 'Whether there are entries behind this page' }),
      next_offset: Type.Union([Type.Integer(), Type.Null()], {
        description: 'The offset of the next page; null on the last one',
      }),
    },
    { description: 'Where this page stands in the whole list' },
  ),
);
export type Pagination = Static<typeof Pagination>;

export const Page = <T extends TSchema>(item: T) => Type.Array(item, { description: 'The entries of this page' });

/** A list; with `name=`, the single form. */
export function ListReply<T extends TSchema>(item: T) {
  const schema = Type.Object(
    {
      result: Type.Optional(Page(item)),
      pagination: Type.Optional(Pagination),
      config: Type.Optional(item),
    },
    { description: 'A page of the list in result; with name=, the one record of that name in config' },
  );
  return namedAfter(item, 'List', schema);
}

export function ConfigReply<T extends TSchema>(item: T) {
  const schema = Type.Object({ config: item }, { description: 'What was read or written, in config' });
  return namedAfter(item, 'Reply', schema);
}

/** Replies about a thing are called after it. */
function namedAfter<T extends TSchema>(item: TSchema, what: string, schema: T): T {
  const name = nameOf(item);
  return name === undefined ? schema : named(name + what, schema);
}

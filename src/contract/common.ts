import { type Static, type TProperties, type TSchema, Type } from 'typebox';
import { MAX_ROLES, MAX_STORED_ROLES, TOO_MANY_ROLES } from './accessLists.ts';
import { named, nameOf } from './named.ts';

/** No text of a field is longer, unless its schema says so. */
export const LONGEST_TEXT = 65_536;
export const NOT_A_STRING = `must be a string of at most ${LONGEST_TEXT} characters`;

/** A value that leaves for the secret store. Mask = keep, absent = keep, empty or null = delete. */
export function Secret(options: { description: string; maxLength?: number }) {
  return Type.Union([Type.String({ maxLength: options.maxLength ?? LONGEST_TEXT }), Type.Null()], {
    description: options.description,
    'x-secret': true,
    writeOnly: false,
  });
}

/** An optional value that an update can unset with null (or, for text, with ""). */
export function Clearable<T extends TSchema>(schema: T) {
  return Type.Union([schema, Type.Null()]);
}

const NAME_PATTERN = '^[A-Za-z0-9][A-Za-z0-9 _.\\-@+()]*$';

/** Connection, store and record names. */
export const Name = Type.String({
  minLength: 1,
  maxLength: 128,
  pattern: NAME_PATTERN,
  description: 'Unique name, compared without regard to case.',
  'x-trim': true,
  'x-message':
    'must be 1 to 128 characters: first a letter (A-Z, a-z) or a digit, then letters, digits, space and _ . - @ + ( )',
});

/** Query of a deletion of something that agents may name. */
export const ForceQuery = Type.Object({
  force: Type.Optional(Type.Boolean({ description: 'Delete it even if agents use it' })),
});

/** Of a deletion. */
export const NameReply = named('NameReply', Type.Object({ name: Type.String() }));

export const NameParams = Type.Object({ name: Name });

export const Version = Type.Integer({
  minimum: 1,
  description: 'Condition: the version that this change is based on.',
});

const ROLE = Type.String({ minLength: 1, maxLength: 128 });
const Roles = (right: string) =>
  Type.Array(ROLE, {
    maxItems: MAX_ROLES,
    description: `Existing roles that may ${right}, or *`,
    'x-stored-items': MAX_STORED_ROLES,
    'x-message': TOO_MANY_ROLES,
  });

/** The record ACL as a caller sends it: any subset. */
export const AclInput = named(
  'AclInput',
  Type.Object(
    {
      owner: Type.Optional(Type.String({ minLength: 1, maxLength: 1024 })),
      sharing: Type.Optional(Type.Enum(['user', 'app', 'global'])),
      perms: Type.Optional(
        Type.Object({
          read: Type.Optional(Roles('read')),
          write: Type.Optional(Roles('read and write')),
        }),
      ),
    },
    { description: 'Who may read and write the record; `*` = everyone. Default: only the creator.' },
  ),
);

export const Acl = named(
  'Acl',
  Type.Object({
    owner: Type.String(),
    sharing: Type.Enum(['user', 'app', 'global']),
    perms: Type.Object({ read: Type.Array(Type.String()), write: Type.Array(Type.String()) }),
  }),
);
export type Acl = Static<typeof Acl>;
export type AclInput = Static<typeof AclInput>;

const EpochSeconds = (description: string) =>
  Type.Number({ description: `${description}, epoch seconds with a fraction` });

/** Keys that the server keeps on every record; a write that sends them back is not warned about. */
export const Metadata = {
  version: Type.Integer({ minimum: 1 }),
  created_at: EpochSeconds('When created'),
  created_by: Type.String(),
  last_updated_at: EpochSeconds('When last updated'),
  last_updated_by: Type.String(),
} satisfies TProperties;

/** How a test, or a step that was recorded, went. */
const Outcome = named('Outcome', Type.Enum(['success', 'fail']));

export const LastTest = named(
  'LastTest',
  Type.Object({
    status: Outcome,
    error_code: Type.Union([Type.String(), Type.Null()]),
    tested_at: EpochSeconds('When tested'),
    response_time_ms: Type.Number(),
  }),
);
export type LastTest = Static<typeof LastTest>;

export const SortDirection = (description: string) =>
  named('SortDirection', Type.Enum(['asc', 'desc'], { description }));

/** Also excludes `Infinity`, which passes for an integer. */
const MAX_INTEGER = 2_147_483_647;

/** Query of a list: the platform's own words. */
export function ListQuery<const Keys extends readonly [string, ...string[]], P extends TProperties>(
  sortKeys: Keys,
  extra: P,
) {
  return Type.Object({
    count: Type.Optional(
      Type.Integer({ minimum: 0, maximum: MAX_INTEGER, description: 'Page size; 0 = all. Default 30.' }),
    ),
    offset: Type.Optional(
      Type.Integer({ minimum: 0, maximum: MAX_INTEGER, description: 'Entries to skip. Default 0.' }),
    ),
    sort_key: Type.Optional(
      Type.Enum([...sortKeys] as unknown as [...Keys], { description: `Default ${sortKeys[0]}.` }),
    ),
    sort_dir: Type.Optional(SortDirection('Default asc.')),
    search: Type.Optional(Type.String({ description: 'Case-insensitive part of name, title or description.' })),
    ...extra,
  });
}

export const Pagination = named(
  'Pagination',
  Type.Object({
    offset: Type.Integer(),
    count: Type.Integer(),
    total: Type.Integer(),
    returned: Type.Integer(),
    has_more: Type.Boolean(),
    next_offset: Type.Union([Type.Integer(), Type.Null()]),
  }),
);
export type Pagination = Static<typeof Pagination>;

/** A list; with `name=`, the single form. */
export function ListReply<T extends TSchema>(item: T) {
  const schema = Type.Object({
    result: Type.Optional(Type.Array(item)),
    pagination: Type.Optional(Pagination),
    config: Type.Optional(item),
  });
  return namedAfter(item, 'List', schema);
}

export function ConfigReply<T extends TSchema>(item: T) {
  return namedAfter(item, 'Reply', Type.Object({ config: item }));
}

/** Replies about a thing are called after it. */
function namedAfter<T extends TSchema>(item: TSchema, what: string, schema: T): T {
  const name = nameOf(item);
  return name === undefined ? schema : named(name + what, schema);
}

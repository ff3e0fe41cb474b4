import { type Static, Type } from 'typebox';
import {
  LastTest,
  LONGEST_TEXT,
  Metadata,
  NameOf,
  NOT_A_STRING,
  orEmpty,
  SECRET_RULE,
} from '../../contract/schemas/common.ts';
import { named } from '../../contract/schemas/named.ts';
import { choiceOf, type Field, flag, MAX_VALUE_LENGTH } from './engines/field.ts';
import type { OpenField } from './engines/fields.ts';
import { CONTAINER_TYPES, defaultsOf, ENGINE_KINDS, openFields, secretFields } from './engines/registry.ts';

/** A string; null and '' unset. Numbers and booleans are converted. `x-form` documents the engines' rules. */
const Value = (description: string, form: object = {}, more: object = {}) =>
  Type.Optional(
    Type.Unsafe<string>({
      type: ['string', 'null'],
      maxLength: LONGEST_TEXT,
      description,
      'x-text': true,
      'x-message': NOT_A_STRING,
      'x-form': { type: 'string', ...form },
      ...more,
    }),
  );

const OPEN: Readonly<Record<OpenField, Field>> = openFields(ENGINE_KINDS);
const SECRETS = secretFields(ENGINE_KINDS);
const DEFAULTS = Object.assign({}, ...CONTAINER_TYPES.map((type) => defaultsOf(ENGINE_KINDS[type])));

const eachOf = <K extends string, T, S>(fields: Readonly<Record<K, T>>, make: (field: T, name: string) => S) =>
  Object.fromEntries(Object.entries<T>(fields).map(([name, field]) => [name, make(field, name)])) as Record<K, S>;

function formOf({ form, isLong }: Field, name: string): object {
  const preset = DEFAULTS[name];
  return {
    ...(isLong ? {} : { maxLength: MAX_VALUE_LENGTH }),
    ...(form && 'enum' in form ? choiceOf(form) : {}),
    ...(form && 'pattern' in form ? { pattern: orEmpty(form.pattern) } : {}),
    ...(preset === undefined ? {} : { default: preset }),
  };
}

export const ContainerType = named(
  'ContainerType',
  Type.Enum([...CONTAINER_TYPES], { description: 'The engine of the connection' }),
);

const UniqueName = NameOf('Name of the connection, unique among those of its type without regard to case');

export const ConnectionInput = named(
  'ContainerConnectionInput',
  Type.Object(
    {
      container_type: ContainerType,
      connection_name: UniqueName,
      is_edit: Value(
        "'true' changes the connection of this name, otherwise it is a new one; never stored",
        choiceOf(flag.form),
      ),
      version: Type.Optional(
        Type.Union([Type.Integer({ minimum: 1 }), Type.String({ maxLength: 15, pattern: '^[1-9][0-9]{0,14}$' })], {
          description: 'Condition: the version that this change is based on.',
          'x-message': 'must be a whole number, at least 1',
        }),
      ),
      ...eachOf(OPEN, (field, name) => Value(field.about, formOf(field, name))),
      ...eachOf(SECRETS, (about) => Value(`${about}. ${SECRET_RULE}`, {}, { 'x-secret': true })),
    },
    {
      description:
        'A connection to an engine. With is_edit, what is left out stays (a client that fills in defaults must leave them out then); null or an empty text unsets a field, which then has its default again. Fields of the other engines mean nothing.',
    },
  ),
);
export type ConnectionInput = Static<typeof ConnectionInput>;

export const ReadName = Type.String({ description: 'Name of the connection, as it was written when it was created' });
const ReadText = (description: string) => Type.Optional(Type.String({ description }));

export const ConnectionRecord = named(
  'ContainerConnection',
  Type.Object(
    {
      container_type: ContainerType,
      connection_name: ReadName,
      ...eachOf(OPEN, ({ about }) => ReadText(about)),
      ...eachOf(SECRETS, (about) => ReadText(`${about}; ***MASKED*** when one is stored`)),
      ...Metadata,
      login_host: ReadText(
        'Host of the first login server that the cluster named, for auth_mode user-login; the password goes to no other one',
      ),
      last_test: Type.Optional(LastTest),
    },
    { description: 'A connection to an engine that runs containers; what is not set is absent' },
  ),
);
export type ConnectionRecord = Static<typeof ConnectionRecord>;

export const TypeParams = Type.Object({ container_type: ContainerType });
export const ConnectionParams = Type.Object({ container_type: ContainerType, connection_name: UniqueName });

export const TestedConnection = named(
  'TestedContainerConnection',
  Type.Object(
    {
      container_type: ContainerType,
      connection_name: ReadName,
      last_test: Type.Union([LastTest, Type.Null()], {
        description: 'What its last test found; null if there was none',
      }),
    },
    { description: 'A container connection with its last test alone' },
  ),
);

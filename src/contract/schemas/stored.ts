import { type TSchema, Type } from 'typebox';

/** A field of a stored document that holds JSON text, since the store restricts the names of fields. @param content schema of the value */
export const JsonText = (content: TSchema) => Type.String({ 'x-json': content });

export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

export const StringList = Type.Array(Type.String());

/** An object with any fields. */
export const AnyObject = Type.Object({});

/** Fields of every stored record. */
export const SealedFields = {
  version: Type.Number(),
  created_at: Type.Number(),
  created_by: Type.String(),
  last_updated_at: Type.Number(),
  last_updated_by: Type.String(),
  secret_ref: Nullable(Type.String()),
  secret_fields: StringList,
};

export const StoredAcl = Type.Object({
  owner: Type.String(),
  sharing: Type.Enum(['user', 'app', 'global']),
  perms: Type.Object({ read: StringList, write: StringList }),
});

export const StoredTest = Type.Optional(
  Type.Object({
    status: Type.String(),
    error_code: Nullable(Type.String()),
    tested_at: Type.Number(),
    response_time_ms: Type.Number(),
  }),
);

import { type TSchema, Type } from 'typebox';
import {
  AwsAccessKeyId,
  AwsKeyIdView,
  AwsRegion,
  AwsRoleArn,
  AwsRoleArnView,
  AwsSecretKey,
} from '../../../contract/schemas/awsSchemas.ts';
import { Clearable, Masked, Secret, URL_PATTERN } from '../../../contract/schemas/common.ts';
import type { Fields } from '../../../resources/record/define.ts';
import { optional, required, secret } from '../../../resources/record/fields.ts';
import type { StoreType } from '../names.ts';

const REGION = 'AWS region of the knowledge base';

const clearable = <S extends TSchema>(view: S) => optional(Clearable(view), { view });
const text = (description: string, maxLength: number) => Type.String({ minLength: 1, maxLength, description });
const identifier = (description: string) => text(description, 255);

const EMBEDDING = {
  embedding_model: required(text('Embedding model that you may use: an alias, or connection/model', 512)),
  chunk_tokens: optional(
    Type.Integer({ minimum: 20, maximum: 8000, description: 'Tokens of a passage at most; default 400' }),
  ),
  overlap_tokens: optional(
    Type.Integer({
      minimum: 0,
      maximum: 4000,
      description: 'Tokens that a passage repeats of the last one, fewer than chunk_tokens; default 50',
    }),
  ),
};

const USER = text('Name of the user who reads and writes', 255);
const LOGIN = {
  username: clearable(USER),
  password: secret(Secret({ description: 'Password of the user' }), Masked('Password')),
};

const ca_certificate = clearable(
  Type.String({
    maxLength: 262_144,
    description: 'PEM certificates to trust for this server instead of the default ones',
  }),
);

/** The fields of `details` by the kind of store. */
export const STORE_DETAILS = {
  CLOUD_KB: {
    cloud_region: required(AwsRegion(REGION), { view: Type.String({ description: REGION }) }),
    kb_id: required(
      Type.String({
        maxLength: 10,
        pattern: '^[0-9A-Za-z]{10}$',
        description: 'Id of the knowledge base: 10 letters or digits',
        'x-trim': true,
        'x-message': 'must be 10 letters or digits',
      }),
      { view: Type.String({ description: 'Id of the knowledge base' }) },
    ),
    cloud_access_key_id: optional(AwsAccessKeyId, { view: AwsKeyIdView }),
    cloud_access_key_token: secret(AwsSecretKey, Masked('Secret access key')),
    role_arn: optional(AwsRoleArn, { view: AwsRoleArnView }),
  },
  BUILT_IN: EMBEDDING,
  OPENSEARCH: {
    url: required(
      Type.String({
        maxLength: 2048,
        minLength: 1,
        description: 'Address of OpenSearch or Elasticsearch: http or https, without user name and password',
        'x-form': { maxLength: 2048, pattern: URL_PATTERN },
      }),
    ),
    index: required(identifier('Index that holds the passages; it must exist')),
    vector_field: required(identifier('Field with the vectors')),
    text_field: required(identifier('Field with the texts')),
    id_field: clearable(identifier('Field with the ids of documents; default: the id of the entry')),
    metadata_field: clearable(identifier('Object field with the metadata; default: all other fields at the top')),
    ...LOGIN,
    api_key: secret(Secret({ description: 'API key, in place of user name and password' }), Masked('API key')),
    verify_tls: optional(Type.Boolean({ description: "Whether the server's certificate is verified; default true" })),
    ca_certificate,
    ...EMBEDDING,
  },
  PGVECTOR: {
    host: required(identifier('Host name or address of PostgreSQL')),
    port: optional(Type.Integer({ minimum: 1, maximum: 65_535, description: 'Port of PostgreSQL; default 5432' })),
    database: required(identifier('Name of the database')),
    table: required(identifier('Table that holds the passages, or schema.table; it must exist')),
    // Kinds share the schema of a field: an index may lose its user, a table may not.
    username: required(Clearable(USER), { view: USER, stored: USER }),
    password: LOGIN.password,
    ssl: optional(
      Type.Enum(['verify', 'require', 'off'], {
        description: 'verify (default): TLS with a verified certificate. require: TLS only. off: no TLS.',
      }),
    ),
    ca_certificate,
    id_column: required(identifier('Column with the ids')),
    text_column: required(identifier('Column with the texts')),
    vector_column: required(identifier('Column with the vectors')),
    metadata_column: clearable(identifier('Column with the metadata: json or jsonb')),
    ...EMBEDDING,
  },
} as const satisfies Readonly<Record<StoreType, Fields>>;

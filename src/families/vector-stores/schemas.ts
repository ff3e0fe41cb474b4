import { type Static, Type } from 'typebox';
import { AwsAccessKeyId, AwsRegion, AwsRoleArn, AwsSecretKey } from '../../contract/awsSchemas.ts';
import { Acl, AclInput, Clearable, LastTest, Metadata, Name, Version } from '../../contract/common.ts';
import { named } from '../../contract/named.ts';

const StoreType = Type.Enum(['CLOUD_KB'], { description: 'CLOUD_KB: a knowledge base of Amazon Bedrock' });

const Region = AwsRegion('AWS region of the knowledge base');
const KnowledgeBaseId = Type.String({
  maxLength: 10,
  pattern: '^[0-9A-Za-z]{10}$',
  description: 'Identifier of the knowledge base',
  'x-trim': true,
  'x-message': 'must be 10 letters or digits',
});

const credentials = {
  cloud_access_key_id: AwsAccessKeyId,
  cloud_access_key_token: AwsSecretKey,
  role_arn: AwsRoleArn,
};

const DetailsCreate = named(
  'VectorStoreDetailsCreate',
  Type.Object({ cloud_region: Region, kb_id: KnowledgeBaseId, ...credentials }),
);
const DetailsUpdate = named(
  'VectorStoreDetailsUpdate',
  Type.Object({
    cloud_region: Type.Optional(Region),
    kb_id: Type.Optional(KnowledgeBaseId),
    ...credentials,
  }),
);

const optionalInput = {
  description: Type.Optional(Clearable(Type.String({ maxLength: 4096 }))),
  acl: Type.Optional(AclInput),
};

export const VectorStoreCreate = named(
  'VectorStoreCreate',
  Type.Object({
    name: Name,
    type: StoreType,
    details: DetailsCreate,
    ...optionalInput,
  }),
);

export const VectorStoreUpdate = named(
  'VectorStoreUpdate',
  Type.Object({
    name: Name,
    type: Type.Optional(StoreType),
    details: Type.Optional(DetailsUpdate),
    ...optionalInput,
    version: Type.Optional(Version),
  }),
);

/** `{name}` tests the saved record; details (with or without name) test what is given. */
export const VectorStoreTestInput = named(
  'VectorStoreTest',
  Type.Object({
    name: Type.Optional(Name),
    type: Type.Optional(StoreType),
    details: Type.Optional(DetailsUpdate),
    query: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1000,
        description: 'Also retrieve passages for this text',
        'x-trim': true,
      }),
    ),
  }),
);

export const VectorStoreRecord = named(
  'VectorStore',
  Type.Object({
    name: Type.String(),
    type: StoreType,
    description: Type.String(),
    details: Type.Object({
      cloud_access_key_id: Type.Optional(Type.String()),
      cloud_access_key_token: Type.Optional(
        Type.String({ description: 'Secret access key: ***MASKED*** when one is stored' }),
      ),
      role_arn: Type.Optional(Type.String()),
      cloud_region: Type.String(),
      kb_id: Type.String(),
    }),
    acl: Acl,
    ...Metadata,
    last_test: Type.Optional(LastTest),
  }),
);

const Step = named(
  'VectorStoreTestStep',
  Type.Object({
    step: Type.Enum(['assume_role', 'get_knowledge_base', 'retrieve']),
    status: Type.Enum(['success', 'fail', 'skipped']),
    error_code: Type.Optional(Type.String()),
    ms: Type.Number(),
  }),
);

export const VectorStoreTestReply = named(
  'VectorStoreTestReply',
  Type.Object({
    success: Type.Boolean(),
    data: Type.Object({
      name: Type.Union([Type.String(), Type.Null()]),
      type: StoreType,
      kb_id: Type.String(),
      region: Type.String(),
      knowledge_base_status: Type.Union([Type.String(), Type.Null()], { description: 'ACTIVE, CREATING, FAILED …' }),
      knowledge_base_name: Type.Optional(Type.String()),
      response_time_ms: Type.Number(),
      reachable: Type.Boolean({ description: 'AWS answered' }),
      authenticated: Type.Boolean({ description: 'AWS accepted the credentials' }),
      steps: Type.Array(Step),
    }),
  }),
);

export type VectorStoreCreate = Static<typeof VectorStoreCreate>;
export type VectorStoreUpdate = Static<typeof VectorStoreUpdate>;
export type VectorStoreTestInput = Static<typeof VectorStoreTestInput>;
export type VectorStoreRecord = Static<typeof VectorStoreRecord>;
export type VectorStoreTestReply = Static<typeof VectorStoreTestReply>;

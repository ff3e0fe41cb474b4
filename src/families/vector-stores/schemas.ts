import { type Static, Type } from 'typebox';
import {
  AwsAccessKeyId,
  AwsKeyIdView,
  AwsRegion,
  AwsRoleArn,
  AwsRoleArnView,
  AwsSecretKey,
} from '../../contract/schemas/awsSchemas.ts';
import {
  Acl,
  AclInput,
  Clearable,
  LastTest,
  Masked,
  Metadata,
  Name,
  NameOf,
  Version,
} from '../../contract/schemas/common.ts';
import { named } from '../../contract/schemas/named.ts';

const StoreType = Type.Enum(['CLOUD_KB'], { description: 'CLOUD_KB: a knowledge base of Amazon Bedrock' });
const ABOUT_DETAILS = { description: 'Which knowledge base it is, and how AWS is called' };
const DESCRIPTION = 'What the store is for, in free text';

const REGION = 'AWS region of the knowledge base';
const Region = AwsRegion(REGION);
const KnowledgeBaseId = Type.String({
  maxLength: 10,
  pattern: '^[0-9A-Za-z]{10}$',
  description: 'Id that AWS gave the knowledge base: 10 letters or digits',
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
  Type.Object({ cloud_region: Region, kb_id: KnowledgeBaseId, ...credentials }, ABOUT_DETAILS),
);
const DetailsUpdate = named(
  'VectorStoreDetailsUpdate',
  Type.Object(
    { cloud_region: Type.Optional(Region), kb_id: Type.Optional(KnowledgeBaseId), ...credentials },
    { description: `${ABOUT_DETAILS.description}. What is left out stays, or is taken from the saved store.` },
  ),
);

const optionalInput = {
  description: Type.Optional(
    Clearable(Type.String({ maxLength: 4096, description: `${DESCRIPTION}; null empties it` })),
  ),
  acl: Type.Optional(AclInput),
};

export const VectorStoreCreate = named(
  'VectorStoreCreate',
  Type.Object(
    { name: Name, type: StoreType, details: DetailsCreate, ...optionalInput },
    { description: 'A new vector store connection' },
  ),
);

export const VectorStoreUpdate = named(
  'VectorStoreUpdate',
  Type.Object(
    {
      name: Name,
      type: Type.Optional(StoreType),
      details: Type.Optional(DetailsUpdate),
      ...optionalInput,
      version: Type.Optional(Version),
    },
    { description: 'A change of the vector store of this name; what is left out stays' },
  ),
);

/** `{name}` tests the saved record; details (with or without name) test what is given. */
export const VectorStoreTestInput = named(
  'VectorStoreTest',
  Type.Object(
    {
      name: Type.Optional(NameOf('Name of the saved store')),
      type: Type.Optional(StoreType),
      details: Type.Optional(DetailsUpdate),
      query: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 1000,
          description: 'Also retrieve passages for this text; left out, the knowledge base is only asked for its state',
          'x-trim': true,
        }),
      ),
    },
    {
      description:
        'What to contact: name without details means the saved store; details are tried as given, with a masked or absent secret from the saved store if there is a name too',
    },
  ),
);

export const VectorStoreRecord = named(
  'VectorStore',
  Type.Object(
    {
      name: Type.String({ description: 'Name of the store, as it was written when it was created' }),
      type: StoreType,
      description: Type.String({ description: DESCRIPTION }),
      details: Type.Object(
        {
          cloud_access_key_id: Type.Optional(AwsKeyIdView),
          cloud_access_key_token: Type.Optional(Masked('Secret access key')),
          role_arn: Type.Optional(AwsRoleArnView),
          cloud_region: Type.String({ description: REGION }),
          kb_id: Type.String({ description: 'Id that AWS gave the knowledge base' }),
        },
        ABOUT_DETAILS,
      ),
      acl: Acl,
      ...Metadata,
      last_test: Type.Optional(LastTest),
    },
    { description: 'A connection to a store of documents that agents may search' },
  ),
);

const Step = named(
  'VectorStoreTestStep',
  Type.Object(
    {
      step: Type.Enum(['assume_role', 'get_knowledge_base', 'retrieve'], {
        description:
          'assume_role: taking on role_arn. get_knowledge_base: asking for its state. retrieve: searching it with query.',
      }),
      status: Type.Enum(['success', 'fail', 'skipped'], {
        description: 'skipped: it was not asked for, or a step before it failed',
      }),
      error_code: Type.Optional(Type.String({ description: 'Why the step failed; absent if it did not' })),
      ms: Type.Number({ description: 'Milliseconds that the step took; 0 if it was skipped' }),
    },
    { description: 'One call to AWS that a test makes' },
  ),
);

export const VectorStoreTestReply = named(
  'VectorStoreTestReply',
  Type.Object(
    {
      success: Type.Boolean({ description: 'Whether the knowledge base can be used' }),
      data: Type.Object(
        {
          name: Type.Union([Type.String(), Type.Null()], {
            description: 'Name of the saved store; null if details were given',
          }),
          type: StoreType,
          kb_id: Type.String({ description: 'Id of the knowledge base that was asked for' }),
          region: Type.String({ description: 'AWS region in which it was asked for' }),
          knowledge_base_status: Type.Union([Type.String(), Type.Null()], {
            description: "State of the knowledge base in AWS's own word (ACTIVE, CREATING, FAILED …); null if unknown",
          }),
          knowledge_base_name: Type.Optional(Type.String({ description: 'Name that the knowledge base has in AWS' })),
          response_time_ms: Type.Number({ description: 'Milliseconds that all steps took together' }),
          reachable: Type.Boolean({ description: 'AWS answered' }),
          authenticated: Type.Boolean({ description: 'AWS accepted the credentials' }),
          steps: Type.Array(Step, { description: 'All steps of the test in their order' }),
        },
        { description: 'What was contacted, and how far that came' },
      ),
    },
    { description: 'What a test of a vector store found' },
  ),
);

export type VectorStoreCreate = Static<typeof VectorStoreCreate>;
export type VectorStoreUpdate = Static<typeof VectorStoreUpdate>;
export type VectorStoreTestInput = Static<typeof VectorStoreTestInput>;
export type VectorStoreRecord = Static<typeof VectorStoreRecord>;
export type VectorStoreTestReply = Static<typeof VectorStoreTestReply>;

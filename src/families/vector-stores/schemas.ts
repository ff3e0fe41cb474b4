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
  DescriptionInput,
  LastTest,
  Masked,
  Metadata,
  Name,
  NameOf,
  Version,
} from '../../contract/schemas/common.ts';
import { named } from '../../contract/schemas/named.ts';
import { STORE_TYPES } from './names.ts';

const StoreType = Type.Enum([...STORE_TYPES], { description: 'CLOUD_KB: a knowledge base of Amazon Bedrock' });
const ABOUT_DETAILS = { description: 'Knowledge base and AWS credentials' };
const DESCRIPTION = 'Purpose of the store';

const REGION = 'AWS region of the knowledge base';
const Region = AwsRegion(REGION);
const KnowledgeBaseId = Type.String({
  maxLength: 10,
  pattern: '^[0-9A-Za-z]{10}$',
  description: 'Id of the knowledge base: 10 letters or digits',
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
    { description: `${ABOUT_DETAILS.description}. Omitted fields keep the value of the saved store.` },
  ),
);

const optionalInput = {
  description: DescriptionInput(DESCRIPTION),
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
    { description: 'A change of the vector store of this name; omitted fields stay' },
  ),
);

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
          description: 'Also retrieve passages for this text; default: only read the state of the knowledge base',
          'x-trim': true,
        }),
      ),
    },
    {
      description:
        'Knowledge base to contact: name alone means the saved store. Details are tested as submitted; with a name, a masked or absent secret comes from the saved store.',
    },
  ),
);

export const VectorStoreRecord = named(
  'VectorStore',
  Type.Object(
    {
      name: Type.String({ description: 'Name of the store, as created' }),
      type: StoreType,
      description: Type.String({ description: DESCRIPTION }),
      details: Type.Object(
        {
          cloud_access_key_id: Type.Optional(AwsKeyIdView),
          cloud_access_key_token: Type.Optional(Masked('Secret access key')),
          role_arn: Type.Optional(AwsRoleArnView),
          cloud_region: Type.String({ description: REGION }),
          kb_id: Type.String({ description: 'Id of the knowledge base' }),
        },
        ABOUT_DETAILS,
      ),
      acl: Acl,
      ...Metadata,
      last_test: Type.Optional(LastTest),
    },
    { description: 'A connection to a document store that agents can search' },
  ),
);

const Step = named(
  'VectorStoreTestStep',
  Type.Object(
    {
      step: Type.Enum(['assume_role', 'get_knowledge_base', 'retrieve'], {
        description:
          'assume_role: assume role_arn. get_knowledge_base: read its state. retrieve: search it with query.',
      }),
      status: Type.Enum(['success', 'fail', 'skipped'], {
        description: 'skipped: not requested, or an earlier step failed',
      }),
      error_code: Type.Optional(Type.String({ description: 'Code of a failed step' })),
      ms: Type.Number({ description: 'Duration in milliseconds; 0 if skipped' }),
    },
    { description: 'One AWS call of a test' },
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
            description: 'Name of the saved store; null for submitted details',
          }),
          type: StoreType,
          kb_id: Type.String({ description: 'Id of the knowledge base' }),
          region: Type.String({ description: 'AWS region' }),
          knowledge_base_status: Type.Union([Type.String(), Type.Null()], {
            description: 'State of the knowledge base in AWS (ACTIVE, CREATING, FAILED …); null if unknown',
          }),
          knowledge_base_name: Type.Optional(Type.String({ description: 'Name of the knowledge base in AWS' })),
          response_time_ms: Type.Number({ description: 'Duration of all steps in milliseconds' }),
          reachable: Type.Boolean({ description: 'AWS answered' }),
          authenticated: Type.Boolean({ description: 'AWS accepted the credentials' }),
          steps: Type.Array(Step, { description: 'Steps of the test, in order' }),
        },
        { description: 'Knowledge base and result of the contact' },
      ),
    },
    { description: 'Result of a test of a vector store' },
  ),
);

export type VectorStoreCreate = Static<typeof VectorStoreCreate>;
export type VectorStoreUpdate = Static<typeof VectorStoreUpdate>;
export type VectorStoreTestInput = Static<typeof VectorStoreTestInput>;
export type VectorStoreRecord = Static<typeof VectorStoreRecord>;
export type VectorStoreTestReply = Static<typeof VectorStoreTestReply>;

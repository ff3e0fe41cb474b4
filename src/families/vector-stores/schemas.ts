import { type Static, Type } from 'typebox';
import { NameOf } from '../../contract/schemas/common.ts';
import { named } from '../../contract/schemas/named.ts';
import { schemasOf } from '../../resources/record/define.ts';
import { StoreType, vectorStore } from './definition.ts';

export const VectorStoreTestInput = named(
  'VectorStoreTest',
  Type.Object(
    {
      name: Type.Optional(NameOf('Name of the saved store')),
      ...schemasOf(vectorStore.fields, 'test'),
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

const Step = named(
  'VectorStoreTestStep',
  Type.Object(
    {
      step: Type.Enum(['assume_role', 'get_knowledge_base', 'retrieve'], {
        description:
          'assume_role: assume role_arn (CLOUD_KB). get_knowledge_base: read its state. retrieve: search it with query.',
      }),
      status: Type.Enum(['success', 'fail', 'skipped'], {
        description: 'skipped: not requested, or an earlier step failed',
      }),
      error_code: Type.Optional(Type.String({ description: 'Code of a failed step' })),
      ms: Type.Number({ description: 'Duration in milliseconds; 0 if skipped' }),
    },
    { description: 'One step of a test' },
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
          kb_id: Type.Optional(Type.String({ description: 'Id of the knowledge base (CLOUD_KB)' })),
          region: Type.Optional(Type.String({ description: 'AWS region (CLOUD_KB)' })),
          knowledge_base_status: Type.Optional(
            Type.Union([Type.String(), Type.Null()], {
              description: 'State of the knowledge base in AWS (ACTIVE, CREATING, FAILED …; CLOUD_KB); null if unknown',
            }),
          ),
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

export type VectorStoreUpdate = Static<typeof vectorStore.update>;
export type VectorStoreRecord = Static<typeof vectorStore.record>;
export type VectorStoreTestReply = Static<typeof VectorStoreTestReply>;

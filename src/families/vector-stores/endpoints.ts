import { EDIT_VECTOR_STORES as write } from '../../contract/capabilities.ts';
import { SECRET_FAULTS } from '../../contract/codes/faults.ts';
import { endpoints } from '../../contract/rows/endpoint.ts';
import { CONNECTION_WRITES, crudRows } from '../../resources/crud/rows.ts';
import { vectorStore } from './definition.ts';
import { OPERATIONS } from './records.ts';
import { VectorStoreTestInput, VectorStoreTestReply } from './schemas.ts';

/** Codes of a reference to an embedding model. */
const MODEL_FAULTS = ['unknown_reference', 'ambiguous_reference'] as const;

export const vectorStores = endpoints({
  ...crudRows({
    ...OPERATIONS,
    path: '/ml/vector_stores',
    ...vectorStore,
    write,
    writes: {
      ...CONNECTION_WRITES,
      createFaults: [...CONNECTION_WRITES.createFaults, ...MODEL_FAULTS],
      // Passages depend on some fields, which stay while there are some.
      updateFaults: [...CONNECTION_WRITES.updateFaults, ...MODEL_FAULTS, 'invalid_state'],
    },
    summaries: {
      list: 'Vector stores the caller may read; with name=, one of them.',
      get: 'One vector store.',
      create: 'Create a vector store connection.',
      update: 'Change a vector store: name and any subset of its fields.',
      delete: 'Delete a vector store and its secret; documents go with a store in the platform, elsewhere they stay.',
    },
  }),
  testVectorStore: {
    method: 'POST',
    path: '/ml/vector_stores/test',
    audit: { action: 'test', name: ['body.name'] },
    summary: 'Contact the knowledge base of a saved or given vector store; only last_test is written.',
    ...write,
    body: VectorStoreTestInput,
    reply: VectorStoreTestReply,
    answersFailure: true,
    faults: ['not_found', 'acl_denied', 'invalid_state', ...SECRET_FAULTS],
  },
});

import { EDIT_VECTOR_STORES as write } from '../../contract/capabilities.ts';
import { SECRET_FAULTS } from '../../contract/codes/faults.ts';
import { endpoints } from '../../contract/rows/endpoint.ts';
import {
  ConfigReply,
  ForceQuery,
  ListQuery,
  ListReply,
  NameParams,
  NameReply,
  OneByName,
  VerifyQuery,
} from '../../contract/schemas/common.ts';
import { SORT_KEYS } from './records.ts';
import {
  VectorStoreCreate,
  VectorStoreRecord,
  VectorStoreTestInput,
  VectorStoreTestReply,
  VectorStoreUpdate,
} from './schemas.ts';

export const vectorStores = endpoints({
  listVectorStores: {
    method: 'GET',
    path: '/ml/vector_stores',
    summary: 'Vector stores the caller may read; with name=, one of them.',
    gate: 'session',
    query: ListQuery(SORT_KEYS, { name: OneByName }),
    reply: ListReply(VectorStoreRecord),
    faults: ['not_found'],
  },
  getVectorStore: {
    method: 'GET',
    path: '/ml/vector_stores/{name}',
    summary: 'One vector store.',
    gate: 'session',
    params: NameParams,
    reply: ConfigReply(VectorStoreRecord),
    faults: ['not_found'],
    addition: true,
  },
  createVectorStore: {
    method: 'POST',
    path: '/ml/vector_stores',
    audit: { action: 'create', name: ['body.name'] },
    summary: 'Create a vector store connection.',
    ...write,
    query: VerifyQuery,
    body: VectorStoreCreate,
    reply: ConfigReply(VectorStoreRecord),
    faults: ['duplicate_name', 'acl_denied', 'masked_value_without_stored_secret', 'verification_refused'],
  },
  updateVectorStore: {
    method: 'PUT',
    path: '/ml/vector_stores',
    audit: { action: 'update', name: ['body.name'] },
    summary: 'Change a vector store: name and any subset of its fields.',
    ...write,
    query: VerifyQuery,
    body: VectorStoreUpdate,
    conditional: true,
    reply: ConfigReply(VectorStoreRecord),
    faults: ['not_found', 'acl_denied', 'version_conflict', 'verification_refused', ...SECRET_FAULTS],
  },
  deleteVectorStore: {
    method: 'DELETE',
    path: '/ml/vector_stores/{name}',
    audit: { action: 'delete', name: ['params.name'] },
    summary: 'Delete a vector store connection and its secret; the knowledge base itself stays.',
    ...write,
    params: NameParams,
    query: ForceQuery,
    conditional: true,
    reply: NameReply,
    faults: ['not_found', 'acl_denied', 'version_conflict', 'in_use'],
  },
  testVectorStore: {
    method: 'POST',
    path: '/ml/vector_stores/test',
    audit: { action: 'test', name: ['body.name'] },
    summary: 'Contact the knowledge base of a saved or given vector store; only last_test is written.',
    ...write,
    body: VectorStoreTestInput,
    reply: VectorStoreTestReply,
    answersFailure: true,
    faults: ['not_found', 'acl_denied', ...SECRET_FAULTS],
  },
});

import { Type } from 'typebox';
import { Name } from '../../contract/schemas/common.ts';
import { defineRecord, type StoredOf } from '../../resources/record/define.ts';
import {
  accessList,
  defaulted,
  descriptionField,
  lastTestField,
  nameField,
  sorted,
  tested,
} from '../../resources/record/fields.ts';
import { byKind, group, requiredGroup, type StoredByKind } from '../../resources/record/groups.ts';
import { STORE_DETAILS } from './kinds/details.ts';
import { DEFAULT_TYPE, STORE_TYPES } from './names.ts';

export const StoreType = Type.Enum([...STORE_TYPES], {
  description:
    'CLOUD_KB: a knowledge base of Amazon Bedrock. BUILT_IN: in the platform. OPENSEARCH: an index of OpenSearch or Elasticsearch. PGVECTOR: a table of PostgreSQL with pgvector.',
});

const ABOUT_DETAILS = 'Where the store is, its credentials and its embedding model';
const input = {
  name: 'VectorStoreDetailsInput',
  description: `${ABOUT_DETAILS}. Fields that an update omits keep the value of the saved store.`,
};
const details = group(byKind(STORE_DETAILS), {
  create: input,
  update: input,
  view: { description: ABOUT_DETAILS },
});

export const vectorStore = defineRecord(
  'VectorStore',
  {
    name: nameField(Name, 'Name of the store, as created'),
    // A type of a newer version has no code here.
    type: tested(sorted(defaulted(StoreType, DEFAULT_TYPE, { stored: Type.Enum([...STORE_TYPES]), merge: 'fixed' }))),
    description: descriptionField('Purpose of the store'),
    details: tested(requiredGroup(details)),
    ...accessList,
    ...lastTestField,
  },
  {
    create: 'A new vector store connection',
    update: 'A change of the vector store of this name; omitted fields stay',
    record: 'A connection to a document store that agents can search',
  },
);

type StoredFields = StoredOf<typeof vectorStore>;

/** Stored stores: a union by type. */
export type StoreStored = {
  [Kind in keyof typeof STORE_DETAILS]: Omit<StoredFields, 'type' | 'details'> & {
    type: Kind;
    details: StoredByKind<typeof STORE_DETAILS>[Kind];
  };
}[keyof typeof STORE_DETAILS];

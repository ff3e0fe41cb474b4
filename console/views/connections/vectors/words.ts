import type { VectorStore } from '../../../../client/src/index.ts';
import type { UrlChanges } from '../../../app/url.ts';

type StoreType = VectorStore['type'];

/** In the order in which a new store offers them. */
export const TYPES: Readonly<Record<StoreType, string>> = {
  BUILT_IN: 'In the platform',
  OPENSEARCH: 'OpenSearch or Elasticsearch',
  PGVECTOR: 'PostgreSQL with pgvector',
  CLOUD_KB: 'Amazon Bedrock knowledge base',
};

/** Where the passages are. */
export function placeOf({ type, details }: VectorStore): string | undefined {
  const { kb_id, cloud_region, url, index, host, database, table } = details;
  if (type === 'CLOUD_KB') return `${kb_id} (${cloud_region})`;
  if (type === 'OPENSEARCH') return `${url} ${index}`;
  return type === 'PGVECTOR' ? `${host}/${database} ${table}` : undefined;
}

/** The fate of everything in a store that is deleted. */
export const GONE: Readonly<Record<StoreType, string>> = {
  BUILT_IN: 'Its documents are deleted, too. This cannot be undone.',
  OPENSEARCH: 'The stored credentials are deleted; the index stays. This cannot be undone.',
  PGVECTOR: 'The stored password is deleted; the table stays. This cannot be undone.',
  CLOUD_KB: 'The stored key is deleted; the knowledge base stays. This cannot be undone.',
};

/** Whether documents can be written into stores of this type. */
export const takesDocuments = ({ type }: VectorStore): boolean => type !== 'CLOUD_KB';

/** The page with the documents of a store, or with all stores: both lists have the same keys in the address. */
export const ofDocuments = (store: string | undefined): UrlChanges => ({
  ...{ documents: store, name: undefined, q: undefined, sort: undefined, dir: undefined, page: undefined },
});

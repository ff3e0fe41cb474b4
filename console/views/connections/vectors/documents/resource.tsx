import Checkbox from '@splunk/react-ui/Checkbox';
import type { ReactNode } from 'react';
import type { Acl, StoreDocument, VectorStore } from '../../../../../client/src/index.ts';
import { ml } from '../../../../api/client.ts';
import type { Resource } from '../../../../parts/panel/resource.ts';
import { formatCount, shortened } from '../../../../parts/text/format.ts';
import { Time } from '../../../../parts/text/Time.tsx';

/** A document has the access list of its store. */
type ListedDocument = StoreDocument & { acl: Acl };

interface Choice {
  chosen: ReadonlySet<string>;
  toggle(id: string): void;
}

const LONGEST_CELL = 120;
/** Documents of one request. */
const MOST_IDS = 500;
const MOST_LISTED = 100;

/** First part of the query keys. */
export const documentsKey = (store: string): string => `documents of ${store}`;

const words = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
const metadataWords = ({ metadata }: StoreDocument): string =>
  Object.entries(metadata)
    .map(([key, value]) => `${key}: ${words(value)}`)
    .join(', ');

/** @returns how many there were */
export async function deleteDocuments(store: string, ids: readonly string[] | 'all'): Promise<number> {
  if (ids === 'all') return (await ml.call('deleteDocuments', { body: { store, all: true } })).deleted;
  let deleted = 0;
  for (let start = 0; start < ids.length; start += MOST_IDS) {
    const reply = await ml.call('deleteDocuments', { body: { store, ids: ids.slice(start, start + MOST_IDS) } });
    deleted += reply.deleted;
  }
  return deleted;
}

/** The documents of a store as a list with panels. */
export function documentsOf(
  store: VectorStore,
  { chosen, toggle }: Choice,
  buttons: ReactNode,
): Resource<ListedDocument> {
  const { name, acl } = store;
  const listed = (document: StoreDocument): ListedDocument => ({ ...document, acl });
  return {
    key: documentsKey(name),
    one: 'document',
    many: 'documents',
    about: 'Upload text and Markdown files, paste a text, or write documents with the search command mlindex.',
    sortedBy: { key: 'id', dir: 'asc' },
    nameOf: ({ id }) => id,
    async list(query, signal) {
      const { result = [], pagination } = await ml.call(
        'listDocuments',
        { query: { ...query, store: name } as never },
        { signal },
      );
      return { items: result.map(listed), total: pagination?.total ?? result.length };
    },
    async read(id, signal) {
      const query = { store: name, search: id, count: MOST_LISTED };
      const { result = [] } = await ml.call('listDocuments', { query }, { signal });
      const document = result.find((entry) => entry.id === id);
      return document ? listed(document) : null;
    },
    columns: [
      { label: 'Document', sort: 'id', cell: ({ id }) => id },
      {
        label: 'Select',
        width: 80,
        cell: ({ id }) => <Checkbox checked={chosen.has(id)} aria-label={`Select ${id}`} onChange={() => toggle(id)} />,
      },
      { label: 'Passages', cell: ({ passages }) => formatCount(passages) },
      { label: 'Metadata', cell: (document) => shortened(metadataWords(document), LONGEST_CELL) },
      { label: 'Written', sort: 'updated_at', cell: ({ updated_at }) => <Time at={updated_at} /> },
    ],
    facts: ({ passages, metadata, updated_at }) => [
      {
        rows: [
          ['Passages', formatCount(passages)],
          ['Written', <Time key="time" at={updated_at} />],
        ],
      },
      { title: 'Metadata', rows: Object.entries(metadata).map(([key, value]) => [key, words(value)] as const) },
    ],
    remove: {
      operation: 'deleteDocuments',
      canForce: false,
      ask: () => 'Its passages are not found any more. This cannot be undone.',
      perform: ({ id }) => deleteDocuments(name, [id]),
    },
    newButton: buttons,
  };
}

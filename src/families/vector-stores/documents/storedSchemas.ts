import { Type } from 'typebox';
import { AnyObject, JsonText } from '../../../contract/schemas/stored.ts';

const Text = Type.String();
const Count = Type.Number();
/** Start, end and context of a passage. */
const Span = Type.Union([Type.Tuple([Count, Count]), Type.Tuple([Count, Count, Text])]);
const BODY = { text: Text, at: Count, spans: JsonText(Type.Array(Span)), vectors: Text };

/** A document of a store, with its text and vectors where the platform keeps them. */
const StoredEntry = Type.Object({
  store: Text,
  id: Text,
  change: Count,
  state: Type.Enum(['stored', 'begun', 'removed']),
  passages: Count,
  begun: Type.Optional(Count),
  metadata: JsonText(AnyObject),
  updated_at: Count,
  bytes: Count,
  parts: Type.Optional(Count),
  text: Type.Optional(BODY.text),
  at: Type.Optional(BODY.at),
  spans: Type.Optional(BODY.spans),
  vectors: Type.Optional(BODY.vectors),
});

/** A further part of a long document. */
const StoredPart = Type.Object({ store: Text, document: Text, change: Count, ...BODY });

const StoredStoreState = Type.Object({
  uid: Text,
  record_created: Count,
  place: Type.Optional(Text),
  change: Count,
  floor: Count,
  passages: Count,
  dimensions: Count,
  changed_at: Count,
  purged_at: Count,
  former: Type.Optional(Text),
});

const FAMILY = 'vector-stores' as const;

/** Rows of the collections, for the table. */
export const documentCollections = {
  ml_document_stores: {
    holds: 'How far the lists of documents of vector stores have been written',
    stored: { family: FAMILY, schema: StoredStoreState },
  },
  ml_documents: {
    holds: 'Documents that the app wrote into vector stores; those of stores in the platform with text and vectors',
    accelerated: [
      // All that a member reads to see what has changed.
      ['store', 'change', 'state', 'bytes', 'passages'],
      ['store', 'id'],
      ['store', 'updated_at'],
    ],
    stored: { family: FAMILY, schema: StoredEntry, isSearched: false },
  },
  ml_document_parts: {
    holds: 'Further parts of long documents of stores in the platform',
    accelerated: [['store'], ['document', 'change']],
    stored: { family: FAMILY, schema: StoredPart, isSearched: false },
  },
} as const;

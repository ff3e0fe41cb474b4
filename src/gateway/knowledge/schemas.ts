import { Type } from 'typebox';
import { ListQuery, NameOf, Page, Pagination } from '../../contract/schemas/common.ts';
import { named } from '../../contract/schemas/named.ts';
import { MaskedFacts } from '../masking/schemas.ts';

const STORE = 'Name of a vector store that you may change';
const MAX_DOCUMENTS = 500;
const DocumentId = (description: string) => Type.String({ minLength: 1, maxLength: 256, description });
const Metadata = Type.Record(Type.String({ minLength: 1, maxLength: 100 }), Type.Unknown(), {
  description: 'Facts to filter by: texts, numbers, true, false, or lists of these; at most 16 KB',
});

export const IndexBody = named(
  'IndexRequest',
  Type.Object(
    {
      store: NameOf(STORE),
      documents: Type.Array(
        Type.Object(
          {
            id: DocumentId('Id of the document; what the store has under it is replaced'),
            text: Type.String({ minLength: 1, maxLength: 1_000_000, description: 'Text of the document' }),
            metadata: Type.Optional(Metadata),
          },
          { description: 'A document' },
        ),
        { minItems: 1, maxItems: MAX_DOCUMENTS, description: 'Documents, each with another id' },
      ),
    },
    { description: 'Documents to write into a vector store' },
  ),
);

export const IndexReply = named(
  'IndexResult',
  Type.Object(
    {
      indexed: Type.Integer({ description: 'Documents written' }),
      passages: Type.Integer({ description: 'Passages of these documents' }),
      failed: Type.Array(
        Type.Object(
          {
            id: Type.String({ description: 'Id of the document, which stays as it was' }),
            error_code: Type.String({ description: 'Code of the failure' }),
            message: Type.String({ description: 'What happened and what to do' }),
          },
          { description: 'A document that was not written' },
        ),
        { description: 'Documents that failed by themselves' },
      ),
      usage: Type.Object(
        {
          prompt_tokens: Type.Integer({ description: 'Tokens of the texts that were embedded' }),
          total_tokens: Type.Integer({ description: 'The same' }),
          cost: Type.Optional(Type.Number({ description: 'US dollars; absent without a price' })),
        },
        { description: 'Use of the embedding model' },
      ),
      ml: MaskedFacts,
    },
    { description: 'What was written' },
  ),
);

export const DeleteDocumentsBody = named(
  'DeleteDocumentsRequest',
  Type.Object(
    {
      store: NameOf(STORE),
      ids: Type.Optional(
        Type.Array(DocumentId('Id of a document'), {
          minItems: 1,
          maxItems: MAX_DOCUMENTS,
          description: 'Documents to delete',
        }),
      ),
      all: Type.Optional(Type.Literal(true, { description: 'Delete all documents, in place of ids' })),
    },
    { description: 'Documents to delete: ids, or all' },
  ),
);

export const DeleteDocumentsReply = named(
  'DeleteDocumentsResult',
  Type.Object({ deleted: Type.Integer({ description: 'Documents deleted' }) }, { description: 'What was deleted' }),
);

export const DocumentListQuery = Type.Object({
  store: NameOf(STORE),
  ...ListQuery(['id', 'updated_at'], {}).properties,
});

export const DocumentListReply = named(
  'DocumentListReply',
  Type.Object(
    {
      result: Page(
        named(
          'StoreDocument',
          Type.Object(
            {
              id: Type.String({ description: 'Id of the document' }),
              passages: Type.Integer({ description: 'Passages of the document' }),
              metadata: Type.Record(Type.String(), Type.Unknown(), { description: 'Metadata of the document' }),
              updated_at: Type.Number({ description: 'When it was written, in epoch seconds' }),
            },
            { description: 'A document of a vector store' },
          ),
        ),
      ),
      pagination: Pagination,
    },
    { description: 'A page of documents' },
  ),
);

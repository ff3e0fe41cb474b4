import type { Examples } from './exampleTypes.ts';

const SEARCH_TOOL = 'errors_of_host';

type SearchToolRows =
  | 'listSearchTools'
  | 'getSearchTool'
  | 'createSearchTool'
  | 'updateSearchTool'
  | 'deleteSearchTool'
  | 'testSearchTool'
  | 'callSearchTool';

export const SEARCH_TOOL_EXAMPLES: Pick<Examples, SearchToolRows> = {
  listSearchTools: { query: { count: 30, offset: 0, search: 'errors' } },
  getSearchTool: { params: { name: SEARCH_TOOL } },
  createSearchTool: {
    body: {
      name: SEARCH_TOOL,
      description: 'Errors of one host, by source type',
      search: 'search index=main host="$host$" log_level=ERROR | stats count by sourcetype',
      arguments: [{ name: 'host', type: 'string', description: 'Name of the host' }],
      earliest: '-4h',
      acl: { sharing: 'app', perms: { read: ['*'], write: [] } },
    },
  },
  updateSearchTool: { body: { name: SEARCH_TOOL, earliest: '-24h', version: 1 } },
  deleteSearchTool: { params: { name: SEARCH_TOOL } },
  callSearchTool: { body: { tool: SEARCH_TOOL, arguments: { host: 'web-1' } } },
  testSearchTool: { body: { name: SEARCH_TOOL, values: { host: 'web-1' } } },
};

const MANUALS = 'Manuals';

/** Documents of a vector store. */
export const DOCUMENT_EXAMPLES: Pick<Examples, 'indexDocuments' | 'listDocuments' | 'deleteDocuments'> = {
  indexDocuments: {
    body: {
      store: MANUALS,
      documents: [
        {
          id: 'disk-full.md',
          text: '# Disk full\nDelete old logs in /var/log, then restart the service.',
          metadata: { team: 'storage' },
        },
      ],
    },
  },
  listDocuments: { query: { store: MANUALS, count: 30, offset: 0, search: 'disk' } },
  deleteDocuments: { body: { store: MANUALS, ids: ['disk-full.md'] } },
};

import { Type } from 'typebox';
import { EDIT_SEARCH_TOOLS as write } from '../../contract/capabilities.ts';
import { endpoints } from '../../contract/rows/endpoint.ts';
import { crudRows } from '../../resources/crud/rows.ts';
import { searchTool } from './definition.ts';
import { OPERATIONS } from './records.ts';
import { SearchToolTest, SearchToolTestReply } from './schemas.ts';

export const searchTools = endpoints({
  ...crudRows({
    ...OPERATIONS,
    path: '/ml/search_tools',
    ...searchTool,
    write,
    writes: { query: Type.Object({}), createFaults: [], updateFaults: [] },
    summaries: {
      list: 'Search tools the caller may read; with name=, one of them.',
      get: 'One search tool.',
      create: 'Create a search tool.',
      update: 'Change a search tool: name and any subset of its fields.',
      delete: 'Delete a search tool.',
    },
  }),
  testSearchTool: {
    method: 'POST',
    path: '/ml/search_tools/test',
    audit: { action: 'test', name: ['body.name'] },
    summary: 'Run the search of a saved or given search tool as the caller; only last_test is written.',
    ...write,
    body: SearchToolTest,
    reply: SearchToolTestReply,
    answersFailure: true,
    addition: true,
    faults: ['not_found', 'acl_denied', 'search_not_allowed'],
  },
});

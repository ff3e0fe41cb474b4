import type { Reply } from '../../../../client/src/index.ts';
import { ml } from '../../../api/client.ts';
import { Stack } from '../../../app/styles.ts';
import { ResourcePage } from '../../../parts/panel/ResourcePage.tsx';
import { type Body, createList, type Resource, type TestResult } from '../../../parts/panel/resource.ts';
import { historyFacts, sharingFacts } from '../../../parts/panel/sharing.tsx';
import { JobLink } from '../../../parts/search/JobLink.tsx';
import { RowsTable } from '../../../parts/search/RowsTable.tsx';
import { StateBadge } from '../../../parts/text/Badge.tsx';
import { Code } from '../../../parts/text/Code.tsx';
import { LastTestCell } from '../../../parts/text/LastTestCell.tsx';
import { Time } from '../../../parts/text/Time.tsx';
import { withVisibleCharacters } from '../../../parts/text/visible.ts';
import { CREATE, EDIT, TEST_OPTIONS } from './form.tsx';

type SearchTool = Reply<'getSearchTool'>['config'];
type TestData = Reply<'testSearchTool'>['data'];

const Effect = ({ isReadOnly }: { isReadOnly: boolean }) =>
  isReadOnly ? (
    <StateBadge tone="success">read only</StateBadge>
  ) : (
    <StateBadge tone="warning">changes something</StateBadge>
  );

const argumentWords = ({ arguments: args }: SearchTool): string =>
  args.map(({ name, type, is_required }) => `${name}: ${type}${is_required ? '' : ' (optional)'}`).join(', ');

function Rows({ data: { search, sid, fields, rows, count, read_only, messages } }: { data: TestData }) {
  return (
    <Stack>
      <Effect isReadOnly={read_only} />
      <Code dir="auto">{withVisibleCharacters(search)}</Code>
      {messages.map(({ type, text }) => (
        <small key={text}>{withVisibleCharacters(`${type}: ${text}`)}</small>
      ))}
      <RowsTable label={`${rows.length} of ${count} rows`} fields={fields} rows={rows} />
      {sid && <JobLink sid={sid} />}
    </Stack>
  );
}

const SEARCH_TOOLS: Resource<SearchTool> = {
  key: 'searches',
  one: 'search tool',
  many: 'search tools',
  about: 'A search tool is a search of Splunk that agents and MCP clients call, with the rights of who asks.',
  sortedBy: { key: 'name', dir: 'asc' },
  nameOf: ({ name }) => name,
  versionOf: ({ version }) => version,
  list: createList('listSearchTools'),
  async read(name, signal) {
    return (await ml.call('getSearchTool', { params: { name } }, { signal })).config;
  },
  columns: [
    { label: 'Name', sort: 'name', cell: ({ name }) => name },
    { label: 'Description', sort: 'description', cell: ({ description }) => description },
    { label: 'Effect', cell: ({ read_only }) => <Effect isReadOnly={read_only} /> },
    { label: 'Enabled', cell: ({ is_enabled }) => (is_enabled ? 'yes' : 'no') },
    { label: 'Last test', cell: ({ last_test }) => <LastTestCell test={last_test} /> },
    { label: 'Owner', cell: ({ acl }) => acl.owner },
    { label: 'Changed', sort: 'last_updated_at', cell: ({ last_updated_at }) => <Time at={last_updated_at} /> },
  ],
  facts: (record) => [
    {
      rows: [
        ['Description', record.description],
        ['Tool', `search__${record.name}`],
        ['Effect', <Effect key="effect" isReadOnly={record.read_only} />],
        ['Enabled', record.is_enabled ? 'yes' : 'no'],
        ['Last test', <LastTestCell key="test" test={record.last_test} />],
      ],
    },
    {
      title: 'Search',
      rows: [
        ['SPL', <code key="search">{record.search}</code>],
        ['Arguments', argumentWords(record)],
        ['Time', `${record.earliest} to ${record.latest}`],
        ['App', record.app],
        ['Max rows', record.max_rows],
        ['Time limit', `${record.timeout_s} s`],
      ],
    },
    sharingFacts(record.acl),
    historyFacts(record),
  ],
  test: { operation: 'testSearchTool', options: TEST_OPTIONS, perform: test },
  create: {
    operation: 'createSearchTool',
    spec: CREATE,
    save: async (body) => (await ml.call('createSearchTool', { body: body as never })).config.name,
  },
  edit: {
    operation: 'updateSearchTool',
    spec: EDIT,
    save: (body, version, { name }) => ml.call('updateSearchTool', { body: { ...body, name, version } as never }),
  },
  remove: {
    operation: 'deleteSearchTool',
    ask: () => 'Agents that name it lose the tool. This cannot be undone.',
    perform: ({ name, version }, force) =>
      ml.call('deleteSearchTool', { params: { name }, query: { force }, ifMatch: version }),
  },
};

/** A saved search tool is tested by name; of a form the fields that a search needs are sent. */
async function test(
  record: SearchTool | undefined,
  draft: Body | undefined,
  signal: AbortSignal,
  options: Body,
): Promise<TestResult> {
  const { name: _name, description: _text, acl: _acl, is_enabled: _enabled, ...searched } = draft ?? {};
  const body = { ...(record && { name: record.name }), ...searched, ...options };
  const reply = await ml.call('testSearchTool', { body: body as never }, { signal });
  const { success, message, error_code, remedy, data } = reply;
  return { success, message, error_code, remedy, ms: data.duration_ms, details: <Rows data={data} /> };
}

export default function SearchTools() {
  return <ResourcePage resource={SEARCH_TOOLS} />;
}

import type { Reply } from '../../../../client/src/index.ts';
import { ml } from '../../../api/client.ts';
import { ResourcePage } from '../../../parts/panel/ResourcePage.tsx';
import { type Body, createList, type Resource, type TestResult } from '../../../parts/panel/resource.ts';
import { historyFacts, sharingFacts } from '../../../parts/panel/sharing.tsx';
import { LastTestCell } from '../../../parts/text/LastTestCell.tsx';
import { Time } from '../../../parts/text/Time.tsx';
import { CREATE, EDIT, TEST_OPTIONS } from './form.ts';
import { explainFailure, Steps } from './Steps.tsx';

type VectorStore = Reply<'getVectorStore'>['config'];

const VECTOR_STORES: Resource<VectorStore> = {
  key: 'vectors',
  one: 'vector store',
  many: 'vector stores',
  about: 'A vector store is an Amazon Bedrock knowledge base that agents can search.',
  sortedBy: { key: 'name', dir: 'asc' },
  nameOf: ({ name }) => name,
  versionOf: ({ version }) => version,
  list: createList('listVectorStores'),
  async read(name, signal) {
    return (await ml.call('getVectorStore', { params: { name } }, { signal })).config;
  },
  columns: [
    { label: 'Name', sort: 'name', cell: ({ name }) => name },
    { label: 'Description', sort: 'description', cell: ({ description }) => description },
    { label: 'Region', cell: ({ details }) => details.cloud_region },
    { label: 'Knowledge base', cell: ({ details }) => details.kb_id },
    { label: 'Last test', cell: ({ last_test }) => <LastTestCell test={last_test} /> },
    { label: 'Owner', cell: ({ acl }) => acl.owner },
    { label: 'Changed', sort: 'last_updated_at', cell: ({ last_updated_at }) => <Time at={last_updated_at} /> },
  ],
  facts: (record) => {
    const { description, details, last_test } = record;
    const { cloud_region, kb_id, cloud_access_key_id, cloud_access_key_token, role_arn } = details;
    return [
      {
        rows: [
          ['Description', description],
          ['Last test', <LastTestCell key="test" test={last_test} />],
        ],
      },
      {
        title: 'Knowledge base',
        rows: [
          ['Region', cloud_region],
          ['Id', kb_id],
        ],
      },
      {
        title: 'Access to AWS',
        rows: [
          ['Access key id', cloud_access_key_id ?? 'none: uses the role of the machine'],
          ['Secret access key', cloud_access_key_token ? 'stored' : 'none'],
          ['Role to assume', role_arn],
        ],
      },
      sharingFacts(record.acl),
      historyFacts(record),
    ];
  },
  create: {
    operation: 'createVectorStore',
    spec: CREATE,
    async save(body) {
      return (await ml.call('createVectorStore', { body: { ...body, type: 'CLOUD_KB' } as never })).config.name;
    },
  },
  edit: {
    operation: 'updateVectorStore',
    spec: EDIT,
    save: (body, version, { name }) => ml.call('updateVectorStore', { body: { ...body, name, version } as never }),
  },
  remove: {
    operation: 'deleteVectorStore',
    ask: () => 'The stored key is deleted; the knowledge base stays. This cannot be undone.',
    perform: ({ name, version }, force) =>
      ml.call('deleteVectorStore', { params: { name }, query: { force }, ifMatch: version }),
  },
  test: { operation: 'testVectorStore', options: TEST_OPTIONS, perform: test },
};

/** A saved record is tested by name; a form is tested with the stored values for the rest. */
async function test(
  record: VectorStore | undefined,
  body: Body | undefined,
  signal: AbortSignal,
  options: Body,
): Promise<TestResult> {
  // Stored values fill the rest; without details the saved store is tested.
  const { cloud_region, kb_id } = record?.details ?? {};
  const draft = body && {
    details: { ...(record && { cloud_region, kb_id }), ...(body.details as object | undefined) },
  };
  const request = { ...(record && { name: record.name }), ...draft, ...options };
  const { success, message, error_code, remedy, data } = await ml.call(
    'testVectorStore',
    { body: request as never },
    { signal },
  );
  return {
    success,
    message,
    error_code,
    remedy: explainFailure(data.steps) ?? remedy,
    ms: data.response_time_ms,
    details: <Steps steps={data.steps} />,
  };
}

export default function VectorStores() {
  return <ResourcePage resource={VECTOR_STORES} />;
}

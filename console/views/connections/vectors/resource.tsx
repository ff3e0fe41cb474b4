import type { VectorStore } from '../../../../client/src/index.ts';
import { ml } from '../../../api/client.ts';
import { useUrl } from '../../../app/url.ts';
import { Action } from '../../../parts/Action.tsx';
import { MASK } from '../../../parts/form/values.ts';
import { lazyPart } from '../../../parts/lazyPart.tsx';
import { ResourcePage } from '../../../parts/panel/ResourcePage.tsx';
import { type Body, createList, type Resource, type TestResult } from '../../../parts/panel/resource.ts';
import { historyFacts, sharingFacts } from '../../../parts/panel/sharing.tsx';
import { LastTestCell } from '../../../parts/text/LastTestCell.tsx';
import { Time } from '../../../parts/text/Time.tsx';
import { detailFacts } from './facts.tsx';
import { CREATE, EDIT, TEST_OPTIONS } from './form.tsx';
import { explainFailure, Steps } from './Steps.tsx';
import { GONE, ofDocuments, placeOf, TYPES, takesDocuments } from './words.ts';

const Documents = lazyPart(() => import('./documents/Documents.tsx'));

const VECTOR_STORES: Resource<VectorStore> = {
  key: 'vectors',
  one: 'vector store',
  many: 'vector stores',
  about: 'A vector store holds passages of documents, which agents, searches and programs find by their meaning.',
  sortedBy: { key: 'name', dir: 'asc' },
  nameOf: ({ name }) => name,
  versionOf: ({ version }) => version,
  list: createList('listVectorStores'),
  async read(name, signal) {
    return (await ml.call('getVectorStore', { params: { name } }, { signal })).config;
  },
  columns: [
    { label: 'Name', sort: 'name', cell: ({ name }) => name },
    { label: 'Type', sort: 'type', cell: ({ type }) => TYPES[type] },
    { label: 'Description', sort: 'description', cell: ({ description }) => description },
    { label: 'Where', width: 190, cell: placeOf },
    { label: 'Last test', cell: ({ last_test }) => <LastTestCell test={last_test} /> },
    { label: 'Owner', cell: ({ acl }) => acl.owner },
    { label: 'Changed', sort: 'last_updated_at', cell: ({ last_updated_at }) => <Time at={last_updated_at} /> },
  ],
  facts: (record) => [
    {
      rows: [
        ['Type', TYPES[record.type]],
        ['Description', record.description],
        ['Last test', <LastTestCell key="test" test={record.last_test} />],
      ],
    },
    ...detailFacts(record),
    sharingFacts(record.acl),
    historyFacts(record),
  ],
  create: {
    operation: 'createVectorStore',
    spec: CREATE,
    async save(body) {
      return (await ml.call('createVectorStore', { body: body as never })).config.name;
    },
  },
  edit: {
    operation: 'updateVectorStore',
    spec: EDIT,
    save: (body, version, { name }) => ml.call('updateVectorStore', { body: { ...body, name, version } as never }),
  },
  remove: {
    operation: 'deleteVectorStore',
    ask: ({ type }) => GONE[type],
    perform: ({ name, version }, force) =>
      ml.call('deleteVectorStore', { params: { name }, query: { force }, ifMatch: version }),
  },
  test: { operation: 'testVectorStore', options: TEST_OPTIONS, perform: test },
  actions: (record) => takesDocuments(record) && <ToDocuments store={record.name} />,
};

function ToDocuments({ store }: { store: string }) {
  const [, go] = useUrl();
  return <Action label="Documents" onClick={() => go(ofDocuments(store))} />;
}

/** Stored details without secrets, which the app adds itself. */
const shownDetails = ({ details }: VectorStore): Body =>
  Object.fromEntries(Object.entries(details).filter(([, value]) => value !== MASK));

/** A saved record is tested by name; a form is tested with the stored values for the rest. */
async function test(
  record: VectorStore | undefined,
  body: Body | undefined,
  signal: AbortSignal,
  options: Body,
): Promise<TestResult> {
  // Without details the saved store is tested.
  const draft = body && {
    type: record?.type ?? body.type,
    details: { ...(record && shownDetails(record)), ...(body.details as object | undefined) },
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
    remedy: explainFailure(data) ?? remedy,
    ms: data.response_time_ms,
    details: <Steps steps={data.steps} />,
  };
}

export default function VectorStores() {
  const [url] = useUrl();
  const store = url.get('documents');
  return store === null ? <ResourcePage resource={VECTOR_STORES} /> : <Documents key={store} store={store} />;
}

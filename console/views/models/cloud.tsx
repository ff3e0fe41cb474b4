import Heading from '@splunk/react-ui/Heading';
import type { RegisteredModel } from '../../../client/src/index.ts';
import { ml } from '../../api/client.ts';
import type { Body, Resource, TestResult } from '../../parts/panel/resource.ts';
import { historyFacts, sharingFacts } from '../../parts/panel/sharing.tsx';
import { DataTable } from '../../parts/table/DataTable.tsx';
import { LastTestCell } from '../../parts/text/LastTestCell.tsx';
import { CHANGE, REGISTER } from './form.ts';
import { addressOf, idIn } from './names.ts';
import { PredictAction } from './predict/PredictAction.tsx';
import { TYPES } from './words.ts';

export const CLOUD: Resource<RegisteredModel> = {
  key: 'registrations',
  one: 'cloud model',
  many: 'cloud models',
  about: 'A cloud model is an endpoint that searches can apply.',
  sortedBy: { key: 'name', dir: 'asc' },
  nameOf: ({ model_name }) => addressOf({ name: model_name, type: 'cloud' }),
  titleOf: ({ model_name }) => model_name,
  versionOf: ({ version }) => version,
  // They are part of the list of models.
  columns: [],
  list: async () => ({ items: [], total: 0 }),
  async read(address, signal) {
    return (await ml.call('getRegistration', { query: { model_name: idIn(address).name } }, { signal })).config;
  },
  facts: (record) => {
    const { endpoint_name, cloud_credentials, batch_size, openapi_spec, last_test } = record;
    const { region, access_key_id, secret_access_key, role_arn } = cloud_credentials;
    return [
      {
        rows: [
          ['Type', TYPES.cloud],
          ['Endpoint', endpoint_name],
          ['Region', region],
          ['Access key id', access_key_id ?? 'none: uses the role of the machine'],
          ['Secret key', secret_access_key === undefined ? 'none' : 'stored'],
          ['Role', role_arn],
          ['Batch size', batch_size],
          ['OpenAPI document', openapi_spec ? 'stored' : 'none'],
          ['Last test', <LastTestCell key="test" test={last_test} />],
        ],
      },
      sharingFacts(record.acl),
      historyFacts(record),
    ];
  },
  actions: ({ model_name, input_feature_map }) => (
    <PredictAction model={model_name} features={Object.keys(input_feature_map)} />
  ),
  more: ({ model_name, input_feature_map, output_prediction_map }) => (
    <>
      <Mapping
        title="Request"
        label={`Request of ${model_name}`}
        heads={['Field', 'Path in the request']}
        map={input_feature_map}
      />
      <Mapping
        title="Response"
        label={`Response of ${model_name}`}
        heads={['Path in the response', 'Field']}
        map={output_prediction_map}
      />
    </>
  ),
  create: {
    operation: 'registerModel',
    spec: REGISTER,
    valuesOf: (record) => ({ ...record, model_name: `${record.model_name}_copy` }),
    async save(body) {
      const { model_name } = await register(body);
      return addressOf({ name: String(model_name), type: 'cloud' });
    },
  },
  edit: {
    operation: 'updateRegistration',
    spec: CHANGE,
    save: ({ verify, ...body }, version, { model_name }) =>
      ml.call('updateRegistration', {
        query: { verify: verify === true },
        body: { ...body, model_name, version } as never,
      }),
  },
  remove: {
    operation: 'deleteRegistration',
    ask: () => 'The stored secret is deleted; the endpoint stays. This cannot be undone.',
    perform: ({ model_name, version }) => ml.call('deleteRegistration', { query: { model_name }, ifMatch: version }),
  },
  test: { operation: 'registerModel', perform: test },
};

export const register = (body: Body) => ml.call('registerModel', { query: { verify: true }, body: body as never });

/** A saved record is tested by name; a form is tested with the stored values for the rest. */
async function test(
  record: RegisteredModel | undefined,
  body: Body | undefined,
  signal: AbortSignal,
): Promise<TestResult> {
  const { verify: _, ...draft } = body ?? {};
  const reply = await ml.call(
    'registerModel',
    {
      query: { test_connection: '1' },
      body: { ...draft, ...(record ? { model_name: record.model_name } : {}) } as never,
    },
    { signal },
  );
  const { success, message, error_code, remedy, response_time_ms, endpoint_status } = reply;
  const details = endpoint_status ? <div>Endpoint status: {endpoint_status}</div> : undefined;
  return { success, message, error_code, remedy, ms: response_time_ms, details };
}

interface MappingProps {
  title: string;
  label: string;
  heads: readonly [string, string];
  map: Readonly<Record<string, string>>;
}

function Mapping({ title, label, heads, map }: MappingProps) {
  const entries = Object.entries(map);
  return (
    <section aria-label={label}>
      <Heading level={3}>{title}</Heading>
      {entries.length === 0 ? (
        <p>No fields are mapped.</p>
      ) : (
        <DataTable
          label={label}
          heads={heads.map((head) => ({ label: head }))}
          rows={entries.map(([from, to]) => ({ key: from, cells: [from, to] }))}
        />
      )}
    </section>
  );
}

import { ml } from '../../../api/client.ts';
import { lazyPart } from '../../../parts/lazyPart.tsx';
import { type Body, createList, type Resource } from '../../../parts/panel/resource.ts';
import { historyFacts } from '../../../parts/panel/sharing.tsx';
import { StateBadge } from '../../../parts/text/Badge.tsx';
import { LastTestCell } from '../../../parts/text/LastTestCell.tsx';
import { Time } from '../../../parts/text/Time.tsx';
import { settingsFacts } from './facts.tsx';
import { createSpec, editSpec, serviceNames, TEST_OPTIONS, withDefaults } from './form.tsx';
import { create, update } from './perform.ts';
import { type Catalogue, type Configuration, identityOf, nameOf, ofConnection } from './record.ts';
import { test } from './test.tsx';

const Models = lazyPart(() => import('./Models.tsx'));

/** @param catalogue of the providers; without it the list is read-only */
export function llmResource(catalogue: Catalogue | undefined): Resource<Configuration> {
  const serviceName = ({ service }: Configuration): string => catalogue?.services[service].display_name ?? service;
  return {
    key: 'llm',
    one: 'LLM configuration',
    many: 'LLM configurations',
    about: 'An LLM configuration is a model of a provider. Models of one connection share its address and key.',
    sortedBy: { key: 'service', dir: 'asc' },
    nameOf,
    titleOf: ({ connection_name, model }) => `${model} (${connection_name})`,
    versionOf: ({ version }) => version,
    list: createList('listLlmConfigurations'),
    async read(name, signal) {
      const identity = identityOf(name);
      const [{ config }, models] = await Promise.all([
        ml.call('getLlmConfiguration', { params: { ...identity } }, { signal }),
        ofConnection(identity.service, identity.connection_name, signal),
      ]);
      return { ...config, models: models.map(({ model }) => model) };
    },
    columns: [
      { label: 'Model', sort: 'model', cell: ({ model }) => model },
      { label: 'Service', sort: 'service', cell: serviceName },
      { label: 'Connection', sort: 'connection_name', cell: ({ connection_name }) => connection_name },
      { label: 'State', cell: (record) => <Draft record={record} /> },
      { label: 'Last test', cell: ({ last_test }) => <LastTestCell test={last_test} /> },
      { label: 'Changed', sort: 'last_updated_at', cell: ({ last_updated_at }) => <Time at={last_updated_at} /> },
    ],
    // The filter applies before the catalog is loaded.
    filters: [{ name: 'service', label: 'Service', options: catalogue ? serviceNames(catalogue) : {} }],
    facts: (record) => [
      {
        rows: [
          ['Service', serviceName(record)],
          ['Connection', record.connection_name],
          ['Model', record.model],
          ['State', <Draft key="state" record={record} />],
          ['Last test', <LastTestCell key="test" test={record.last_test} />],
        ],
      },
      ...settingsFacts(catalogue, record),
      historyFacts(record),
    ],
    more: (record) => <Models record={record} catalogue={catalogue} />,
    ...(catalogue && {
      create: {
        operation: 'saveLlmConfiguration',
        spec: createSpec(catalogue),
        valuesOf: (record) => withDefaults(catalogue, record) as Body,
        save: (body, from) => create(body, from && { from, catalogue }),
      },
      edit: {
        operation: 'saveLlmConfiguration',
        spec: createSpec(catalogue),
        specOf: (record) => editSpec(catalogue, record),
        valuesOf: (record) => withDefaults(catalogue, record) as Body,
        save: update,
      },
    }),
    remove: {
      operation: 'deleteLlmConfiguration',
      ask: ({ connection_name, models = [] }) =>
        models.length > 1
          ? `The connection ${connection_name} keeps its key and its other models. This cannot be undone.`
          : `This is the last model of ${connection_name}: the address and key of the connection are deleted too. This cannot be undone.`,
      perform: ({ service, connection_name, model, version }, force) =>
        ml.call('deleteLlmConfiguration', {
          params: { service, connection_name, model },
          query: { force },
          ifMatch: version,
        }),
    },
    test: { operation: 'actOnLlmProvider', options: TEST_OPTIONS, perform: test },
  };
}

function Draft({ record: { is_saved, is_model_saved } }: { record: Configuration }) {
  const isReady = is_saved && is_model_saved;
  return <StateBadge tone={isReady ? 'success' : 'outline'}>{isReady ? 'ready' : 'draft'}</StateBadge>;
}

import type { Model } from '../../../client/src/index.ts';
import { ml } from '../../api/client.ts';
import { type Column, createList, type Resource } from '../../parts/panel/resource.ts';
import { sizeWords } from '../../parts/text/format.ts';
import { Time } from '../../parts/text/Time.tsx';
import { addressOf, findModel } from './names.ts';
import { PredictAction } from './predict/PredictAction.tsx';
import { Tensors } from './Tensors.tsx';
import { fieldWords, SHARING, TYPES } from './words.ts';

const APP = 'ml_extension';
/** Types of models that the app applies. */
const PREDICTABLE: readonly Model['type'][] = ['onnx', 'cloud'];

const changed = ({ updated_at }: Model) => (updated_at === 0 ? 'unknown' : <Time at={updated_at} />);

const COLUMNS: readonly Column<Model>[] = [
  { label: 'Name', sort: 'name', cell: ({ name }) => name },
  { label: 'Type', sort: 'type', cell: ({ type }) => TYPES[type] },
  { label: 'Algorithm', cell: ({ algorithm }) => algorithm ?? '–' },
  { label: 'Features and targets', cell: mapping },
  { label: 'Endpoint', cell: ({ endpoint_name }) => endpoint_name ?? '–' },
  { label: 'Owner', sort: 'owner', cell: ({ owner }) => owner },
  { label: 'Size', cell: ({ size_bytes }) => sizeWords(size_bytes) },
  { label: 'Changed', sort: 'updated_at', cell: changed },
];

function mapping({ features, targets }: Model): string {
  return features.length + targets.length === 0 ? '–' : `${fieldWords(features)} → ${fieldWords(targets)}`;
}

/** All models of the list. @param me user, who may delete private models of their own */
export const modelResource = (me: string | undefined): Resource<Model> => ({
  key: 'models',
  one: 'model',
  many: 'models',
  about: 'A model is an uploaded ONNX file, a registered cloud endpoint, or the result of the fit command.',
  sortedBy: { key: 'name', dir: 'asc' },
  filters: [
    { name: 'type', label: 'Type', options: TYPES },
    { name: 'owner', label: 'Owner' },
  ],
  nameOf: addressOf,
  titleOf: ({ name }) => name,
  list: createList('listModels'),
  read: findModel,
  columns: COLUMNS,
  facts: (model) => [
    {
      rows: [
        ['Type', TYPES[model.type]],
        ['Algorithm', model.algorithm],
        ['Endpoint', model.endpoint_name],
        ['Features', fieldWords(model.features)],
        ['Targets', fieldWords(model.targets)],
        ['Size', sizeWords(model.size_bytes)],
        ['Changed', changed(model)],
      ],
    },
    {
      title: 'Who may use it',
      rows: [
        ['Owner', model.owner],
        ['Shared with', SHARING[model.sharing]],
        ['App', model.app],
      ],
    },
  ],
  more: ({ name, inputs, outputs }) => inputs && <Tensors model={name} inputs={inputs} outputs={outputs ?? []} />,
  actions: ({ name, type, features }) =>
    PREDICTABLE.includes(type) && <PredictAction model={name} features={features} />,
  remove: {
    operation: 'deleteModel',
    // Without the owner the app would delete the caller's own model of this name.
    isFor: ({ type, app, sharing, owner }) => type === 'onnx' && app === APP && (sharing !== 'user' || owner === me),
    ask: () => 'Searches that apply the model will fail. This cannot be undone.',
    perform: ({ name, sharing }) =>
      ml.call('deleteModel', {
        params: { model_name: name },
        query: { sharing: sharing === 'user' ? 'user' : 'app' },
      }),
  },
});

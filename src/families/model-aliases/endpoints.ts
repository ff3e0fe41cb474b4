import { Type } from 'typebox';
import { EDIT_LLM_CONFIGURATIONS as write } from '../../contract/capabilities.ts';
import { endpoints } from '../../contract/rows/endpoint.ts';
import { crudRows } from '../../resources/crud/rows.ts';
import { modelAlias } from './definition.ts';
import { OPERATIONS } from './records.ts';

const UNKNOWN_TARGET = ['unknown_reference'] as const;

export const modelAliases = endpoints(
  crudRows({
    ...OPERATIONS,
    path: '/ml/model_aliases',
    ...modelAlias,
    write,
    writes: { query: Type.Object({}), createFaults: UNKNOWN_TARGET, updateFaults: UNKNOWN_TARGET },
    summaries: {
      list: 'Model aliases the caller may read; with name=, one of them.',
      get: 'One model alias.',
      create: 'Create a model alias.',
      update: 'Change a model alias: name and any subset of its fields.',
      delete: 'Delete a model alias; its LLM configurations stay.',
    },
  }),
);

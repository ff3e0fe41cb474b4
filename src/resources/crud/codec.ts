import type { RecordPlans } from '../../contract/rows/recordPlan.ts';
import { recordKey } from '../../domain/values/keys.ts';
import { namedBy, pagesOf, type RecordCodec } from '../recordCodec.ts';
import { type CrudNames, operationOf } from './names.ts';

export function crudCodec(
  names: CrudNames<string, string>,
  { family, collection }: { family: RecordCodec['family'] & keyof RecordPlans; collection: string },
  more: Pick<RecordCodec, 'defaults' | 'hasAcl'> & { rank?: number } = {},
): RecordCodec {
  return {
    family,
    rank: 0,
    rows: {
      read: operationOf('get', names),
      create: operationOf('create', names),
      update: operationOf('update', names),
    },
    collection,
    keyOf: recordKey,
    planned: family,
    hasAcl: true,
    ...namedBy('name'),
    all: ({ calls }) => pagesOf(calls, operationOf('list', names)),
    readCall: (name) => ({ params: { name } }),
    ...more,
  };
}

import { recordKey } from '../../domain/values/keys.ts';
import { namedBy, type Portable, pagesOf } from '../portable.ts';
import { type CrudNames, operationOf } from './names.ts';

/** How records with crud rows are exported and imported. */
export function portableCrud(
  names: CrudNames<string, string>,
  { family, collection }: { family: Portable['family']; collection: string },
  more: Pick<Portable, 'merges' | 'unset'>,
): Portable {
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
    marks: family,
    hasAcl: true,
    ...namedBy('name'),
    all: ({ calls }) => pagesOf(calls, operationOf('list', names)),
    address: (name) => ({ params: { name } }),
    ...more,
  };
}

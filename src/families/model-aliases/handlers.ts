import type { Handlers } from '../../contract/rows/handlers.ts';
import type { Stores } from '../../domain/records/sealedRecord.ts';
import { crudHandlers } from '../../resources/crud/handlers.ts';
import { Resources } from '../../resources/resources.ts';
import type { modelAliases } from './endpoints.ts';
import { aliasKind, OPERATIONS } from './records.ts';
import { assertTargetsKnown } from './targets.ts';

export function modelAliasHandlers(stores: Stores): Handlers<typeof modelAliases> {
  return crudHandlers(OPERATIONS, new Resources(aliasKind, stores, []), {
    created: 'Model alias created',
    updated: 'Model alias updated',
    deleted: 'Model alias deleted',
    assertKnown: (caller, { targets = [] }, before, isPlanned) =>
      assertTargetsKnown(stores.records, caller, targets, before?.targets ?? [], isPlanned),
  });
}

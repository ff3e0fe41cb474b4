import type { Handlers } from '../../contract/rows/handlers.ts';
import type { RecordPlans } from '../../contract/rows/recordPlan.ts';
import type { Stores } from '../../domain/records/sealedRecord.ts';
import { crudHandlers } from '../../resources/crud/handlers.ts';
import { type References, unusedBy } from '../../resources/references.ts';
import { Resources } from '../../resources/resources.ts';
import type { modelAliases } from './endpoints.ts';
import { aliasKind, FAMILY, OPERATIONS } from './records.ts';
import { assertTargetsKnown } from './targets.ts';

export function modelAliasHandlers(
  stores: Stores,
  plans: RecordPlans,
  references: References,
): Handlers<typeof modelAliases> {
  const kind: typeof aliasKind = { ...aliasKind, assertUnused: unusedBy(references, 'alias') };
  return crudHandlers(OPERATIONS, new Resources(kind, stores, plans[FAMILY]), {
    created: 'Model alias created',
    updated: 'Model alias updated',
    deleted: 'Model alias deleted',
    assertKnown: (caller, { targets = [] }, before, isPlanned) =>
      assertTargetsKnown(stores.records, caller, targets, before?.targets ?? [], isPlanned),
  });
}

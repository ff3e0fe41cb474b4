import type { Handlers } from '../../contract/rows/handlers.ts';
import type { RecordPlans } from '../../contract/rows/recordPlan.ts';
import type { Stores } from '../../domain/records/sealedRecord.ts';
import { recordKey } from '../../domain/values/keys.ts';
import { crudHandlers } from '../../resources/crud/handlers.ts';
import { Resources } from '../../resources/resources.ts';
import type { usageLimits } from './endpoints.ts';
import { FAMILY, limitKind, OPERATIONS } from './records.ts';
import { type NameSources, referenceWarnings } from './referenceWarnings.ts';
import { ownStatus, statusOf } from './status.ts';

export function usageLimitHandlers(
  stores: Stores,
  plans: RecordPlans,
  { users, roles }: Pick<NameSources, 'users' | 'roles'>,
): Handlers<typeof usageLimits> {
  const resources = new Resources(limitKind, stores, plans[FAMILY]);
  return {
    ...crudHandlers(OPERATIONS, resources, {
      created: 'Usage limit created',
      updated: 'Usage limit updated',
      deleted: 'Usage limit deleted',
      warningsOf: ({ applies_to }) => referenceWarnings({ records: stores.records, users, roles }, applies_to),
    }),
    async getUsageLimit({ caller, params }) {
      const limit = await resources.get(caller, recordKey(params.name));
      return { config: { ...resources.view(limit), status: await statusOf(stores, limit) } };
    },
    async getOwnUsageLimits({ caller }) {
      return { result: await ownStatus(stores, caller) };
    },
  };
}

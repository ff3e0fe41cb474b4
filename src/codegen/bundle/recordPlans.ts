import type { RecordPlans } from '../../contract/rows/recordPlan.ts';
import { definitions } from '../../table.ts';
import { plain } from './compile.ts';
import { secretPaths } from './schemas.ts';

/** The plans of all definitions of records. */
export const recordPlans = (): RecordPlans =>
  Object.fromEntries(
    Object.entries(definitions).map(([family, { create, plan }]) => [
      family,
      { secrets: secretPaths(plain(create)), fields: plan },
    ]),
  ) as unknown as RecordPlans;

import { EDIT_SEARCH_TOOLS } from '../../contract/capabilities.ts';
import type { RecordPlans } from '../../contract/rows/recordPlan.ts';
import type { Condition, HealthSource } from '../../domain/records/connectionHealth.ts';
import type { Stores } from '../../domain/records/sealedRecord.ts';
import { readableRecords } from '../../resources/access.ts';
import { Resources } from '../../resources/resources.ts';
import type { SearchToolStored } from './definition.ts';
import type { SearchSite } from './judgement.ts';
import { FAMILY, SEARCH_TOOLS, searchToolKind } from './records.ts';
import { checkSearchTool, type SearchTools } from './testing.ts';

const FIELDS = ['name', 'acl', 'last_test'] as const satisfies readonly (keyof SearchToolStored)[];

/** A check runs no search: it judges the search of each tool by the guard and the platform's parser. */
export function searchToolHealth(stores: Stores, site: Omit<SearchSite, 'log'>, plans: RecordPlans): HealthSource {
  const tools: SearchTools = new Resources(searchToolKind, stores, plans[FAMILY]);
  return {
    readers: 'session',
    testers: EDIT_SEARCH_TOOLS.gate,
    flag: EDIT_SEARCH_TOOLS.flag,
    async conditions(caller) {
      return (await readableRecords<SearchToolStored>(stores.records, caller, SEARCH_TOOLS, FIELDS)).map(
        ({ _key: key, name, acl, last_test: lastTest }): Condition => ({
          ...{ key, name, type: 'search', owner: acl.owner, lastTest, needsSignIn: false, expiries: [] },
          reference: { kind: 'search_tool', name },
        }),
      );
    },
    async test(caller, key) {
      const { name } = await tools.get(caller, key);
      return checkSearchTool(tools, { ...site, log: stores.log }, caller, await tools.target(caller, key, { name }));
    },
  };
}

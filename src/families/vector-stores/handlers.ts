import type { Handlers } from '../../contract/rows/handlers.ts';
import type { RecordPlans } from '../../contract/rows/recordPlan.ts';
import type { Stores } from '../../domain/records/sealedRecord.ts';
import { recordKey } from '../../domain/values/keys.ts';
import { crudHandlers } from '../../resources/crud/handlers.ts';
import { type References, unusedBy } from '../../resources/references.ts';
import { Resources } from '../../resources/resources.ts';
import type { Target } from '../../resources/target.ts';
import type { ReferenceSite } from '../model-aliases/public.ts';
import type { StoreStored } from './definition.ts';
import { presentUids, removeOrphans } from './documents/orphans.ts';
import { assertMayLend } from './embeddingModels.ts';
import type { vectorStores } from './endpoints.ts';
import type { StoreDependencies } from './kinds/kind.ts';
import { FAMILY } from './names.ts';
import { OPERATIONS, storeKind } from './records.ts';
import { type Findings, testStore, visit } from './testing.ts';

export function vectorStoreHandlers(
  platform: Stores,
  deps: StoreDependencies & Pick<ReferenceSite, 'settings'>,
  plans: RecordPlans,
  references: References,
): Handlers<typeof vectorStores> {
  const kind: typeof storeKind = { ...storeKind, assertUnused: unusedBy(references, 'knowledge_base') };
  const stores = new Resources(kind, platform, plans[FAMILY]);

  return {
    ...crudHandlers(OPERATIONS, stores, {
      created: 'Vector store configuration created successfully',
      updated: 'Vector store configuration updated successfully',
      deleted: 'Vector store configuration deleted successfully',
      verify: ({ target }) => visit(deps, target),
      assertKnown: (caller, { details }, before, isPlanned) =>
        assertMayLend({ ...platform, settings: deps.settings }, caller, details, before?.details, isPlanned),
      async afterDelete() {
        await removeOrphans(platform);
        await deps.passageFiles
          .sweep(() => presentUids(platform.records))
          .catch(() => {
            platform.log.warn('sweep_failed', { family: FAMILY });
          });
      },
    }),
    async testVectorStore({ caller, body }) {
      const target = await stores.target(caller, body.name === undefined ? undefined : recordKey(body.name), body);
      const findings = await testStore(stores, deps, target, body);
      const data = describeTest(target, findings);
      const { failure } = findings;
      if (!failure) return { success: true, message: 'The knowledge base can be used', data };
      return { status: 'fail', success: false, error_code: failure.code, message: failure.message, data };
    },
  };
}

function describeTest({ saved, record: { type } }: Target<StoreStored>, { facts, run, elapsedMs }: Findings) {
  const { reachable, authenticated, steps } = run;
  return {
    ...{ name: saved?.name ?? null, type, ...facts },
    ...{ response_time_ms: Math.round(elapsedMs), reachable, authenticated, steps },
  };
}

import type { RecordPlans } from '../../contract/rows/recordPlan.ts';
import type { Stores } from '../../domain/records/sealedRecord.ts';
import type { ContainerDependencies } from '../../ports/engines/containerDependencies.ts';
import { FAMILY } from './connections/records.ts';
import { ContainerConnections } from './connections/service.ts';
import type { EngineKinds } from './engines/engineKind.ts';
import { ENGINE_KINDS } from './engines/registry.ts';
import { Engines } from './runtime/engines.ts';
import { Observer } from './runtime/observe/observe.ts';
import { Runtimes } from './runtime/store.ts';

/** Shared by the handlers and the pull worker. */
export function containerParts(
  stores: Stores,
  deps: ContainerDependencies,
  plans: RecordPlans,
  kinds: EngineKinds = ENGINE_KINDS,
) {
  const { certificates, settings } = deps;
  const connections = new ContainerConnections({
    stores,
    plan: plans[FAMILY],
    certificates,
    settings,
    kinds,
  });
  const engines = new Engines(connections, deps);
  const runtimes = new Runtimes(stores);
  return { connections, engines, runtimes, observer: new Observer(engines, runtimes) };
}

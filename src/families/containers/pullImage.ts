import type { RecordPlans } from '../../contract/rows/recordPlan.ts';
import type { Stores } from '../../domain/records/sealedRecord.ts';
import type { ContainerDependencies, PullJob } from '../../ports/engines/containerDependencies.ts';
import { containerParts } from './parts.ts';
import { runPull } from './runtime/start/pullWorker.ts';

/** Runs in a separate process. */
export async function pullImage(
  stores: Stores,
  deps: ContainerDependencies,
  plans: RecordPlans,
  job: PullJob,
): Promise<void> {
  const { engines, runtimes } = containerParts(stores, deps, plans);
  await runPull(engines, runtimes, job);
}

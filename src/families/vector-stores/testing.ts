import { bounded } from '../../domain/async/deadline.ts';
import type { Deadline } from '../../ports/platform/clock.ts';
import type { Resources } from '../../resources/resources.ts';
import type { Target } from '../../resources/target.ts';
import type { StoreStored } from './definition.ts';
import type { StoreDependencies, StoreFacts } from './kinds/kind.ts';
import { kindOf } from './kinds/registry.ts';
import { TestRun } from './kinds/testRun.ts';
import type { StoreFields } from './records.ts';
import type { VectorStoreRecord } from './schemas.ts';

const DEADLINE_MS = 20_000;

export type VectorStores = Resources<StoreStored, StoreFields, VectorStoreRecord>;

export interface Findings {
  facts: StoreFacts;
  run: TestRun;
  failure: TestRun['failure'];
  elapsedMs: number;
}

interface Terms {
  /** Text to retrieve passages for. */
  query?: string | undefined;
  /** An earlier deadline. */
  outer?: Deadline;
}

/** Contacts a store. */
export async function visit(
  deps: StoreDependencies,
  target: Target<StoreStored>,
  { query, outer }: Terms = {},
): Promise<Findings> {
  const started = performance.now();
  using deadline = bounded(DEADLINE_MS, outer);
  const run = new TestRun();
  const facts = await kindOf(target.record.type).test(target, deps, query, deadline, run);
  return { facts, run, failure: run.failure, elapsedMs: performance.now() - started };
}

/** Contacts a store and keeps the result on a saved record. */
export async function testStore(
  stores: VectorStores,
  deps: StoreDependencies,
  target: Target<StoreStored>,
  terms: Terms,
): Promise<Findings> {
  const findings = await visit(deps, target, terms);
  await stores.recordTest(target, findings.elapsedMs, findings.failure);
  return findings;
}

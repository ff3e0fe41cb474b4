import { awsAccess } from '../../domain/net/awsKeys.ts';
import type { CloudKnowledgeBases } from '../../ports/cloud/cloudKnowledgeBases.ts';
import type { Deadline } from '../../ports/platform/clock.ts';
import type { Resources } from '../../resources/resources.ts';
import type { Target } from '../../resources/target.ts';
import { keysOf, SECRET, type StoreFields, type StoreStored } from './records.ts';
import type { VectorStoreRecord } from './schemas.ts';
import { type Findings, visitKnowledgeBase } from './steps.ts';

export type VectorStores = Resources<StoreStored, StoreFields, VectorStoreRecord>;

interface Terms {
  /** Also asks the knowledge base this. */
  query?: string | undefined;
  /** Ends the test before its usual time. */
  outer?: Deadline;
}

/** Visits the knowledge base of a record that need not be saved. @param query also asks it this */
export function visit(
  cloud: CloudKnowledgeBases,
  { record: { details }, secrets, hidden }: Target<StoreStored>,
  query?: string,
  outer?: Deadline,
): Promise<Findings> {
  return visitKnowledgeBase(cloud, awsAccess(keysOf(details), secrets[SECRET], hidden), details.kb_id, query, outer);
}

/** Visits the knowledge base, and keeps on a saved record what that has found. */
export async function testKnowledgeBase(
  stores: VectorStores,
  cloud: CloudKnowledgeBases,
  target: Target<StoreStored>,
  { query, outer }: Terms,
): Promise<Findings> {
  const found = await visit(cloud, target, query, outer);
  await stores.recordTest(target, found.elapsedMs, found.failure);
  return found;
}

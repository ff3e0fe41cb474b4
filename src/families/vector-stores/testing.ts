import { awsAccess } from '../../domain/net/awsKeys.ts';
import type { CloudKnowledgeBases } from '../../ports/cloud/cloudKnowledgeBases.ts';
import type { Deadline } from '../../ports/platform/clock.ts';
import type { Resources } from '../../resources/resources.ts';
import type { Target } from '../../resources/target.ts';
import { keysOf, SECRET, type StoreFields } from './records.ts';
import type { VectorStoreRecord } from './schemas.ts';
import { type Findings, visitKnowledgeBase } from './steps.ts';
import type { StoreStored } from './stored.ts';

export type VectorStores = Resources<StoreStored, StoreFields, VectorStoreRecord>;

interface Terms {
  /** Text to retrieve passages for. */
  query?: string | undefined;
  /** An earlier deadline. */
  outer?: Deadline;
}

export function visit(
  cloud: CloudKnowledgeBases,
  { record: { details }, secrets, hidden }: Target<StoreStored>,
  query?: string,
  outer?: Deadline,
): Promise<Findings> {
  return visitKnowledgeBase(cloud, awsAccess(keysOf(details), secrets[SECRET], hidden), details.kb_id, query, outer);
}

/** Visits the knowledge base and stores the result on a saved record. */
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

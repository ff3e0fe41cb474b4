import type { Problem } from '../../../contract/codes/faults.ts';
import type { Outgoing } from '../../../masking/checkedBody.ts';
import type { CloudKnowledgeBases } from '../../../ports/cloud/cloudKnowledgeBases.ts';
import type { Passage, PassageQuery } from '../../../ports/cloud/passages.ts';
import type { Deadline } from '../../../ports/platform/clock.ts';
import type { Upstream } from '../../../ports/platform/upstream.ts';
import type { Target } from '../../../resources/target.ts';
import type { StoreStored } from '../definition.ts';
import type { StoreType } from '../names.ts';
import type { VectorStoreTestReply } from '../schemas.ts';
import type { TestRun } from './testRun.ts';

/** Clients that reach stores. */
export interface StoreDependencies {
  knowledgeBases: CloudKnowledgeBases;
}

/**
 * Asks a store once for passages, best first; the gateway repeats it.
 * @throws OutboundError; Fault `kb_not_found`, `kb_not_active`
 */
export type StoreSearch = (query: Outgoing<PassageQuery>, upstream: Upstream) => Promise<readonly Passage[]>;

/** Facts about the store in the reply of a test, without the steps. */
export type StoreFacts = Omit<
  VectorStoreTestReply['data'],
  'name' | 'type' | 'response_time_ms' | 'reachable' | 'authenticated' | 'steps'
>;

/** A field of the details of each type. */
type DetailOf<S extends StoreStored> = S extends unknown ? keyof S['details'] & string : never;

/** A kind of store, by `type` of its record. */
export interface StoreKind<S extends StoreStored = StoreStored> {
  /** Fields of `details` that are not secret and that every store of the kind has. */
  required: readonly DetailOf<S>[];
  /** Addresses that the secrets are bound to, by the path of their field. */
  addresses(details: S['details']): Record<string, string | undefined>;
  /** Problems of a complete store that its schema cannot express. @param secrets paths of its secrets */
  problems(details: S['details'], secrets: readonly string[]): Problem[];
  /** Contacts the store, in steps of `run`. @param query text to retrieve passages for, if that is tested too */
  test(
    target: Target<S>,
    deps: StoreDependencies,
    query: string | undefined,
    deadline: Deadline,
    run: TestRun,
  ): Promise<StoreFacts>;
  /** How a saved store is searched. */
  search(target: Target<S>, deps: StoreDependencies): StoreSearch;
}

export type StoreOf<K extends StoreType> = Extract<StoreStored, { type: K }>;

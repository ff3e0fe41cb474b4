import type { Problem } from '../../../contract/codes/faults.ts';
import type { Trust } from '../../../domain/secrets/binding.ts';
import type { Outgoing } from '../../../masking/checkedBody.ts';
import type { CloudKnowledgeBases } from '../../../ports/cloud/cloudKnowledgeBases.ts';
import type { Passage } from '../../../ports/cloud/passages.ts';
import type { EmbeddedDocument } from '../../../ports/knowledge/documents.ts';
import type { PassageFiles } from '../../../ports/knowledge/passageFiles.ts';
import type { SqlServers } from '../../../ports/knowledge/sqlServers.ts';
import type { LlmDependencies } from '../../../ports/llm/llmDependencies.ts';
import type { Deadline } from '../../../ports/platform/clock.ts';
import type { Upstream } from '../../../ports/platform/upstream.ts';
import type { Target } from '../../../resources/target.ts';
import type { StoreStored } from '../definition.ts';
import type { CatalogueStores } from '../documents/catalogue.ts';
import type { DocumentFailure } from '../documents/documentFailure.ts';
import type { StoreType } from '../names.ts';
import type { VectorQuery } from '../queries/vectorQuery.ts';
import type { VectorStoreTestReply } from '../schemas.ts';
import type { TestRun } from './testRun.ts';

/** Clients that reach stores, and the platform's own stores. */
export interface StoreDependencies {
  knowledgeBases: CloudKnowledgeBases;
  /** Its HTTP reaches OpenSearch and Elasticsearch. */
  llm: Pick<LlmDependencies, 'http'>;
  sqlServers: SqlServers;
  /** With the lists of documents. */
  stores: CatalogueStores;
  /** Files of this member. */
  passageFiles: PassageFiles;
}

/**
 * Asks a store once for passages, best first; the gateway repeats it.
 * @throws OutboundError; Fault `kb_not_found`, `kb_not_active`, `not_supported`
 */
export type StoreSearch = (query: Outgoing<VectorQuery>, upstream: Upstream) => Promise<readonly Passage[]>;

/** How a store has its texts embedded. */
export interface EmbeddingTerms {
  /** Reference of a model or an alias. */
  model: string;
  /** Tokens of a passage at most. */
  chunkTokens: number;
  /** Tokens that a passage repeats of the one before it. */
  overlapTokens: number;
}

/** The documents of a store that this app wrote. */
export interface StoreDocuments {
  /**
   * Replaces documents as a whole: whatever happens, a reader finds a document's old passages or its new ones.
   * @returns for each document undefined, or why it was not written
   * @throws OutboundError; Fault `kb_not_found`, `store_full`, `store_unavailable`
   */
  replace(
    documents: readonly Outgoing<EmbeddedDocument>[],
    upstream: Upstream,
  ): Promise<readonly (DocumentFailure | undefined)[]>;
  /** @returns how many documents there were. @throws as `replace` */
  remove(ids: readonly string[] | 'all', upstream: Upstream): Promise<number>;
}

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
  /** All other fields of `details`, with secrets. */
  optional: readonly string[];
  /** Values of `details` that a body omits. */
  defaults?: Partial<S['details']>;
  /** Addresses that the secrets are bound to, by the path of their field. */
  addresses(details: S['details']): Record<string, string | undefined>;
  /** How its servers are verified, which binds the secrets too. */
  trust?(details: S['details']): Record<string, Trust | undefined>;
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
  /** Absent where the store embeds by itself. */
  embedding?(details: S['details']): EmbeddingTerms;
  /** Names the table or index that has the documents; absent where the platform keeps them. */
  place?(details: S['details']): string;
  /** Absent where documents cannot be written. */
  documents?(target: Target<S>, deps: StoreDependencies): StoreDocuments;
}

export type StoreOf<K extends StoreType> = Extract<StoreStored, { type: K }>;

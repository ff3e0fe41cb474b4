/** Kinds of claims. */
export const ENTITY_KINDS = [
  ...(['ipv4', 'ipv6', 'host', 'url', 'email', 'user', 'hash'] as const),
  ...(['file', 'path', 'cve', 'attack', 'time', 'number', 'version'] as const),
] as const;
export type EntityKind = (typeof ENTITY_KINDS)[number];

export const ENTITY_STATUSES = ['backed', 'derived', 'unverified'] as const;
export type EntityStatus = (typeof ENTITY_STATUSES)[number];

/** Where a claim was found: in the input, in a step, or in a step of an earlier run of the session. */
export interface EvidenceSource {
  input?: true;
  /** The earlier run that the step is part of. */
  run_id?: string;
  /** Index of the step. */
  step?: number;
  /** The innermost key of the value; the first of several. */
  field?: string;
}

/** A claim of an answer. */
export interface EvidenceEntity {
  /** As it first stands in the answer, at most 256 characters. */
  text: string;
  kind: EntityKind;
  status: EntityStatus;
  /** One for each source: the input first, then the steps in their order. */
  by: EvidenceSource[];
  why?: string;
}

/** All claims of an answer, by status. */
export type EvidenceCounts = Record<EntityStatus | 'checked', number>;

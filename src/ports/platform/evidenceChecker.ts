import type { EvidenceCounts, EvidenceEntity } from '../../contract/families/evidence.ts';

/** A finished step of a run whose result the model saw. */
export interface EvidenceStep {
  index: number;
  /** Tool or store that was asked. */
  name: string;
  /** Arguments that the model wrote; never evidence. */
  input?: string | undefined;
  /** Result as the model saw it: text, perhaps JSON or CSV. */
  output: string;
  /** Whether the model saw only the beginning. */
  isCut: boolean;
  /** Earlier run of the session whose step it is. */
  runId?: string | undefined;
}

export interface EvidenceRequest {
  /** Final answer of the run. */
  output: string;
  /** Input of the run, as text or as an object. */
  input: unknown;
  /** Tool and retrieve steps that are done. */
  steps: readonly EvidenceStep[];
  /** Start of the run in epoch seconds, for years and relative times. */
  startedAt: number;
  /** IANA zone of the user's settings; UTC without one. */
  timeZone?: string | undefined;
}

/** 200 entities at most: the unverified first, then in the order of the text. The counts are of all. */
export interface Evidence extends EvidenceCounts {
  entities: EvidenceEntity[];
}

/** Looks up what an answer claims in the data of its run. */
export interface EvidenceChecker {
  /** `timeout` stands for a check that took more than its time or memory. */
  check(request: EvidenceRequest): Promise<Evidence | { error_code: 'timeout' }>;
}

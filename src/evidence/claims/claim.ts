import type { EntityKind } from '../../contract/families/evidence.ts';
import type { HashHit, Hits, UserHit, WordHits } from '../index/hits.ts';
import type { NumberClaim } from '../index/numberHits.ts';
import type { TimeClaim } from '../index/timeHits.ts';

interface Place {
  /** Indexes in the decoded answer. */
  start: number;
  end: number;
  /** One spelling of it, to count repeats once. */
  key: string;
  /** Whether it stands in a heading, where nothing is marked as unverified. */
  isQuiet: boolean;
}

/** Users are compared one by one, since their domains may differ. */
export interface UserLookup {
  name: string;
  domain: string | undefined;
  hits: readonly UserHit[];
}

/** Something that an answer says and the data of its run may hold. */
export type Claim = Place &
  (
    | { type: 'value'; kind: EntityKind; hits: readonly Hits[] }
    | { type: 'host'; hits: Hits; user: UserLookup }
    | { type: 'mail'; hits: Hits; user: UserLookup }
    | { type: 'shortHash'; beginning: string; ending: string; hits: readonly HashHit[] }
    /** A word is a claim where it stands behind `user` and the like, or where the data has it as a host or user. */
    | { type: 'word'; word: WordHits; user: UserLookup; isNamed: boolean }
    | { type: 'domainUser'; word: WordHits; user: UserLookup }
    /** `parts` are its groups, where blanks separate them and each may be a number. */
    | { type: 'number'; number: NumberClaim; digits: Hits | undefined; parts: readonly (Claim & { type: 'number' })[] }
    | { type: 'time'; time: TimeClaim }
    /** Seconds between two times; `isAgo` where one of them may be the start of the run. */
    | { type: 'span'; from: number; to: number; isAgo: boolean }
  );

export type ClaimOf<T extends Claim['type']> = Extract<Claim, { type: T }>;

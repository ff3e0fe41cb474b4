import type { EntityKind } from '../../contract/families/evidence.ts';
import { addHit, type Hits } from '../index/hits.ts';
import { mayBeSameDomain } from '../reading/keys.ts';
import type { Claim, ClaimOf, UserLookup } from './claim.ts';
import type { Derivations } from './derived.ts';

export interface Outcome {
  claim: Claim;
  kind: EntityKind;
  status: 'backed' | 'derived' | 'unverified';
  hits: Hits;
  why?: string | undefined;
}

const LEAST_SHORT_HASH = 8;
const LEAST_ENDING = 2;

/** Judges a claim by the data; none for a word that is no claim. */
export function settled(claim: Claim, derived: Derivations): Outcome[] {
  switch (claim.type) {
    case 'value':
      return [
        outcome(
          claim,
          claim.kind,
          union(claim.hits),
          claim.kind === 'attack' ? "the model's classification" : undefined,
        ),
      ];
    case 'host':
      return [hostOutcome(claim)];
    case 'mail':
      return [mailOutcome(claim)];
    case 'domainUser':
      return [userOutcome(claim, claim.user, claim.word.words)];
    case 'word':
      return wordOutcome(claim);
    case 'shortHash':
      return [outcome(claim, 'hash', shortHashHits(claim))];
    case 'time':
      return [outcome(claim, 'time', claim.time.hits)];
    case 'number':
      return numberOutcomes(claim, derived);
    case 'span':
      return [orDerived(outcome(claim, 'time', new Map()), derived)];
  }
}

function outcome(claim: Claim, kind: EntityKind, hits: Hits, why?: string): Outcome {
  return hits.size > 0 ? { claim, kind, status: 'backed', hits } : { claim, kind, status: 'unverified', hits, why };
}

function orDerived(result: Outcome, derived: Derivations): Outcome {
  const sources = result.status === 'unverified' ? derived.get(result.claim) : undefined;
  return sources ? { ...result, status: 'derived', hits: sources.hits, why: sources.why } : result;
}

function union(sets: readonly Hits[]): Hits {
  const [first = new Map(), ...others] = sets;
  if (others.length === 0) return first;
  const hits: Hits = new Map(first);
  for (const other of others) for (const [source, field] of other) addHit(hits, source, field);
  return hits;
}

/** A name such as `maria.it` may be a user. */
function hostOutcome(claim: ClaimOf<'host'>): Outcome {
  const users = claim.hits.size > 0 ? undefined : userHits(claim.user);
  return users && users.size > 0 ? outcome(claim, 'user', users) : outcome(claim, 'host', claim.hits);
}

function mailOutcome(claim: ClaimOf<'mail'>): Outcome {
  const users = userHits(claim.user);
  return outcome(claim, users.size > 0 ? 'user' : 'email', union([claim.hits, users]));
}

/** Sources with the same user whose domain does not contradict. */
function userHits({ domain, hits }: UserLookup): Hits {
  const same: Hits = new Map();
  for (const hit of hits) if (mayBeSameDomain(domain, hit.domain)) addHit(same, hit.source, hit.field);
  return same;
}

/** A name that the data has as no user, but as a word, stands there without its domain. */
function userOutcome(claim: Claim, user: UserLookup, words: Hits): Outcome {
  const hits = userHits(user);
  const other = user.hits[0];
  if (hits.size > 0 || other === undefined) return outcome(claim, 'user', hits.size > 0 ? hits : words);
  return outcome(claim, 'user', hits, `the run's data has ${other.text.slice(0, 100)}`);
}

function wordOutcome(claim: ClaimOf<'word'>): Outcome[] {
  const { word, user, isNamed } = claim;
  if (isNamed) return [userOutcome(claim, user, word.words)];
  if (word.hosts.size > 0) return [outcome(claim, 'host', word.hosts)];
  const users = userHits(user);
  return users.size > 0 ? [outcome(claim, 'user', users)] : [];
}

/** The same beginning and end in a single hash. */
function shortHashHits({ beginning, ending, hits }: ClaimOf<'shortHash'>): Hits {
  const none: Hits = new Map();
  if (beginning.length < LEAST_SHORT_HASH || ending.length < LEAST_ENDING) return none;
  const same = hits.filter(({ hash }) => hash.startsWith(beginning) && hash.endsWith(ending));
  if (new Set(same.map(({ hash }) => hash)).size !== 1) return none;
  for (const { source, field } of same) addHit(none, source, field);
  return none;
}

/** Groups of digits with blanks between them are one number, unless the data has each but not the whole. */
function numberOutcomes(claim: ClaimOf<'number'>, derived: Derivations): Outcome[] {
  const whole = numberOutcome(claim, derived);
  if (whole.status !== 'unverified' || claim.parts.length < 2) return [whole];
  const parts = claim.parts.map((part) => numberOutcome(part, derived));
  return parts.every(({ status }) => status !== 'unverified') ? parts : [whole];
}

function numberOutcome(claim: ClaimOf<'number'>, derived: Derivations): Outcome {
  const hits = claim.digits ? union([claim.digits, claim.number.hits]) : claim.number.hits;
  return orDerived(outcome(claim, 'number', hits), derived);
}

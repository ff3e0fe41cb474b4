import { Fault } from '../../../contract/codes/faults.ts';
import { OutboundError } from '../../../contract/codes/outbound.ts';
import type { Passage, PassageQuery } from '../../../ports/cloud/passages.ts';
import type { FoundPassage } from '../../../ports/knowledge/passageFiles.ts';
import type { Deadline } from '../../../ports/platform/clock.ts';
import { readFilter } from '../queries/filter.ts';
import { fuse } from '../queries/fuse.ts';
import { matches } from '../queries/matches.ts';
import { type FollowSite, followedFile } from './follow.ts';
import { textsOf } from './texts.ts';

/** Passages of each kind that are fused, at least. */
const FUSED = 50;
/**
 * Damps the difference between the first ranks. The usual 60 lets a passage at the twentieth place of both lists pass the first one
 * of a single list, such as the only passage that has the word of a question.
 */
const DAMPING = 5;
/** A file may break, or a document change, while it is searched. */
const ATTEMPTS = 3;

export interface BuiltInQuery extends PassageQuery {
  vector: Float32Array | undefined;
}

/**
 * Searches a store in the platform on this member.
 * @throws Fault `not_supported`, `store_unavailable`; OutboundError `configuration_invalid`, `timeout`
 */
export async function searchPassages(site: FollowSite, query: BuiltInQuery, deadline: Deadline): Promise<Passage[]> {
  for (let attempt = 1; ; attempt += 1) {
    const followed = await followedFile(site, deadline);
    if (!followed) return [];
    const passages = rankedPassages(followed.file, query);
    if (!passages && attempt === ATTEMPTS)
      throw new Fault('store_unavailable', 'The passages of this member cannot be read; try again');
    if (!passages) continue;
    const texts = await textsOf(site.stores.records, passages);
    if (texts.includes(undefined) && attempt < ATTEMPTS) continue;
    return passages.flatMap(({ id, metadata, score }, index) => {
      const text = texts[index];
      return text === undefined ? [] : [{ id, text, score, source: { type: 'built_in', uri: id }, metadata }];
    });
  }
}

type File = NonNullable<Awaited<ReturnType<typeof followedFile>>>['file'];

function rankedPassages(
  file: File,
  { text, vector, count, filter, searchType }: BuiltInQuery,
): FoundPassage[] | undefined {
  const facts = file.facts();
  if (!facts) return undefined;
  if (vector && facts.dimensions > 0 && vector.length !== facts.dimensions)
    throw otherModel(vector.length, facts.dimensions);
  const condition = filter && readFilter(filter);
  const accepts = (metadata: FoundPassage['metadata']) => !condition || matches(condition, metadata);
  if (searchType === 'semantic') return file.search({ vector, count, accepts })?.byVector;
  const both = file.search({ vector, text, count: Math.max(FUSED, 2 * count), accepts });
  // A passage with the words precedes one that has the same rank by its vector alone.
  const fused = both && fuse([both.byWords, both.byVector], ({ passage }) => passage, DAMPING);
  return fused?.slice(0, count).map(({ item, score }) => ({ ...item, score }));
}

const otherModel = (length: number, expected: number) =>
  new OutboundError(
    'configuration_invalid',
    `The embedding model made a vector of ${length} numbers for the query, but those of the store have ${expected}: index the documents again`,
  );

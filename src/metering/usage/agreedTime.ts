import type { HostClock } from '../../ports/platform/clock.ts';
import type { Query, RecordStore } from '../../ports/stores/recordStore.ts';
import { DAY_S } from './sums.ts';

/** Documents that name the member that wrote them. */
interface MemberDocuments<F extends string> {
  collection: string;
  query?: Query;
  /** The field with their time, epoch seconds. */
  field: F;
}

/** A member that has written nothing for so long may have left. */
const LEFT_AFTER_S = 31 * DAY_S;

/**
 * Epoch seconds by which the age of documents is judged: a clock that is ahead must not make those of other members old. The
 * processes of one member share its clock, so they cannot confirm it to one another; where only one member writes, its clock decides.
 */
export async function agreedTime<F extends string>(
  { records, clock }: { records: RecordStore; clock: HostClock },
  { collection, query = {}, field }: MemberDocuments<F>,
): Promise<number> {
  const now = clock.now() / 1000;
  const newest = async (more: Query): Promise<number | undefined> => {
    const [doc] = await records.find<{ _key: string } & Record<F, number>>(collection, {
      // A text would sort before all numbers.
      query: { ...query, [field]: { $gt: 0 }, ...more },
      sort: `${field}:-1`,
      limit: 1,
      fields: [field],
    });
    return doc?.[field];
  };
  const others = await newest({ member: { $ne: clock.member } });
  if (others === undefined || others >= now) return now;
  const left = now - LEFT_AFTER_S;
  // Documents of the time between show that it has passed: a clock that was set ahead has none, while a member that left must not
  // keep everything for ever.
  const hasPassed = others < left && (await newest({ [field]: { $gt: others, $lte: left } })) !== undefined;
  return hasPassed ? now : others;
}

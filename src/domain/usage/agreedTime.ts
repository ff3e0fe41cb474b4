import type { HostClock } from '../../ports/platform/clock.ts';
import type { Query, RecordStore } from '../../ports/stores/recordStore.ts';

/** Documents that name the member that wrote them. */
interface Dated<F extends string> {
  collection: string;
  query?: Query;
  /** The field with their time, epoch seconds. */
  field: F;
}

/**
 * Epoch seconds by which the age of documents is judged: a clock that is ahead must not make those of other members old. The
 * processes of one member share its clock, so they cannot confirm it to one another; where only one member writes, its clock decides.
 */
export async function agreedTime<F extends string>(
  { records, clock }: { records: RecordStore; clock: HostClock },
  { collection, query = {}, field }: Dated<F>,
): Promise<number> {
  const [newest] = await records.find<{ _key: string } & Record<F, number>>(collection, {
    query: { ...query, member: { $ne: clock.member } },
    sort: `${field}:-1`,
    limit: 1,
    fields: [field],
  });
  return Math.min(clock.now() / 1000, newest?.[field] ?? Number.POSITIVE_INFINITY);
}

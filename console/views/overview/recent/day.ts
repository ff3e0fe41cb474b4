import type { Reply } from '../../../../client/src/index.ts';
import { type Stack, stackOf } from '../../../parts/chart/stack.ts';
import { beginsOf, type Span } from '../../usage/uses/time.ts';

/** Sums of one hour and one operation. */
export type HourRow = Pick<Reply<'getUsage'>['result'][number], 'time' | 'requests' | 'failed'>;

const OUTCOMES = { success: 'Without a failure', fail: 'Failed' } as const;

/** All hours of a span, each with its requests by outcome. */
export function hoursOf(rows: readonly HourRow[], span: Span): Stack {
  const values = rows.flatMap(({ time: begin = 0, requests, failed }) => [
    { at: begin, group: OUTCOMES.success, value: requests - failed },
    { at: begin, group: OUTCOMES.fail, value: failed },
  ]);
  return stackOf(values, beginsOf(span, 'hour'), '');
}

/** The failures of an hour. @param place of the hour in the stack */
export function failedIn({ names, points }: Stack, place: number): number {
  const index = names.indexOf(OUTCOMES.fail);
  return points[place]?.values[index] ?? 0;
}

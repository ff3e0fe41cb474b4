import type { RunDetail, RunStep } from '../../../../client/src/index.ts';

/** Where a step stands in the time of its run. */
export interface Span {
  /** Milliseconds since the run began. */
  from: number;
  /** Milliseconds; of a step under way, until now. */
  length: number;
}

/** Milliseconds that a run took, or has taken so far. @param now epoch seconds */
export function lengthOf({ started_at, ended_at, steps }: RunDetail, now: number): number {
  const ends = steps.map((step) => step.started_at + (step.duration_ms ?? 0) / 1000);
  // The clock of the browser may differ from that of the app.
  const end = Math.max(started_at, ...ends, ended_at ?? now);
  return Math.round(1000 * (end - started_at));
}

export function spanOf({ started_at }: RunDetail, step: RunStep, total: number): Span {
  const from = Math.min(total, Math.max(0, Math.round(1000 * (step.started_at - started_at))));
  return { from, length: Math.min(total - from, step.duration_ms ?? total - from) };
}

export type Share = RunStep['kind'] | 'between';

/** Milliseconds by kind of step; `between` is the time without any, in which people decided or a worker was awaited. */
export function sharesOf(run: RunDetail, total: number): Map<Share, number> {
  const shares = new Map<Share, number>();
  const add = (share: Share, ms: number) => shares.set(share, (shares.get(share) ?? 0) + ms);
  let covered = 0;
  let until = 0;
  const spans = run.steps.map((step) => ({ step, ...spanOf(run, step, total) })).toSorted((a, b) => a.from - b.from);
  for (const { step, from, length } of spans) {
    const isOpen = step.state === 'waiting' || step.state === 'unknown';
    if (isOpen) continue;
    // Each moment of calls side by side counts once.
    const own = Math.max(0, from + length - Math.max(from, until));
    if (own > 0) add(step.kind, own);
    covered += own;
    until = Math.max(until, from + length);
  }
  if (total > covered) add('between', total - covered);
  return shares;
}

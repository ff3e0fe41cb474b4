import { counted } from '../../contract/basics.ts';
import { ALERT_OUTCOMES } from '../../contract/families/alerts.ts';
import { pair } from './actionLog.ts';
import type { HandedOver } from './handOver.ts';

type Line = readonly ['INFO' | 'WARN' | 'ERROR', string];

/**
 * The lines of the action about its rows: each run, each reason of a refusal once, and the sums.
 * @param rows that were to be handed over
 * @param clean makes texts of the gateway safe for a log
 * @returns with the exit code
 */
export function reportLines(
  { outcomes, failure, warnings = new Set() }: HandedOver,
  rows: number,
  clean: (text: string) => string,
): { lines: Line[]; code: 0 | 1 | 2 } {
  const lines: Line[] = [];
  const runs = new Set<string>();
  const refused = new Map<string, number>();
  for (const { outcome, runId, errorCode, message } of outcomes.values()) {
    if (runId !== undefined) runs.add(`${pair('run_id', clean(runId))} ${pair('outcome', outcome)}`);
    if (outcome !== 'refused') continue;
    const why = `${pair('error_code', clean(errorCode ?? ''))}: ${clean(message ?? 'the gateway gave no reason')}`;
    refused.set(why, (refused.get(why) ?? 0) + 1);
  }
  for (const run of runs) lines.push(['INFO', run]);
  for (const warning of warnings) lines.push(['WARN', clean(warning)]);
  for (const [why, count] of refused) lines.push(['ERROR', `${counted(count, 'row')} refused, ${why}`]);
  const missing = rows - outcomes.size;
  if (missing > 0) {
    const why = clean(failure ?? 'the hand-over did not end');
    lines.push(['ERROR', `${counted(missing, 'row')} not handed over: ${why}`]);
  }
  const sums = ALERT_OUTCOMES.flatMap((name) => {
    const count = [...outcomes.values()].filter(({ outcome }) => outcome === name).length;
    return count > 0 ? [`${count} ${name}`] : [];
  });
  lines.push(['INFO', `${counted(rows, 'row')}: ${sums.join(', ') || 'none handed over'}`]);
  return { lines, code: missing > 0 ? 2 : refused.size > 0 ? 1 : 0 };
}

import { type Figure, figureOf, type Pairs, pairedRatio } from './measure.ts';

export interface Comparison {
  what: string;
  /** Describes the baseline. */
  against: string;
  unit: 'ms' | 'MiB' | '/s';
  /** Compares these figures; default: the median of the ratios of pairs. */
  figures?: { ours: Figure; base: Figure };
  /** With `more`, limits are minimums. */
  better?: 'less' | 'more';
  /** The target ratio. */
  aim?: number;
  /**
   * The limit with `--short`: the measured ratio plus a margin for busy machines. Only rows with a stable ratio have one.
   */
  keep?: number;
}

export interface Row extends Comparison, Pairs {}

/** Which limit applies. */
export type Held = 'aim' | 'keep';

const sideOf = (row: Row, side: 'ours' | 'base'): number => figureOf(row.figures?.[side] ?? 'p50', row[side]);

export const ratioOf = (row: Row): number =>
  row.figures ? sideOf(row, 'ours') / sideOf(row, 'base') : pairedRatio(row);

/** '' for a row without a limit; NaN misses every limit. */
function verdict(row: Row, held: Held): '' | 'ok' | 'over' | 'under' {
  const limit = row[held];
  if (limit === undefined) return '';
  if (row.better === 'more') return ratioOf(row) >= limit ? 'ok' : 'under';
  return ratioOf(row) <= limit ? 'ok' : 'over';
}

const limitOf = (row: Row, held: Held): string => {
  const limit = row[held];
  return limit === undefined ? '' : `${row.better === 'more' ? '>=' : '<='} ${limit}`;
};

export function table(rows: readonly Row[], held: Held): string {
  const head = ['what', 'ours', 'against', 'base', 'ratio', held, ''];
  const lines = rows.map((row) => [
    row.what,
    `${sideOf(row, 'ours').toFixed(2)} ${row.unit}`,
    row.against,
    `${sideOf(row, 'base').toFixed(2)} ${row.unit}`,
    ratioOf(row).toFixed(2),
    limitOf(row, held),
    verdict(row, held),
  ]);
  const widths = head.map((title, column) =>
    Math.max(title.length, ...lines.map((line) => (line[column] ?? '').length)),
  );
  const print = (line: readonly string[]) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return [head, widths.map((width) => '-'.repeat(width)), ...lines].map(print).join('\n');
}

/** Describes rows that miss their limit and counts those that meet it. */
export function summary(rows: readonly Row[], held: Held): { missed: string[]; passed: number } {
  const limited = rows.filter((row) => row[held] !== undefined);
  const missed = limited
    .map((row) => ({ row, outcome: verdict(row, held) }))
    .filter(({ outcome }) => outcome !== 'ok')
    .map(({ row, outcome }) => {
      return `${outcome}: ${row.what}, against ${row.against}: ${ratioOf(row).toFixed(2)}, not ${limitOf(row, held)}`;
    });
  return { missed, passed: limited.length - missed.length };
}

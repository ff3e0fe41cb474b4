import { type Figure, figureOf, type Pairs, pairedRatio } from './measure.ts';

/** What is compared, and what the ratio is held to. */
export interface Comparison {
  what: string;
  /** What `base` is. */
  against: string;
  unit: 'ms' | 'MiB' | '/s';
  /** The figures of each side whose ratio counts; without them it is the median of the ratios pair by pair. */
  figures?: { ours: Figure; base: Figure };
  /** Of what there should be much, limits are the least that is good enough. */
  better?: 'less' | 'more';
  /** The ratio we aim for. */
  aim?: number;
  /**
   * The ratio that `--short` holds the row to: worse than what is measured by a margin that a busy machine stays within.
   * Only rows whose ratio is stable have one.
   */
  keep?: number;
}

export interface Row extends Comparison, Pairs {}

/** Whether a row is held to its aim, or to what has been reached. */
export type Held = 'aim' | 'keep';

const sideOf = (row: Row, side: 'ours' | 'base'): number => figureOf(row.figures?.[side] ?? 'p50', row[side]);

export const ratioOf = (row: Row): number =>
  row.figures ? sideOf(row, 'ours') / sideOf(row, 'base') : pairedRatio(row);

/** '' for a row without a limit; a ratio that is no number keeps none. */
export function verdict(row: Row, held: Held): '' | 'ok' | 'over' | 'under' {
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

/** What is to be said of each row that misses its limit, and how many do not; rows without one are neither. */
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

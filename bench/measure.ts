/** One comparison: what we do beside a yardstick, measured in turn in one run. */
export interface Row {
  what: string;
  /** What `base` is. */
  against: string;
  unit: 'ms' | 'MiB';
  ours: readonly number[];
  base: readonly number[];
  /** The ratio we aim for, at most. */
  aim?: number;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

/** The two in turn, so that a drift of the machine meets both; the first pair warms up and is not counted. */
export async function inTurn(
  runs: number,
  ours: () => Promise<number>,
  base: () => Promise<number>,
): Promise<Pick<Row, 'ours' | 'base'>> {
  const result = { ours: [] as number[], base: [] as number[] };
  for (let run = 0; run <= runs; run++) {
    const [a, b] = [await ours(), await base()];
    if (run === 0) continue;
    result.ours.push(a);
    result.base.push(b);
  }
  return result;
}

/** Milliseconds that an action takes. */
export async function timed(action: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await action();
  return performance.now() - started;
}

/** Median of the ratios pair by pair: the machine's speed at that moment cancels out. */
function ratio({ ours, base }: Pick<Row, 'ours' | 'base'>): number {
  return median(ours.map((value, index) => value / (base[index] ?? Number.NaN)));
}

export function table(rows: readonly Row[]): string {
  const head = ['what', 'ours', 'against', 'base', 'ratio', 'aim'];
  const lines = rows.map((row) => [
    row.what,
    `${median(row.ours).toFixed(2)} ${row.unit}`,
    row.against,
    `${median(row.base).toFixed(2)} ${row.unit}`,
    ratio(row).toFixed(2),
    row.aim === undefined ? '' : `<= ${row.aim}`,
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

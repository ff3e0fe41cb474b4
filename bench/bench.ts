import { TestPlatform } from '../test/support/e2e/platform.ts';
import { inTurn, type Pairs, timed } from './measure.ts';
import { type Comparison, type Row, ratioOf } from './report.ts';

/** Fraction of runs with `--short`. */
const SHORT = 1 / 3;

/** Collects rows, and decides which are measured and how often. */
export class Bench {
  readonly rows: Row[] = [];
  readonly #isShort: boolean;

  constructor(isShort: boolean) {
    this.#isShort = isShort;
  }

  /** Whether any of these is measured: with `--short` only rows with a `keep` limit. */
  wants(...comparisons: readonly Comparison[]): boolean {
    return !this.#isShort || comparisons.some(({ keep }) => keep !== undefined);
  }

  /** @param measure receives the number of pairs */
  async row(comparison: Comparison, runs: number, measure: (runs: number) => Promise<Pairs>): Promise<void> {
    if (!this.wants(comparison)) return;
    this.add(comparison, await measure(this.#isShort ? Math.ceil(runs * SHORT) : runs));
  }

  /** A row that was measured together with others. */
  add(comparison: Comparison, pairs: Pairs): void {
    const row = { ...comparison, ...pairs };
    this.rows.push(row);
    process.stderr.write(`bench: ${row.what}: ${ratioOf(row).toFixed(2)}\n`);
  }

  /** Times both actions alternately. */
  async times(
    comparison: Omit<Comparison, 'unit'>,
    runs: number,
    ours: () => Promise<unknown>,
    base: () => Promise<unknown>,
  ): Promise<void> {
    await this.row({ ...comparison, unit: 'ms' }, runs, (some) =>
      inTurn(
        some,
        () => timed(ours),
        () => timed(base),
      ),
    );
  }
}

/**
 * Starts a platform for one suite. Suites do not share one, since an idle platform may close a connection just as a call is sent.
 */
export async function onPlatform(measure: (platform: TestPlatform) => Promise<void>): Promise<void> {
  const platform = await new TestPlatform().start();
  try {
    await measure(platform);
  } finally {
    await platform.dispose();
  }
}

export function leftOut(what: string, why: string): void {
  process.stderr.write(`bench: no rows of ${what}: ${why}\n`);
}

import { TestPlatform } from '../test/support/e2e/platform.ts';
import { inTurn, type Pairs, timed } from './measure.ts';
import { type Comparison, type Row, ratioOf } from './report.ts';

/** Of the runs of a row, this part is made with `--short`. */
const SHORT = 1 / 3;

/** A run of the bench: collects rows, and knows which of them are wanted and how often they are measured. */
export class Bench {
  readonly rows: Row[] = [];
  readonly #isShort: boolean;

  constructor(isShort: boolean) {
    this.#isShort = isShort;
  }

  /** Whether any of these is measured: with `--short` only what is kept. */
  wants(...comparisons: readonly Comparison[]): boolean {
    return !this.#isShort || comparisons.some(({ keep }) => keep !== undefined);
  }

  /** @param measure is given how often it is to do both */
  async row(comparison: Comparison, runs: number, measure: (runs: number) => Promise<Pairs>): Promise<void> {
    if (!this.wants(comparison)) return;
    const row = { ...comparison, ...(await measure(this.#isShort ? Math.ceil(runs * SHORT) : runs)) };
    this.rows.push(row);
    process.stderr.write(`bench: ${row.what}: ${ratioOf(row).toFixed(2)}\n`);
  }

  /** What both actions take, in turn. */
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
 * Gives a suite a platform of its own. One that nobody asks for a minute closes its connections, perhaps just as the next call is sent,
 * so suites do not share one.
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

import { TestPlatform } from '../../test/support/e2e/platform.ts';
import { logIn, openBrowser } from '../../test/support/programs/browser.ts';
import { fillConnections, untilShown } from '../../test/support/records/connectionPages.ts';
import { type Bench, leftOut } from '../bench.ts';
import { inTurn } from '../measure.ts';

const MANY = 1000;
const RUNS = 15;

/** The page of connections in a browser, full beside empty; no row where there is no browser. */
export async function console(bench: Bench): Promise<void> {
  const browser = await openBrowser(() => leftOut('the console', 'there is no browser (apt-get install chromium)'));
  if (!browser) return;
  const env = { ML_WEB_PORT: '0' };
  const [full, empty] = [new TestPlatform({ env }), new TestPlatform({ env })];
  try {
    await full.start();
    await empty.start();
    await fillConnections(full, MANY);
    const [filled, blank] = [await logIn(browser, full), await logIn(browser, empty)];
    const comparison = {
      what: 'first row of 1,000 connections',
      against: 'an empty table',
      unit: 'ms',
      aim: 1.3,
    } as const;
    await bench.row(comparison, RUNS, (runs) =>
      inTurn(
        runs,
        () => untilShown(filled, full, 'Copy 0'),
        () => untilShown(blank, empty, 'No MCP connections yet'),
      ),
    );
  } finally {
    await browser.close();
    await full.dispose();
    await empty.dispose();
  }
}

import { setTimeout } from 'node:timers/promises';
import type { Route } from 'playwright-core';
import { expectAccessible, type Visit } from '../programs/browser.ts';
import type { Walk } from './walk.ts';

const SLOW_MS = 1500;

interface EmptyList {
  view: string;
  /** The request that reads it. */
  api: RegExp;
  /** Its records, as the page names them. */
  many: string;
  /** The explanation beside the words that there are none. */
  about: RegExp;
}

/** An empty list says so, that it waits, and that it cannot be read; it can be read again then. */
export async function expectListStates(walk: Walk, visit: Visit, { view, api, many, about }: EmptyList): Promise<void> {
  const { page } = walk;
  await walk.open(view);
  await walk.see(page, `No ${many} yet`, about);
  await expectAccessible(visit, `no ${many}`);
  const slow = (route: Route) => setTimeout(SLOW_MS).then(() => route.continue());
  await page.route(api, slow);
  await walk.open(view);
  await walk.see(page, `Waiting for ${many} …`);
  await page.unroute(api, slow);
  const refusal = { status: 'fail', message: 'The list is on fire', error_code: 'validation_failed' };
  const failing = (route: Route) => route.fulfill({ status: 400, json: refusal });
  await page.route(api, failing);
  await walk.open(view);
  const alert = page.getByRole('alert').first();
  await walk.see(alert, 'The list is on fire', 'validation_failed');
  await expectAccessible(visit, `${many} that cannot be read`);
  await page.unroute(api, failing);
  await walk.press('Retry', alert);
  await walk.see(page, `No ${many} yet`);
}

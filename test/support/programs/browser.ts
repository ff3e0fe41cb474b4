import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { expect } from 'chai';
import { type Browser, type BrowserContext, chromium, type Page, type Request } from 'playwright-core';
import { type StartOptions, TestPlatform } from '../e2e/platform.ts';
import { eventually } from '../time.ts';

const CHROMIUM_NAMES = ['chromium', 'chromium-browser', 'google-chrome'];
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
/** A machine with other tests on it; longer than the half minute after which pages look again by themselves. */
const PATIENCE_MS = 60_000;
/** A page that has asked for nothing for so long has all that it wants. */
const QUIET_MS = 500;

/**
 * The one call whose normal answer is a 500 (`verification_failed`): the interface fixes that status, so the browser logs "Failed to
 * load resource" although the form shows the outcome. Any other 500 is an error.
 */
const NORMAL_500 = /\/ml\/test_container_connection$/;

/** Errors on a page. */
export interface Complaints {
  /** Errors in the browser's console, those that nobody caught, and answers of 500. */
  errors: string[];
  /** Requests that left the page's own server. */
  strangers: string[];
  /** Answers of 400 and more. */
  refused: string[];
}

/** `CHROMIUM_PATH`, or the first Chromium on PATH; playwright's own would have to be downloaded. */
function findChromium(): string | undefined {
  const { CHROMIUM_PATH, PATH = '' } = process.env;
  if (CHROMIUM_PATH) return CHROMIUM_PATH;
  const candidates = CHROMIUM_NAMES.flatMap((name) => PATH.split(delimiter).map((folder) => join(folder, name)));
  return candidates.find((file) => existsSync(file));
}

/** A browser for the tests of one file; undefined where there is none, which `CI=true` does not accept. */
export async function openBrowser(skip: () => void): Promise<Browser | undefined> {
  const executablePath = findChromium();
  if (executablePath) return chromium.launch({ executablePath, args: ['--no-sandbox'] });
  if (process.env.CI === 'true')
    throw new Error('There is no Chromium on PATH. Install it (apt-get install chromium), or set CHROMIUM_PATH.');
  skip();
  return undefined;
}

export interface Visit {
  page: Page;
  context: BrowserContext;
  complaints: Complaints;
}

/** A user of the pages, logged in. @param options of the browser's context, such as `viewport` */
export async function logIn(
  browser: Browser,
  platform: TestPlatform,
  user = 'admin',
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<Visit> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
    ...options,
  });
  context.setDefaultTimeout(PATIENCE_MS);
  context.on('page', listen);
  const page = await context.newPage();
  const complaints: Complaints = { errors: [], strangers: [], refused: [] };
  page.on('console', (message) => {
    // That an answer was a refusal is listed by itself.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.errors.push(message.text());
  });
  page.on('pageerror', ({ message }) => complaints.errors.push(message));
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (origin !== platform.web && protocol !== 'data:') complaints.strangers.push(request.url());
  });
  page.on('response', (response) => {
    if (response.status() < 400) return;
    const { pathname } = new URL(response.url());
    const line = `${response.status()} ${response.request().method()} ${pathname}`;
    complaints.refused.push(line);
    if (response.status() === 500 && !NORMAL_500.test(pathname)) complaints.errors.push(line);
  });
  await page.goto(platform.web);
  await submitLogin(page, platform, user);
  return { page, context, complaints };
}

/** Logs in at the login page that is shown, and waits for the page that follows: the login page has a heading of its own. */
export async function submitLogin(page: Page, platform: TestPlatform, user = 'admin'): Promise<void> {
  await page.getByLabel('User name').fill(user);
  await page.getByLabel('Password').fill(platform.passwordOf(user));
  await page.keyboard.press('Enter');
  await explainTimeout(
    page,
    page.waitForURL(({ pathname }) => !pathname.endsWith('/account/login')),
  );
  await untilHeaded(page);
}

const traffic = new WeakMap<Page, { open: Set<Request>; changed: number }>();

function listen(page: Page): void {
  const seen = { open: new Set<Request>(), changed: performance.now() };
  traffic.set(page, seen);
  const note = (change: (request: Request) => unknown) => (request: Request) => {
    change(request);
    seen.changed = performance.now();
  };
  page.on(
    'request',
    note((request) => seen.open.add(request)),
  );
  const ended = note((request) => seen.open.delete(request));
  page.on('requestfinished', ended);
  page.on('requestfailed', ended);
}

/**
 * Until the page has no request open and has asked for nothing for half a second. Playwright's `networkidle` is reached once
 * for a document, and is true ever after: it waits for nothing that a click has started.
 */
export const untilQuiet = (page: Page): Promise<void> => untilAnswered(page, QUIET_MS);

/** Until the page has no request open. @param quietMs and has neither asked nor heard anything for so long */
export async function untilAnswered(page: Page, quietMs = 0): Promise<void> {
  const seen = traffic.get(page);
  if (!seen) throw new Error('only pages of who logged in here are listened to');
  const from = performance.now();
  const isQuiet = () => seen.open.size === 0 && performance.now() - Math.max(from, seen.changed) >= quietMs;
  await eventually(isQuiet, PATIENCE_MS, `answers to ${[...seen.open].map((request) => request.url())}`);
}

/** A platform with its pages, a browser, and an administrator at it. */
export interface Site {
  browser: Browser;
  platform: TestPlatform;
  admin: Visit;
  /** Somebody else at the pages, or the same user in another browser. */
  visit(user?: string, options?: Parameters<Browser['newContext']>[0]): Promise<Visit>;
  dispose(): Promise<void>;
}

/** What the tests of one file need; they are skipped where there is no browser. @param context `this` of the hook */
export async function openSite(context: Pick<Mocha.Context, 'skip'>, options: StartOptions = {}): Promise<Site> {
  const browser = await openBrowser(() => context.skip());
  if (!browser) throw new Error('unreachable: without a browser the tests are skipped');
  const platform = new TestPlatform({ ...options, env: { ...options.env, ML_WEB_PORT: '0' } });
  const dispose = async () => {
    await browser.close();
    await platform.dispose();
  };
  try {
    await platform.start();
    const visit: Site['visit'] = (user, how) => logIn(browser, platform, user, how);
    return { browser, platform, admin: await visit(), visit, dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** Opens a view by its address. */
export async function openView({ page }: Visit, platform: TestPlatform, view: string): Promise<void> {
  await page.goto(`${platform.web}/en-US/app/ml_extension/${view}`);
  await untilHeaded(page);
}

/** Until the page says what it is. */
const untilHeaded = (page: Page): Promise<void> =>
  explainTimeout(page, page.getByRole('heading', { level: 1 }).waitFor());

/** Waits for a step at a page. @throws what the page shows and what it waits for, beside the step's own error */
export async function explainTimeout<Result>(page: Page, step: Promise<Result>): Promise<Result> {
  try {
    return await step;
  } catch (cause) {
    const bodyText = (await page.locator('body').innerText()).slice(0, 500);
    const open = [...(traffic.get(page)?.open ?? [])].map((request) => request.url());
    const shown = `${page.url()} shows "${bodyText}" and waits for [${open.join(', ')}]`;
    throw new Error(`${cause instanceof Error ? cause.message : cause}; ${shown}`, { cause });
  }
}

const TRANSITIONS_ENDED = `Promise.allSettled(
  document.getAnimations().filter((each) => each instanceof CSSTransition).map((each) => each.finished)
).then(() => undefined)`;

/** WCAG 2.2, levels A and AA, as far as a program can tell. */
export async function expectAccessible({ page }: Visit, what: string): Promise<void> {
  // A colour that still changes has too little contrast for a moment.
  await page.evaluate(TRANSITIONS_ENDED);
  await page.evaluate(AXE);
  const violations = (await page.evaluate(`axe.run(document, { runOnly: ${JSON.stringify(WCAG)} })`)) as {
    violations: { id: string; impact: string; nodes: { html: string }[] }[];
  };
  const found = violations.violations.map(
    ({ id, impact, nodes }) => `${impact} ${id}: ${nodes[0]?.html.slice(0, 200)}`,
  );
  expect(found, `${what} at ${page.url()}`).to.deep.equal([]);
}

import { expect } from 'chai';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import type { TestPlatform } from '../e2e/platform.ts';
import { explainTimeout, openView, type Visit } from '../programs/browser.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Calls the API as an administrator. @returns the body of the reply */
export const callAdmin = async (platform: TestPlatform, method: Method, path: string, body?: object, status = 200) => {
  const reply = await platform.ml('admin', method, path, body);
  expect(reply.status, reply.text.slice(0, 300)).to.equal(status);
  return reply.json;
};

/** The steps that walks through the pages are made of. */
export interface Walk {
  page: Page;
  open(view: string): Promise<void>;
  dialog(name: string | RegExp): Locator;
  /** A button of a dialog, or of the page. */
  press(name: string, where?: Locator | Page): Promise<void>;
  /** Texts by the labels of their fields. */
  fill(form: Locator | Page, texts: Readonly<Record<string, string>>): Promise<void>;
  /** One of the options of a field with such a path. */
  choose(form: Locator, path: string, option: string | RegExp): Promise<void>;
  /** Opens the form for a new record. */
  openForm(view: string, one: string): Promise<Locator>;
  /** Opens the form for a change of the record whose panel is open. */
  edit(title: string): Promise<Locator>;
  see(where: Locator | Page, ...texts: (string | RegExp)[]): Promise<void>;
}

export function walkOf(visit: Visit, platform: TestPlatform): Walk {
  const { page } = visit;
  const dialog: Walk['dialog'] = (name) => page.getByRole('dialog', { name, exact: true });
  const press: Walk['press'] = (name, where = page) =>
    explainTimeout(page, where.getByRole('button', { name, exact: true }).first().click());
  return {
    page,
    open: (view) => openView(visit, platform, view),
    dialog,
    press,
    async fill(form, texts) {
      for (const [label, text] of Object.entries(texts)) await form.getByLabel(label, { exact: true }).fill(text);
    },
    async choose(form, path, option) {
      await form.locator(`[data-place="${path}"] button`).first().click();
      await page
        .getByRole('option', { name: option, exact: typeof option === 'string' })
        .first()
        .click();
    },
    async openForm(view, one) {
      await openView(visit, platform, view);
      await press(`New ${one}`);
      const form = dialog(`New ${one}`);
      await explainTimeout(page, form.waitFor());
      return form;
    },
    async edit(title) {
      await press('Edit', dialog(title));
      return dialog(`Edit ${title}`);
    },
    async see(where, ...texts) {
      for (const text of texts) await where.getByText(text).first().waitFor();
    },
  };
}

/** Logs out in another tab, and leaves it at the login. */
export async function logOut(context: BrowserContext, platform: TestPlatform): Promise<Page> {
  const other = await context.newPage();
  await other.goto(platform.web);
  await other.getByRole('button', { name: 'Log out' }).click();
  await other.getByLabel('User name').waitFor();
  return other;
}

/** Neither the page nor what it keeps has such a text. */
export async function expectNowhere({ page }: Visit, secret: string): Promise<void> {
  const storage = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])');
  expect(`${await page.content()}${storage}${page.url()}`).to.not.contain(secret);
}

/** The browser reported no error, and no request left the server of the page. */
export function expectNoComplaints({ complaints: { errors, strangers } }: Visit): void {
  expect({ errors, strangers }).to.deep.equal({ errors: [], strangers: [] });
}

/** What the browser does when another tab covers this one. */
export const turnTab = (page: Page, state: 'hidden' | 'visible'): Promise<void> =>
  page.evaluate(`{
    Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
    Object.defineProperty(document, 'hidden', { value: ${state === 'hidden'}, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }`);

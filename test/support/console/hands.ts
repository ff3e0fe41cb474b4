import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { eventually } from '../time.ts';

/** How somebody uses a page: with a mouse, or with the keyboard alone. */
export interface Hands {
  press(what: Locator): Promise<void>;
  type(field: Locator, text: string): Promise<void>;
  /** One of a control's options, by its words. */
  choose(control: Locator, option: string | RegExp): Promise<void>;
  /** A box to tick. */
  tick(box: Locator): Promise<void>;
  /** Closes the panel that is open. */
  leave(panel: Locator): Promise<void>;
  /** What was wrong with how the page answered, such as a focus that nobody saw. */
  complaints: string[];
}

export const mouse = (page: Page): Hands => ({
  press: (what) => what.click(),
  type: (field, text) => field.fill(text),
  async choose(control, option) {
    await control.click();
    await page.getByRole('option', { name: option, exact: true }).click();
  },
  tick: (box) => box.check(),
  leave: (panel) => panel.getByRole('button', { name: 'Close', exact: true }).click(),
  complaints: [],
});

/** So many stops of Tab lead to anything on a page. */
const MOST_STOPS = 150;

/** Where Tab has led. */
interface Stop {
  isThere: boolean;
  /** The way to it is back. */
  isBefore: boolean;
  /** What had the focus before, and looks the same without it. */
  unseen: string | null;
}

/** What the page keeps of the stop before. */
interface LastFocus {
  lastStop?: { element: Element; look: string[] };
}

/** In the page, in one go, since there are many stops. */
function describeStop(target: Element): Stop {
  /** With what an element stands in. */
  const lookOf = (element: Element): string[] => {
    const layers: string[] = [];
    let node: Element | null = element;
    for (let up = 0; node && node !== document.body && up < 4; node = node.parentElement, up++) {
      for (const part of [null, '::before', '::after']) {
        const { outline, boxShadow, borderColor, backgroundColor, color, opacity, left } = getComputedStyle(node, part);
        layers.push([outline, boxShadow, borderColor, backgroundColor, color, opacity, left].join(' '));
      }
    }
    return layers;
  };
  // What fades from one look to another is looked at when it has faded; what turns for ever has no end.
  for (const animation of document.getAnimations())
    if (animation.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY) animation.finish();
  const lastFocus = window as unknown as LastFocus;
  const [before, now] = [lastFocus.lastStop, document.activeElement ?? document.body];
  const isNowhere = now === document.body;
  let unseen: string | null = null;
  if (before && before.element !== now && before.element.isConnected) {
    const left = lookOf(before.element);
    // A frame around both shows the one as it shows the other.
    const isShared = before.element.parentElement?.parentElement?.contains(now) === true && !isNowhere;
    if (!isShared && left.every((layer, at) => layer === before.look[at]))
      unseen = before.element.getAttribute('aria-label') ?? before.element.outerHTML.slice(0, 120);
  }
  if (isNowhere) delete lastFocus.lastStop;
  else lastFocus.lastStop = { element: now, look: lookOf(now) };
  const isBefore = (now.compareDocumentPosition(target) & Node.DOCUMENT_POSITION_PRECEDING) !== 0;
  return { isThere: now === target, isBefore: isBefore && !isNowhere, unseen };
}

export function keyboard(page: Page): Hands {
  const complaints: string[] = [];
  const goTo = async (what: Locator): Promise<void> => {
    await what.waitFor();
    for (let stops = 0; stops < MOST_STOPS; stops++) {
      const { isThere, isBefore, unseen } = await what.evaluate(describeStop);
      if (unseen !== null) complaints.push(`nobody sees the focus on ${unseen}`);
      if (isThere) return;
      await page.keyboard.press(isBefore ? 'Shift+Tab' : 'Tab');
    }
    const focused = await page.evaluate('document.activeElement.outerHTML.slice(0, 200)');
    throw new Error(`Tab does not lead to ${what}, but to ${focused}`);
  };
  return {
    complaints,
    async press(what) {
      await goTo(what);
      await page.keyboard.press('Enter');
    },
    async type(field, text) {
      await goTo(field);
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.press('Delete');
      // At once: each letter would draw the form anew.
      await page.keyboard.insertText(text);
    },
    async choose(control, option) {
      await goTo(control);
      // Some lists are open as soon as the focus is there: Enter would take the first option.
      if ((await control.getAttribute('aria-expanded')) !== 'true') await page.keyboard.press('Enter');
      const target = page.getByRole('option', { name: option, exact: true });
      await target.waitFor();
      for (let steps = 0; steps < 40; steps++) {
        if (await isCurrent(target)) {
          await page.keyboard.press('Enter');
          return;
        }
        await page.keyboard.press('ArrowDown');
      }
      throw new Error(`The arrows do not lead to ${option}`);
    },
    async tick(box) {
      await goTo(box);
      await page.keyboard.press('Space');
      expect(await box.isChecked()).to.equal(true);
    },
    async leave() {
      await page.keyboard.press('Escape');
    },
  };
}

/** By itself, or as a list says it of its options. */
const isCurrent = (option: Locator): Promise<boolean> =>
  option.evaluate((element) => {
    const active = document.activeElement;
    return element === active || (element.id !== '' && active?.getAttribute('aria-activedescendant') === element.id);
  });

export const hasFocus = async (what: Locator): Promise<boolean> =>
  (await what.count()) > 0 && what.first().evaluate((element) => element === document.activeElement);

export const expectFocus = (what: Locator, why: string): Promise<unknown> =>
  eventually(() => hasFocus(what), 10_000, why);

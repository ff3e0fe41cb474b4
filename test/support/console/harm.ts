import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { Visit } from '../programs/browser.ts';
import { eventually } from '../time.ts';
import { expectNoComplaints } from './walk.ts';

const OUTSIDE = 'http://outside.invalid';

/** Runs a script and loads an image from outside if a page treats it as markup. */
export const MARKUP = `</pre><script>window.broken=1</script><img src="${OUTSIDE}/a.png" onerror="alert(1)"><b>bold</b>`;
/** The same as Markdown, and as a formula of a spreadsheet. */
export const MARKDOWN = `![pixel](${OUTSIDE}/b.png) [run](javascript:window.broken=1)`;
export const FORMULA = `=HYPERLINK("${OUTSIDE}/";"open")`;
/** Characters that reverse text, hide in it, or control a terminal. */
export const HIDDEN = 'a\u202eb\u200bc\ufeffd\u0007e\u2066f\u009fg';
/** As it has to be shown. */
export const SHOWN = 'a[U+202E]b[U+200B]c[U+FEFF]d[U+0007]e[U+2066]f[U+009F]g';

export const HOSTILE = `${MARKUP} ${MARKDOWN} ${FORMULA} ${HIDDEN}`;
/** One word that fits into no line. */
export const LONG = 'x'.repeat(100_000);

const WIDTHS = [1280, 320];

/** Elements that only a text could have brought, addresses that run, and texts with hidden characters. */
const FOUND = String.raw`(() => {
  const found = [];
  if ('broken' in window) found.push('a script of a text has run');
  for (const element of document.querySelectorAll('b, img, iframe, object, embed, [onerror], a[href^="javascript:" i]'))
    found.push(element.outerHTML.slice(0, 200));
  const texts = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const { parentElement: parent, data } = node;
    // The library joins an icon to the last word of a link.
    if (parent.closest('script, style, textarea') || data === '\u2060') continue;
    const at = data.search(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/);
    if (at >= 0) found.push('hidden characters in <' + parent.tagName + '> ' + JSON.stringify(data.slice(Math.max(0, at - 60), at + 20)));
  }
  return [...new Set(found)];
})()`;

/** Notes a pressed key, which proves that the page still responds. */
const LISTEN = `document.addEventListener('keydown', () => { window.hasAnswered = true; }, { once: true, capture: true })`;

const dialogs = new WeakMap<Page, string[]>();

/** Records dialogs that the browser opens from now on. */
export function watchDialogs({ page }: Visit): void {
  const seen: string[] = [];
  dialogs.set(page, seen);
  page.on('dialog', (dialog) => {
    seen.push(dialog.message());
    void dialog.dismiss();
  });
}

/** Asserts that no text of the page ran, was loaded, or hides characters, and that the page fits its window and responds. */
export async function expectHarmless(visit: Visit, what: string): Promise<void> {
  const { page } = visit;
  const wide = page.viewportSize();
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    const beyond = 'document.scrollingElement.scrollWidth - document.scrollingElement.clientWidth';
    // Charts follow the width of the window a moment later.
    const fits = async () => Number(await page.evaluate(beyond)) <= 0;
    await eventually(fits, 10_000, `${what} to fit a window of ${width} pixels`);
  }
  if (wide) await page.setViewportSize(wide);
  expect(await page.evaluate(FOUND), what).to.deep.equal([]);
  await page.evaluate(LISTEN);
  await page.keyboard.press('Shift');
  await eventually(() => page.evaluate('window.hasAnswered === true'), 20_000, `${what} to answer`);
  await page.evaluate('delete window.hasAnswered');
  expect(dialogs.get(page) ?? [], `dialogs of ${what}`).to.deep.equal([]);
  expectNoComplaints(visit);
}

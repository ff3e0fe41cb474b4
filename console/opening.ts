import type { ConsoleView } from '../src/contract/consoleViews.ts';
import { describeLoadFailure, retryLoad } from './parts/retryLoad.ts';

// The loader script of a view, which reports when the page cannot be loaded.

/** Set by the build: the view and the file of the main module. */
declare const VIEW: ConsoleView;
declare const MAIN: string;

// `document.currentScript` is set only during the first run.
const main = new URL(`../console/${MAIN}`, address()).href;

retryLoad((): Promise<typeof import('./main.tsx')> => import(main))
  .then(({ open }) => open(VIEW))
  .catch((error: unknown) => {
    console.error(error);
    document.body.append(notice(error));
  });

/** The URL of this script; loaders differ in how it can be found. */
function address(): string {
  const path = `/pages/${VIEW}.js`;
  const current = document.currentScript as HTMLScriptElement | null;
  const source = current?.src || [...document.scripts].map(({ src }) => src).find((src) => src.includes(path));
  if (source) return source;
  const { MRSPARKLE_ROOT_PATH: root = '', LOCALE: locale = 'en-US', BUILD_NUMBER: build } = window.$C ?? {};
  return `${location.origin}${root}/${locale}/static/@${build}/app/ml_extension${path}`;
}

/** Plain DOM, since React is not loaded. */
function notice(error: unknown): HTMLElement {
  const notice = document.createElement('p');
  notice.setAttribute('role', 'alert');
  notice.style.padding = '24px';
  const retry = document.createElement('button');
  retry.textContent = 'Retry';
  retry.onclick = () => location.reload();
  notice.append(`This page could not be loaded. ${describeLoadFailure(error)} `, retry);
  return notice;
}

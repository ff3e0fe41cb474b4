import type { ConsoleView } from '../src/contract/consoleViews.ts';
import { describeLoadFailure, retryLoad } from './parts/retryLoad.ts';

// The script that the platform loads for a view. It is small, and outlives what it loads: it tells when that cannot be had.

/** Written in by the build: the view, and the file that the module of all pages has become. */
declare const VIEW: ConsoleView;
declare const MAIN: string;

// The browser says which script is running only while it runs for the first time.
const main = new URL(`../console/${MAIN}`, address()).href;

retryLoad((): Promise<typeof import('./main.tsx')> => import(main))
  .then(({ open }) => open(VIEW))
  .catch((error: unknown) => {
    console.error(error);
    document.body.append(notice(error));
  });

/** Of this script: from what the browser says of it or, since loaders differ, from what the page knows. */
function address(): string {
  const path = `/pages/${VIEW}.js`;
  const current = document.currentScript as HTMLScriptElement | null;
  const found = current?.src || [...document.scripts].map(({ src }) => src).find((src) => src.includes(path));
  if (found) return found;
  const { MRSPARKLE_ROOT_PATH: root = '', LOCALE: locale = 'en-US', BUILD_NUMBER: build } = window.$C ?? {};
  return `${location.origin}${root}/${locale}/static/@${build}/app/ml_extension${path}`;
}

/** Nothing of the pages is there to say it with. */
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

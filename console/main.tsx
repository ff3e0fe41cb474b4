import layout from '@splunk/react-page/18';
import { CONSOLE_VIEWS, type ConsoleView } from '../src/contract/consoleViews.ts';
import { pauseWhileInactive } from './api/queries.ts';
import { App } from './app/App.tsx';
import { pageTheme } from './app/theme.ts';
import { guardDrafts } from './parts/form/draft/storage.ts';

/** Called by the loader script of each view. */
export async function open(view: ConsoleView): Promise<void> {
  pauseWhileInactive();
  guardDrafts();
  const pageTitle = `${CONSOLE_VIEWS[view]} | Machine Learning Extension`;
  layout(<App view={view} />, { pageTitle, theme: await pageTheme() });
}

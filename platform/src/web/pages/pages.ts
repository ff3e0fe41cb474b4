import type { HostedApp } from '../../apps/hostedApp.ts';
import { PLATFORM_BUILD } from '../../home/home.ts';
import { pageReply, type WebReply } from '../reply.ts';
import { Html, html, scriptValue } from './html.ts';
import { colours, isDark, type Theme, TYPEFACE } from './themes.ts';
import { appBuild, appLabel, type View } from './views.ts';

/** Cache buster: `/@<build>` for the platform's own files, `/@<build>:<app's build>` for an app's. */
export function cacheBuster(app?: HostedApp): string {
  return `@${PLATFORM_BUILD}${app === undefined ? '' : `:${appBuild(app)}`}`;
}

/** The layout of a page that the web side renders itself. */
export function pageOf(title: string, theme: Theme, body: Html): Html {
  const { ground, bar, text, link, line } = colours(isDark(theme));
  const style = new Html(`
body { margin: 0; background: ${ground}; color: ${text}; font: 16px/1.5 ${TYPEFACE}; }
main { box-sizing: border-box; max-width: 26rem; margin: 10vh auto; padding: 1.5rem 2rem; background: ${bar}; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; margin-top: 0; }
a { color: ${link}; }
input, button { box-sizing: border-box; width: 100%; padding: .5rem; border: 1px solid ${line}; font: inherit; color: ${text}; background: ${ground}; }
button { background: #1757a6; color: #ffffff; cursor: pointer; }
:focus-visible { outline: 2px solid ${link}; outline-offset: 2px; }`);
  return html`<html lang="en" style="color-scheme: ${isDark(theme) ? 'dark' : 'light'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>`;
}

const HEADINGS: Readonly<Record<number, string>> = { 400: 'Bad request', 404: 'Not found', 405: 'Not allowed' };

export function errorPage(status: number, text: string, theme: Theme): WebReply {
  const heading = HEADINGS[status] ?? 'This page cannot be shown';
  return pageReply(status, () =>
    pageOf(heading, theme, html`<h1>${heading}</h1>\n<p>${text}</p>\n<p><a href="/">Start page</a></p>`),
  );
}

/** Stands in for the platform's own template: loads what pages rely on, and the view's script. */
export function appPage(app: HostedApp, view: View, theme: Theme, nonce: string): Html {
  const base = `/en-US/static/${cacheBuster()}`;
  const script = `/en-US/static/${cacheBuster(app)}/app/${encodeURIComponent(app.name)}/pages/${view.name}.js`;
  const { ground } = colours(isDark(theme));
  // The background is set before any script runs, so that a dark page does not flash.
  return html`<html lang="en-US" style="color-scheme: ${isDark(theme) ? 'dark' : 'light'}; background: ${ground}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${view.label} | ${appLabel(app)}</title>
</head>
<body>
<script src="/en-US/config?autoload=1"></script>
<script src="${base}/js/i18n.js"></script>
<script src="/en-US/i18ncatalog?autoload=1"></script>
<script nonce="${nonce}">window.PAGE_PATH = ${new Html(scriptValue(script))};</script>
<script src="${base}/build/api/get_theme.js"></script>
<script src="${script}"></script>
</body>
</html>`;
}

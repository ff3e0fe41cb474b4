import { readFileSync } from 'node:fs';
import type { HostedApp } from '../../apps/hostedApp.ts';
import { pageReply, WebError, type WebReply } from '../reply.ts';
import { fileBelow } from '../staticFiles.ts';
import { Html } from './html.ts';
import { appPage } from './pages.ts';
import type { Theme } from './themes.ts';
import type { View } from './views.ts';

/** The platform's own template, since release 10.4. */
const FIRST_PARTY = 'pages/splunk_ui_app.html';
/** A template in the app, for earlier releases. */
const OF_APP = /^([\w.-]+):\/?templates\/([\w-][\w.-]*\.html)$/;
/** Kinds of templates that Splunk Web executes and that are not supported here. */
const MAKO = /\$\{|<%|^[ \t]*(?:%(?!%)|##)/m;

/** The page of a view. Unsupported views get an error message instead of a blank page. */
export function viewPage(app: HostedApp, view: View, theme: Theme): WebReply {
  const what = `The view "${view.name}" of the app ${app.name}`;
  if (view.kind !== 'view' || view.template === '') {
    throw new WebError(
      501,
      `${what} is a <${view.kind}> without a template, which the embedded platform does not render.`,
    );
  }
  if (view.template === FIRST_PARTY) {
    if (fileBelow(app, 'appserver/static', ['pages', `${view.name}.js`]) === undefined) {
      throw new WebError(404, `${what} has no script: appserver/static/pages/${view.name}.js is missing.`);
    }
    return pageReply(200, (nonce) => appPage(app, view, theme, nonce));
  }
  const [, owner, name = ''] = OF_APP.exec(view.template) ?? [];
  if (owner !== 'App' && owner !== app.name) {
    throw new WebError(
      501,
      `${what} names the template "${view.template}". The embedded platform serves "${FIRST_PARTY}", and plain files of the app as "App:/templates/<name>.html".`,
    );
  }
  const file = fileBelow(app, 'appserver/templates', [name]);
  if (file === undefined) {
    throw new WebError(404, `${what} has no template: appserver/templates/${name} is missing.`);
  }
  const text = readFileSync(file, 'utf8');
  if (MAKO.test(text)) {
    throw new WebError(501, `${what} has a Mako template (${name}). The embedded platform serves plain HTML only.`);
  }
  const page = text.replace(/^\s*<!doctype html>\s*/i, '');
  return pageReply(200, (nonce) => new Html(page.replace(/<script(?=[\s>])/gi, `<script nonce="${nonce}"`)));
}

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { copyTree, filesBelow } from './files.ts';

/** Template of the platform since release 10.4. */
export const OWN_TEMPLATE = 'pages/splunk_ui_app.html';
const VIEWS = 'default/data/ui/views';
const CLASSIC = 'App:/templates/console.html';

/** Static HTML with paths relative to `/<locale>/app/<app>/<view>`. */
const TEMPLATE = `<!doctype html>
<html lang="en-US">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Machine Learning Extension</title>
</head>
<body>
<script src="../../config?autoload=1"></script>
<script src="../../static/js/i18n.js"></script>
<script src="../../i18ncatalog?autoload=1"></script>
<script src="../../static/app/ml_extension/classic.js"></script>
</body>
</html>
`;

/** Loads the view's script under a URL that changes with every version. */
const LOADER = `(() => {
  const c = window.$C || {};
  const push = c.BUILD_PUSH_NUMBER ? '.' + c.BUILD_PUSH_NUMBER : '';
  const mark = '@' + c.BUILD_NUMBER + push + (c.APP_BUILD ? ':' + c.APP_BUILD : '');
  const view = location.pathname.replace(/\\/+$/, '').split('/').pop();
  const script = document.createElement('script');
  script.src = '../../static/' + mark + '/app/ml_extension/pages/' + view + '.js';
  document.body.appendChild(script);
})();
`;

/**
 * Copies the app for releases before 10.4, which lack the template: views use a static page instead.
 * @param dist the built app
 * @param into replaced if it exists
 */
export function makeClassic(dist: string, into: string): void {
  rmSync(into, { recursive: true, force: true });
  copyTree(dist, into);
  for (const path of filesBelow(join(into, VIEWS))) {
    const file = join(into, VIEWS, path);
    writeFileSync(file, readFileSync(file, 'utf8').replace(OWN_TEMPLATE, CLASSIC));
  }
  mkdirSync(join(into, 'appserver/templates'), { recursive: true });
  writeFileSync(join(into, 'appserver/templates/console.html'), TEMPLATE);
  writeFileSync(join(into, 'appserver/static/classic.js'), LOADER);
}

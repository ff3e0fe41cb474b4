import { CONSOLE_VIEWS } from '../../contract/consoleViews.ts';
import { OWN_TEMPLATE } from '../package/classicPages.ts';

const views = Object.entries(CONSOLE_VIEWS);

const HEAD = '<!-- Generated from the list of views (npm run generate). -->\n';

/** `default/data/ui/views/<view>.xml` of each: the platform's own template loads `appserver/static/pages/<view>.js`. */
export const viewFiles: Readonly<Record<string, () => string>> = Object.fromEntries(
  views.map(([view, label]) => [
    `default/data/ui/views/${view}.xml`,
    () => `${HEAD}<view template="${OWN_TEMPLATE}" type="html">\n  <label>${label}</label>\n</view>\n`,
  ]),
);

/** `default/data/ui/nav/default.xml`. */
export function navXml(): string {
  const entries = views.map(([view], index) => `  <view name="${view}"${index === 0 ? ' default="true"' : ''}/>\n`);
  return `${HEAD}<nav search_view="search">\n${entries.join('')}</nav>\n`;
}

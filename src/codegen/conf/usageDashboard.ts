import { USAGE_INDEX } from '../../contract/families/usage.ts';
import { USAGE_SEARCHES, usageEvents } from './usageSearches.ts';

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (letter) => ENTITIES[letter] ?? letter);

/** The index is typed into the form, since a dashboard does not see the settings of the app; `|s` quotes it. */
const EVENTS = usageEvents('$index|s$');

const element = (
  kind: 'chart' | 'table',
  title: string,
  pipeline: string,
  options: Readonly<Record<string, string>>,
): string =>
  [
    `      <${kind}>`,
    `        <title>${escaped(title)}</title>`,
    '        <search>',
    `          <query>${escaped(`${EVENTS} ${pipeline}`)}</query>`,
    '          <earliest>$time.earliest$</earliest>',
    '          <latest>$time.latest$</latest>',
    '        </search>',
    ...Object.entries(options).map(([name, value]) => `        <option name="${name}">${value}</option>`),
    `      </${kind}>`,
  ].join('\n');

const STACKED = {
  'charting.chart': 'column',
  'charting.chart.stackMode': 'stacked',
  'charting.drilldown': 'none',
};

const row = (content: string): string => `  <row>\n    <panel>\n${content}\n    </panel>\n  </row>`;

/** `ml_usage_dashboard.xml`: Simple XML, which all supported releases of the platform show. Hidden until a site wants it. */
export function usageDashboardXml(): string {
  const rows = USAGE_SEARCHES.flatMap(({ name, pipeline, chart }) => {
    const title = name.replace(/^ML (.)/, (_match, first: string) => first.toUpperCase());
    const numbers = row(element('table', title, pipeline, { count: '20', drilldown: 'none' }));
    if (!chart) return [numbers];
    return [row(element('chart', chart.title, chart.pipeline, STACKED)), numbers];
  });
  return `<!-- Generated from the table of usage searches (npm run generate). -->
<form version="1.1" isVisible="false">
  <label>Machine learning usage</label>
  <description>Tokens and cost, failures and slow upstreams, from the events of uses.</description>
  <fieldset submitButton="false">
    <input type="time" token="time">
      <label>Time</label>
      <default>
        <earliest>-7d@d</earliest>
        <latest>now</latest>
      </default>
    </input>
    <input type="text" token="index">
      <label>Index of the events (usage_index)</label>
      <default>${USAGE_INDEX}</default>
    </input>
  </fieldset>
${rows.join('\n')}
</form>
`;
}

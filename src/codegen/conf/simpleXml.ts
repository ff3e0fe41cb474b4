const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (letter) => ENTITIES[letter] ?? letter);

/** The index is typed into the form, since a dashboard does not see the settings of the app; `|s` quotes it. */
export const INDEX_TOKEN = '$index|s$';

export const STACKED_COLUMNS = {
  'charting.chart': 'column',
  'charting.chart.stackMode': 'stacked',
  'charting.drilldown': 'none',
} as const;

export const PLAIN_TABLE = { count: '20', drilldown: 'none' } as const;

interface Panel {
  kind: 'chart' | 'table';
  title: string;
  query: string;
  options: Readonly<Record<string, string>>;
  /** The address that a click on a row opens. */
  link?: string;
}

/** A panel of full width whose search has the time of the form. */
export const panelXml = ({ kind, title, query, options, link }: Panel): string =>
  [
    '  <row>',
    '    <panel>',
    `      <${kind}>`,
    `        <title>${escaped(title)}</title>`,
    '        <search>',
    `          <query>${escaped(query)}</query>`,
    '          <earliest>$time.earliest$</earliest>',
    '          <latest>$time.latest$</latest>',
    '        </search>',
    ...Object.entries(options).map(([name, value]) => `        <option name="${name}">${value}</option>`),
    ...(link === undefined
      ? []
      : ['        <drilldown>', `          <link target="_blank">${escaped(link)}</link>`, '        </drilldown>']),
    `      </${kind}>`,
    '    </panel>',
    '  </row>',
  ].join('\n');

export const textInputXml = (token: string, label: string, initial: string): string =>
  [
    `    <input type="text" token="${token}">`,
    `      <label>${escaped(label)}</label>`,
    `      <default>${escaped(initial)}</default>`,
    '    </input>',
  ].join('\n');

interface Dashboard {
  label: string;
  description: string;
  /** Where its searches come from. */
  source: string;
  /** Beside the time, which is the first one. */
  inputs: readonly string[];
  panels: readonly string[];
}

/** A dashboard in Simple XML, which all supported releases of the platform show. Hidden until a site wants it. */
export const dashboardXml = ({ label, description, source, inputs, panels }: Dashboard): string =>
  `<!-- Generated from ${source} (npm run generate). -->
<form version="1.1" isVisible="false">
  <label>${escaped(label)}</label>
  <description>${escaped(description)}</description>
  <fieldset submitButton="false">
    <input type="time" token="time">
      <label>Time</label>
      <default>
        <earliest>-7d@d</earliest>
        <latest>now</latest>
      </default>
    </input>
${inputs.join('\n')}
  </fieldset>
${panels.join('\n')}
</form>
`;
